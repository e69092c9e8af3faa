/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ellipsis: drop-downs that ellipsize long texts in their button, not in their list. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Long texts do not make @drop_down wider. Its model has strings. */
void capra_drop_down_ellipsize (GtkDropDown *drop_down);

G_END_DECLS
