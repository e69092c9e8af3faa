/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text-editor: a line of text, and any other value that has a text form. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_TEXT_EDITOR (capra_text_editor_get_type ())
G_DECLARE_FINAL_TYPE (CapraTextEditor, capra_text_editor, CAPRA, TEXT_EDITOR, CapraEditor)

G_END_DECLS
