/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-chart: the histogram of one column of a table, or one column over another. */
#include "ui/panel/results/results-chart.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/panel/resources.h"
#include "ui/panel/results/value-counts.h"
#include "ui/panel/widgets/chart.h"
#include "ui/panel/widgets/ellipsis.h"

struct _CapraResultsChart {
  GtkBox parent_instance;
  GtkExpander *expander;
  GtkDropDown *x_column, *y_column; /* the first item of y is the number of rows */
  CapraChart *chart;
  CapraResultsRows *rows;
  GArray *points[2]; /* of guint: the rows of the points of each curve */
  guint update;      /* source that will update the chart */
};

G_DEFINE_FINAL_TYPE (CapraResultsChart, capra_results_chart, GTK_TYPE_BOX)

enum { PROP_ROWS = 1, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

static CapraResultsTable *
get_table (CapraResultsChart *self)
{
  return self->rows ? capra_results_rows_get_table (self->rows) : NULL;
}

static void
set_label (CapraResultsChart *self, const char *text)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->chart), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

/* The values of a column in the rows that are shown. */
static double *
get_values (CapraResultsChart *self, guint column)
{
  guint count = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  double *values = g_new (double, count);

  for (guint i = 0; i < count; i++)
    values[i] = capra_results_table_get_value (get_table (self), capra_results_rows_get_row (self->rows, i), column);
  return values;
}

/* The outline of the bars, which begins and ends at 0. */
static void
fill_bars (const CapraValueCounts *counts, double *x, double *y)
{
  gsize at = 0;

  for (guint i = 0; i < counts->n; i++)
    for (guint end = 0; end < 2; end++)
      {
        x[++at] = counts->low + (i + end) * counts->width;
        y[at] = (double) counts->counts[i];
      }
  x[0] = x[1];
  x[at + 1] = x[at];
  y[0] = y[at + 1] = 0.0;
}

static void
show_histogram (CapraResultsChart *self, guint column)
{
  CapraResultsTable *table = get_table (self);
  g_autofree double *values = get_values (self, column), *x = NULL, *y = NULL;
  g_autoptr (CapraValueCounts) counts = capra_value_counts_new (values,
                                                                g_list_model_get_n_items (G_LIST_MODEL (self->rows)));
  g_autofree char *header = capra_results_table_dup_header (table, column), *label = NULL;
  g_autofree char *markup = g_markup_escape_text (header, -1);
  CapraCurve curve = { .style = CAPRA_CURVE_AREA };
  CapraCurveFigure figure = { .curves = &curve, .n_curves = 1, .x_label = markup, .y_label = _ ("Rows") };

  if (counts->n > 0)
    {
      curve.count = 2 * (gsize) counts->n + 2;
      curve.x = x = g_new (double, curve.count);
      curve.y = y = g_new (double, curve.count);
      fill_bars (counts, x, y);
    }
  capra_chart_set_figure (self->chart, &figure);
  label = g_strdup_printf (_ ("Histogram of %s: %.0f rows, %.6g to %.6g, mean %.6g"), header, (double) counts->total,
                           counts->min, counts->max, counts->mean);
  set_label (self, label);
}

