/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-filter: a column, the limits between which its values are shown, and whether rows are sorted by it. */
#include "ui/panel/results/results-filter.h"

#include <math.h>

#include "ui/panel/resources.h"
#include "ui/panel/widgets/ellipsis.h"
#include "ui/panel/widgets/wrap-layout.h"

#define NAME_CHARS 8
#define DROP_DOWN_EXTRA 48 /* pixels */

struct _CapraResultsFilter {
  GtkBox parent_instance;
  GtkDropDown *column;
  GtkEntry *low, *high;
  CapraResultsRows *rows;
  int sorted; /* the column, or -1 */
  gboolean descending;
};

G_DEFINE_FINAL_TYPE (CapraResultsFilter, capra_results_filter, GTK_TYPE_BOX)

static guint sort_signal;

/* The number in @entry; @empty without text, and if the text is not a number. */
static double
get_limit (GtkEntry *entry, double empty)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
  char *end = text;
  double value = empty;
  gboolean invalid;

  g_strdelimit (text, ",", '.');
  if (*text)
    value = g_ascii_strtod (text, &end);
  invalid = *end || isnan (value);
  (invalid ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (GTK_WIDGET (entry), "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
                               invalid ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  return invalid ? empty : value;
}

static void
update (CapraResultsFilter *self)
{
  guint column = gtk_drop_down_get_selected (self->column);
  double low = get_limit (self->low, -INFINITY), high = get_limit (self->high, INFINITY);
  gboolean all = column == GTK_INVALID_LIST_POSITION || (low == -INFINITY && high == INFINITY);

  if (self->rows)
    capra_results_rows_filter (self->rows, all ? -1 : (int) column, low, high);
}

static void
on_sort (CapraResultsFilter *self)
{
  guint column = gtk_drop_down_get_selected (self->column);

  if (column == GTK_INVALID_LIST_POSITION)
    return;
  self->descending = self->sorted == (int) column ? !self->descending : TRUE;
  self->sorted = (int) column;
  g_signal_emit (self, sort_signal, 0, column, self->descending);
}

/* The names of the columns, if they are others than before. */
static void
update_columns (CapraResultsFilter *self)
{
  CapraResultsTable *table = capra_results_rows_get_table (self->rows);
  guint n = capra_results_table_get_columns (table);
  GListModel *model = gtk_drop_down_get_model (self->column);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  gboolean same = model && g_list_model_get_n_items (model) == n;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = capra_results_table_dup_header (table, i);

      gtk_string_list_append (names, name);
      same = same && g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (model), i), name);
    }
  if (same)
    return;
  self->sorted = -1;
  g_type_ensure (CAPRA_TYPE_WRAP_LAYOUT);
  gtk_drop_down_set_model (self->column, G_LIST_MODEL (names));
  if (n > 1 && capra_results_table_has_regions (table))
    gtk_drop_down_set_selected (self->column, (guint) MAX (capra_results_table_find_column (table, "area"), 0));
}

void
capra_results_filter_set_rows (CapraResultsFilter *filter, CapraResultsRows *rows)
{
  g_return_if_fail (CAPRA_IS_RESULTS_FILTER (filter));
  if (filter->rows == rows)
    return;
  if (filter->rows)
    g_signal_handlers_disconnect_by_data (capra_results_rows_get_table (filter->rows), filter);
  g_set_object (&filter->rows, rows);
  if (!rows)
    return;
  g_signal_connect_swapped (capra_results_rows_get_table (rows), "changed", G_CALLBACK (update_columns), filter);
  update_columns (filter);
  update (filter);
}

static void
capra_results_filter_dispose (GObject *object)
{
  capra_results_filter_set_rows (CAPRA_RESULTS_FILTER (object), NULL);
  G_OBJECT_CLASS (capra_results_filter_parent_class)->dispose (object);
}

static void
capra_results_filter_class_init (CapraResultsFilterClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_results_filter_dispose;
  sort_signal = g_signal_new ("sort", CAPRA_TYPE_RESULTS_FILTER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                              G_TYPE_UINT, G_TYPE_BOOLEAN);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "results-filter.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraResultsFilter, column);
  gtk_widget_class_bind_template_child (widget_class, CapraResultsFilter, low);
  gtk_widget_class_bind_template_child (widget_class, CapraResultsFilter, high);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_bind_template_callback (widget_class, on_sort);
}

/* Room for the beginning of a column's name, beside the arrow and the padding of the drop-down. */
static void
set_room (CapraResultsFilter *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self->column));
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int chars = PANGO_PIXELS (NAME_CHARS * pango_font_metrics_get_approximate_char_width (metrics));

  g_object_set (gtk_widget_get_layout_manager (GTK_WIDGET (self)), "room", chars + DROP_DOWN_EXTRA, NULL);
  pango_font_metrics_unref (metrics);
}

static void
capra_results_filter_init (CapraResultsFilter *self)
{
  self->sorted = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  capra_drop_down_ellipsize (self->column);
  set_room (self);
}
