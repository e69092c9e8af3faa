/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number-editor: a slider over the usual range of a number, and an entry for all valid values. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_NUMBER_EDITOR (capra_number_editor_get_type ())
G_DECLARE_FINAL_TYPE (CapraNumberEditor, capra_number_editor, CAPRA, NUMBER_EDITOR, CapraEditor)

/* (nullable): NULL if the range is too wide for a slider. */
GtkWidget *capra_number_editor_get_slider (CapraNumberEditor *editor);

G_END_DECLS
