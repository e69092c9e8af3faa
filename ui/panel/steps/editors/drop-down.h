/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drop-down: the drop-down of editors. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

/* Adds a GtkDropDown with @labels to @editor as its control: beside the header if all labels are short, else below. */
GtkDropDown *capra_drop_down_add (CapraEditor *editor, const char *const *labels);

G_END_DECLS
