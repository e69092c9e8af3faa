/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Color-editor: a color with its alpha. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_COLOR_EDITOR (capra_color_editor_get_type ())
G_DECLARE_FINAL_TYPE (CapraColorEditor, capra_color_editor, CAPRA, COLOR_EDITOR, CapraEditor)

G_END_DECLS