/* Rows that are selected are a curve of their own, on top. */
static void
show_scatter (CapraResultsChart *self, guint x_column, guint y_column)
{
  CapraResultsTable *table = get_table (self);
  GtkBitset *selected = capra_results_table_get_selected (table);
  guint count = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  g_autofree double *x = g_new (double, count), *y = g_new (double, count);
  g_autofree char *x_header = capra_results_table_dup_header (table, x_column), *label = NULL;
  g_autofree char *y_header = capra_results_table_dup_header (table, y_column);
  g_autofree char *x_markup = g_markup_escape_text (x_header, -1), *y_markup = g_markup_escape_text (y_header, -1);
  CapraCurve curves[2] = { { .x = x, .y = y, .style = CAPRA_CURVE_DOTS } };
  CapraCurveFigure figure = { .curves = curves, .n_curves = 2, .x_label = x_markup, .y_label = y_markup };
  guint at = 0;

  for (guint chosen = 0; chosen < 2; chosen++)
    {
      curves[chosen] = (CapraCurve){ .x = x + at, .y = y + at, .style = CAPRA_CURVE_DOTS };
      for (guint i = 0; i < count; i++)
        {
          guint row = capra_results_rows_get_row (self->rows, i);

          if (gtk_bitset_contains (selected, row) != (gboolean) chosen)
            continue;
          x[at] = capra_results_table_get_value (table, row, x_column);
          y[at++] = capra_results_table_get_value (table, row, y_column);
          curves[chosen].count++;
          g_array_append_val (self->points[chosen], row);
        }
    }
  capra_chart_set_figure (self->chart, &figure);
  label = g_strdup_printf (_ ("%s over %s: %u rows, %u selected"), y_header, x_header, count, (guint) curves[1].count);
  set_label (self, label);
}

static gboolean
update_chart (gpointer data)
{
  CapraResultsChart *self = data;
  guint x = gtk_drop_down_get_selected (self->x_column), y = gtk_drop_down_get_selected (self->y_column);
  guint columns = self->rows ? capra_results_table_get_columns (get_table (self)) : 0;

  self->update = 0;
  for (guint i = 0; i < 2; i++)
    g_array_set_size (self->points[i], 0);
  if (x >= columns || y > columns)
    capra_chart_set_figure (self->chart, NULL);
  else if (y == 0)
    show_histogram (self, x);
  else
    show_scatter (self, x, y - 1);
  return G_SOURCE_REMOVE;
}

/* Several changes at once need one update. A chart that is not shown needs none. */
static void
update_later (CapraResultsChart *self)
{
  if (!self->update && self->rows && gtk_expander_get_expanded (self->expander))
    self->update = g_idle_add (update_chart, self);
}

static void
on_point_clicked (CapraResultsChart *self, guint curve, guint64 point, GdkModifierType state)
{
  CapraResultsTable *table = get_table (self);
  g_autoptr (GtkBitset) rows = gtk_bitset_new_empty ();
  guint row;

  if (curve >= G_N_ELEMENTS (self->points) || point >= self->points[curve]->len || self->update)
    return;
  row = g_array_index (self->points[curve], guint, point);
  if (state & GDK_CONTROL_MASK)
    {
      gtk_bitset_union (rows, capra_results_table_get_selected (table));
      if (!gtk_bitset_remove (rows, row))
        gtk_bitset_add (rows, row);
    }
  else
    gtk_bitset_add (rows, row);
  capra_results_table_set_selected (table, rows);
}

/* The column that was chosen in @list stays chosen in the new one, if it is there; else @other is. */
static void
set_columns (GtkDropDown *drop_down, GtkStringList *list, guint other)
{
  GtkStringObject *old = gtk_drop_down_get_selected_item (drop_down);
  g_autofree char *name = old ? g_strdup (gtk_string_object_get_string (old)) : NULL;
  guint chosen = other;

  for (guint i = 0; name && i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++)
    if (g_str_equal (gtk_string_list_get_string (list, i), name))
      chosen = i;
  gtk_drop_down_set_model (drop_down, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (drop_down, chosen);
}

static gboolean
has_columns (CapraResultsChart *self, GtkStringList *list)
{
  GListModel *now = gtk_drop_down_get_model (self->x_column);
  guint count = g_list_model_get_n_items (G_LIST_MODEL (list));
  gboolean same = now && g_list_model_get_n_items (now) == count;

  for (guint i = 0; same && i < count; i++)
    same = g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (now), i), gtk_string_list_get_string (list, i));
  return same;
}

