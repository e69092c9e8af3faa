/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing table: timing rows in columns, which sort them. */
#include "ui/panel/monitor/timing-table.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/monitor/timing-row.h"
#include "ui/panel/widgets/column-view.h"
#include "ui/panel/widgets/units.h"

#define NAME_WIDTH 17        /* characters */
#define OTHER_NAME_WIDTH 100 /* pixels, of the columns of devices and processes */
#define PADDING 7            /* pixels beside a text in its column */
/* Numbers as wide as most. */
#define TIME "88.8 ms"
#define RATE "888.8"
#define COUNT "8888"

struct _CapraTimingTable {
  GtkWidget parent_instance;
  GtkWidget *scrolled;
  GtkColumnView *view;
  GListModel *shown; /* sorted */
  GtkColumnViewColumn *columns[CAPRA_N_COLUMNS];
  guint update; /* source that will choose the columns */
};

G_DEFINE_FINAL_TYPE (CapraTimingTable, capra_timing_table, GTK_TYPE_WIDGET)

/* The most important ones come first. */
static const CapraColumn order[CAPRA_N_COLUMNS] = {
  CAPRA_COLUMN_NAME,  CAPRA_COLUMN_DEVICE, CAPRA_COLUMN_PROCESS, CAPRA_COLUMN_TOTAL,
  CAPRA_COLUMN_COUNT, CAPRA_COLUMN_MEDIAN, CAPRA_COLUMN_RATE,    CAPRA_COLUMN_MIN,
  CAPRA_COLUMN_MAX,   CAPRA_COLUMN_MEAN,   CAPRA_COLUMN_STD,
};

static void
show_text (GtkListItem *item)
{
  CapraTimingRow *row = gtk_list_item_get_item (item);
  CapraColumn column = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (item), "column"));
  g_autofree char *text = capra_timing_row_get_text (row, column);

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), text);
}

/* All that is known of a row, also what is in columns that are not shown. Found on request: setting a tooltip asks the
 * display where the pointer is, also on a hidden page. */
static gboolean
on_query_tooltip (GtkWidget *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip, GtkListItem *item)
{
  CapraTimingRow *row = gtk_list_item_get_item (item);
  g_autoptr (GString) text = g_string_new (NULL);

  if (!row)
    return FALSE;
  for (guint i = 0; i < CAPRA_N_COLUMNS; i++)
    {
      g_autofree char *value = capra_timing_row_get_text (row, order[i]);

      g_string_append_printf (text, "%s%s: %s", i > 0 ? "\n" : "", capra_column_get_title (order[i]), value);
    }
  gtk_tooltip_set_text (tooltip, text->str);
  return TRUE;
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  gboolean number = capra_column_is_number (GPOINTER_TO_INT (data));
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), number ? 1 : 0);
  if (number)
    {
      gtk_widget_add_css_class (label, "numeric");
      gtk_widget_set_tooltip_text (label, capra_column_get_hint (GPOINTER_TO_INT (data)));
    }
  else
    {
      if (GPOINTER_TO_INT (data) == CAPRA_COLUMN_NAME) /* a name that is cut could be that of another kernel */
        capra_column_view_wrap_name (GTK_LABEL (label), NAME_WIDTH);
      else
        gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_widget_set_has_tooltip (label, TRUE);
      g_signal_connect_object (label, "query-tooltip", G_CALLBACK (on_query_tooltip), item, 0);
    }
  gtk_list_item_set_child (item, label);
  g_object_set_data (G_OBJECT (item), "column", data);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  g_signal_connect_swapped (gtk_list_item_get_item (item), "changed", G_CALLBACK (show_text), item);
  show_text (item);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item), show_text, item);
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer column)
{
  return capra_timing_row_compare ((CapraTimingRow *) a, (CapraTimingRow *) b, GPOINTER_TO_INT (column));
}

static void
add_column (CapraTimingTable *self, CapraColumn which)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  gpointer data = GINT_TO_POINTER (which);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare_rows, data, NULL));
  g_autoptr (GtkColumnViewColumn) column = NULL;

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), data);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), data);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), data);
  column = gtk_column_view_column_new (capra_column_get_title (which), factory);
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  self->columns[which] = column; /* the table owns it */
  gtk_column_view_append_column (self->view, column);
  if (capra_column_is_number (which))
    capra_column_view_align_title (self->view, column);
  else if (which == CAPRA_COLUMN_NAME) /* what the numbers leave */
    gtk_column_view_column_set_expand (column, TRUE);
  else
    gtk_column_view_column_set_fixed_width (column, OTHER_NAME_WIDTH);
  if (which == CAPRA_COLUMN_TOTAL)
    gtk_column_view_sort_by_column (self->view, column, GTK_SORT_DESCENDING);
}

