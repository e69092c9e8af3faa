/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Column-view: what GTK's tables lack in version 4.8. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Scrolls until the row at @position is visible, in the next frame that shows the view. */
void capra_column_view_scroll_to (GtkColumnView *view, guint position);

/* Aligns the title of a column of numbers with these. */
void capra_column_view_align_title (GtkColumnView *view, GtkColumnViewColumn *column);

/* The values by which rows are sorted have changed. At its top, the view stays there; otherwise it follows the rows
 * that it shows. */
void capra_column_view_sort_again (GtkColumnView *view);

/* Tab leaves the view instead of visiting each row. */
void capra_column_view_leave_by_tab (GtkColumnView *view);

/* Long names in the cell @label are continued on another line, without a hyphen, which could be a part of the name. */
void capra_column_view_wrap_name (GtkLabel *label, int chars);

/* Shows or hides a column. GTK 4.8 counts hidden columns to the width that is taken, so that others do not expand. */
void capra_column_view_set_shown (GtkColumnViewColumn *column, gboolean shown);

G_END_DECLS
