/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unsupported-editor: for values that only a program can set, such as buffers. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_UNSUPPORTED_EDITOR (capra_unsupported_editor_get_type ())
G_DECLARE_FINAL_TYPE (CapraUnsupportedEditor, capra_unsupported_editor, CAPRA, UNSUPPORTED_EDITOR, CapraEditor)

G_END_DECLS