static gboolean
differs (CapraTimingTable *self, CapraColumn column)
{
  guint n = g_list_model_get_n_items (self->shown);
  g_autoptr (CapraTimingRow) first = g_list_model_get_item (self->shown, 0);
  gboolean differ = FALSE;

  for (guint i = 1; i < n && !differ; i++)
    {
      g_autoptr (CapraTimingRow) row = g_list_model_get_item (self->shown, i);

      differ = capra_timing_row_compare (first, row, column) != 0;
    }
  return differ;
}

static int
measure_text (CapraTimingTable *self, const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->view), text);
  int width = 0;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* As labels measure a width in characters. */
static int
measure_chars (CapraTimingTable *self, int chars)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self->view));
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int width = MAX (pango_font_metrics_get_approximate_char_width (metrics),
                   pango_font_metrics_get_approximate_digit_width (metrics));

  pango_font_metrics_unref (metrics);
  return PANGO_PIXELS_CEIL (chars * width);
}

/* The width that a column needs for most of its texts. */
static int
measure_column (CapraTimingTable *self, CapraColumn which)
{
  const char *number = which == CAPRA_COLUMN_COUNT ? COUNT : which == CAPRA_COLUMN_RATE ? RATE : TIME;
  g_autofree char *shared = capra_units_shared ();
  int width = 0;

  if (which == CAPRA_COLUMN_NAME)
    return measure_chars (self, NAME_WIDTH) + PADDING;
  if (!capra_column_is_number (which))
    return OTHER_NAME_WIDTH;
  width = MAX (measure_text (self, number), measure_text (self, capra_column_get_title (which)));
  if (which == CAPRA_COLUMN_RATE)
    width = MAX (width, measure_text (self, shared));
  return width + PADDING;
}

static void
choose_columns (CapraTimingTable *self)
{
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
  int left = (int) gtk_adjustment_get_page_size (across);

  for (guint i = 0; i < CAPRA_N_COLUMNS; i++)
    {
      CapraColumn which = order[i];
      int width = measure_column (self, which);
      gboolean number = capra_column_is_number (which);
      gboolean shown = which == CAPRA_COLUMN_NAME || which == CAPRA_COLUMN_TOTAL
                       || (number ? width <= left : differs (self, which));

      if (shown)
        left -= width;
      else if (number)
        left = 0; /* none that is less important */
      capra_column_view_set_shown (self->columns[which], shown);
    }
}

static gboolean
on_update (gpointer data)
{
  CapraTimingTable *self = data;

  self->update = 0;
  choose_columns (self);
  return G_SOURCE_REMOVE;
}

/* Not while the width is allocated, which is too late for other columns. */
static void
queue_update (CapraTimingTable *self)
{
  if (!self->update)
    self->update = g_idle_add_full (GTK_PRIORITY_RESIZE - 1, on_update, self, NULL);
}

void
capra_timing_table_set_rows (CapraTimingTable *table, GListModel *rows)
{
  g_autoptr (GtkNoSelection) model = NULL;

  g_return_if_fail (CAPRA_IS_TIMING_TABLE (table));
  g_return_if_fail (!table->shown);
  table->shown = G_LIST_MODEL (
    gtk_sort_list_model_new (g_object_ref (rows), g_object_ref (gtk_column_view_get_sorter (table->view))));
  model = gtk_no_selection_new (g_object_ref (table->shown));
  gtk_column_view_set_model (table->view, GTK_SELECTION_MODEL (model));
}

GListModel *
capra_timing_table_get_shown (CapraTimingTable *table)
{
  g_return_val_if_fail (CAPRA_IS_TIMING_TABLE (table), NULL);
  return table->shown;
}

void
capra_timing_table_update (CapraTimingTable *table)
{
  g_return_if_fail (CAPRA_IS_TIMING_TABLE (table));
  capra_column_view_sort_again (table->view);
  queue_update (table);
}

static void
capra_timing_table_dispose (GObject *object)
{
  CapraTimingTable *self = CAPRA_TIMING_TABLE (object);

  g_clear_handle_id (&self->update, g_source_remove);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  g_clear_object (&self->shown);
  G_OBJECT_CLASS (capra_timing_table_parent_class)->dispose (object);
}

static void
capra_timing_table_class_init (CapraTimingTableClass *class)
{
  G_OBJECT_CLASS (class)->dispose = capra_timing_table_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
capra_timing_table_init (CapraTimingTable *self)
{
  GtkWidget *view = gtk_column_view_new (NULL);
  GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new ());

  self->view = GTK_COLUMN_VIEW (view);
  self->scrolled = GTK_WIDGET (scrolled);
  capra_column_view_leave_by_tab (self->view);
  gtk_column_view_set_reorderable (self->view, TRUE);
  gtk_widget_add_css_class (view, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Timings"), -1);
  for (gsize c = 0; c < G_N_ELEMENTS (order); c++)
    add_column (self, order[c]);
  gtk_scrolled_window_set_child (scrolled, view);
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (scrolled), "notify::page-size",
                           G_CALLBACK (queue_update), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}