static void
update_columns (CapraResultsChart *self)
{
  CapraResultsTable *table = get_table (self);
  g_autoptr (GtkStringList) x = gtk_string_list_new (NULL), y = gtk_string_list_new (NULL);
  guint columns = table ? capra_results_table_get_columns (table) : 0;
  int area = columns > 0 ? capra_results_table_find_column (table, "area") : -1;

  gtk_string_list_append (y, _ ("Rows (Histogram)"));
  for (guint i = 0; i < columns; i++)
    {
      g_autofree char *header = capra_results_table_dup_header (table, i);

      gtk_string_list_append (x, header);
      gtk_string_list_append (y, header);
    }
  if (!has_columns (self, x))
    {
      set_columns (self->x_column, x, area >= 0 ? (guint) area : 0);
      set_columns (self->y_column, y, 0);
    }
  update_later (self);
}

void
capra_results_chart_show (CapraResultsChart *chart, guint x, int y)
{
  g_return_if_fail (CAPRA_IS_RESULTS_CHART (chart));
  gtk_expander_set_expanded (chart->expander, TRUE);
  gtk_drop_down_set_selected (chart->x_column, x);
  gtk_drop_down_set_selected (chart->y_column, (guint) (y + 1));
}

static void
set_rows (CapraResultsChart *self, CapraResultsRows *rows)
{
  CapraResultsTable *old = get_table (self);

  if (old)
    {
      g_signal_handlers_disconnect_by_data (old, self);
      g_signal_handlers_disconnect_by_data (self->rows, self);
    }
  g_set_object (&self->rows, rows);
  if (!rows)
    return;
  g_signal_connect_object (get_table (self), "changed", G_CALLBACK (update_columns), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (get_table (self), "selection-changed", G_CALLBACK (update_later), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (rows, "changed", G_CALLBACK (update_later), self, G_CONNECT_SWAPPED);
  update_columns (self);
}

static void
capra_results_chart_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROP_ROWS)
    g_value_set_object (value, CAPRA_RESULTS_CHART (object)->rows);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_results_chart_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  if (id == PROP_ROWS)
    set_rows (CAPRA_RESULTS_CHART (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_results_chart_dispose (GObject *object)
{
  CapraResultsChart *self = CAPRA_RESULTS_CHART (object);

  set_rows (self, NULL);
  g_clear_handle_id (&self->update, g_source_remove);
  G_OBJECT_CLASS (capra_results_chart_parent_class)->dispose (object);
}

static void
capra_results_chart_finalize (GObject *object)
{
  for (guint i = 0; i < 2; i++)
    g_array_unref (CAPRA_RESULTS_CHART (object)->points[i]);
  G_OBJECT_CLASS (capra_results_chart_parent_class)->finalize (object);
}

static void
capra_results_chart_class_init (CapraResultsChartClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = capra_results_chart_dispose;
  object_class->finalize = capra_results_chart_finalize;
  object_class->get_property = capra_results_chart_get_property;
  object_class->set_property = capra_results_chart_set_property;
  properties[PROP_ROWS] = g_param_spec_object ("rows", NULL, NULL, CAPRA_TYPE_RESULTS_ROWS,
                                               G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  g_type_ensure (CAPRA_TYPE_CHART);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "results-chart.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraResultsChart, expander);
  gtk_widget_class_bind_template_child (widget_class, CapraResultsChart, x_column);
  gtk_widget_class_bind_template_child (widget_class, CapraResultsChart, y_column);
  gtk_widget_class_bind_template_child (widget_class, CapraResultsChart, chart);
  gtk_widget_class_bind_template_callback (widget_class, update_later);
  gtk_widget_class_bind_template_callback (widget_class, on_point_clicked);
}

static void
capra_results_chart_init (CapraResultsChart *self)
{
  for (guint i = 0; i < 2; i++)
    self->points[i] = g_array_new (FALSE, FALSE, sizeof (guint));
  gtk_widget_init_template (GTK_WIDGET (self));
  capra_drop_down_ellipsize (self->x_column);
  capra_drop_down_ellipsize (self->y_column);
}
