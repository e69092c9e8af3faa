/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drop-down: the drop-down of editors; long texts are ellipsized in its button, not in its list. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

/* Adds a GtkDropDown with @labels to @editor as its control: beside the header if all labels are short, else below. */
GtkDropDown *capra_drop_down_add (CapraEditor *editor, const char *const *labels);
/* Long texts do not make @drop_down wider. Its model has strings. */
void capra_drop_down_ellipsize (GtkDropDown *drop_down);

G_END_DECLS
