/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multiline-editor: text of several lines, such as a matrix. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_MULTILINE_EDITOR (capra_multiline_editor_get_type ())
G_DECLARE_FINAL_TYPE (CapraMultilineEditor, capra_multiline_editor, CAPRA, MULTILINE_EDITOR, CapraEditor)

G_END_DECLS
