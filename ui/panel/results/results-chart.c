/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-chart: the histogram of one column of a table, or one column over another. */
#include "ui/panel/results/results-chart.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/resources.h"
#include "ui/panel/results/results-points.h"
#include "ui/panel/widgets/chart.h"
#include "ui/panel/widgets/ellipsis.h"

struct _CapraResultsChart {
  GtkBox parent_instance;
  GtkExpander *expander;
  GtkDropDown *x_column, *y_column; /* the first item of y is the number of rows */
  CapraChart *chart;
  CapraResultsRows *rows;
  CapraResultsPoints *points; /* that are shown; NULL without a chart */
  guint update;               /* source that will find others */
  GTask *job;                 /* finds others in a thread: not owned; NULL without one */
  gboolean again;             /* something has changed since its start */
};

G_DEFINE_FINAL_TYPE (CapraResultsChart, capra_results_chart, GTK_TYPE_BOX)

enum { PROP_ROWS = 1, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];
static guint picked_signal;

static CapraResultsTable *
get_table (CapraResultsChart *self)
{
  return self->rows ? capra_results_rows_get_table (self->rows) : NULL;
}

static char *
dup_description (const CapraResultsPoints *points)
{
  const CapraValueCounts *counts = points->counts;
  guint rows = points->order->len;

  if (counts && counts->total == 0)
    return g_strdup_printf (_ ("Histogram of %s: no values to show"), points->x_header);
  if (counts)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Histogram of %s: %.0f row, %.6g to %.6g, mean %.6g",
                                         "Histogram of %s: %.0f rows, %.6g to %.6g, mean %.6g", counts->total),
                            points->x_header, (double) counts->total, counts->min, counts->max, counts->mean);
  return g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%s over %s: %u row, %u selected", "%s over %s: %u rows, %u selected", rows),
    points->y_header, points->x_header, rows, points->points[1]->len);
}

/* @points: (nullable) (transfer full) */
static void
set_points (CapraResultsChart *self, CapraResultsPoints *points)
{
  g_clear_pointer (&self->points, capra_results_points_free);
  self->points = points;
  capra_chart_set_data (self->chart, points ? points->chart : NULL);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  capra_results_points_find (data);
  g_task_return_pointer (task, data, (GDestroyNotify) capra_results_points_free);
}

static void update_later (CapraResultsChart *self);

/* Points of other rows, which were set in the meantime, are ignored. */
static void
on_job_done (GObject *object, GAsyncResult *result, gpointer data)
{
  CapraResultsChart *self = CAPRA_RESULTS_CHART (object);
  g_autoptr (CapraResultsPoints) points = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autofree char *description = NULL;

  if (self->job != G_TASK (result))
    return;
  self->job = NULL;
  description = dup_description (points);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->chart), GTK_ACCESSIBLE_PROPERTY_LABEL, description, -1);
  set_points (self, g_steal_pointer (&points));
  if (self->again)
    update_later (self);
}

/* Finds the points in a thread. One job runs at a time, so that points that change all the time are shown, too. */
static gboolean
update_chart (gpointer data)
{
  CapraResultsChart *self = data;
  guint x = gtk_drop_down_get_selected (self->x_column), y = gtk_drop_down_get_selected (self->y_column);
  guint columns = self->rows ? capra_results_table_get_columns (get_table (self)) : 0;
  g_autoptr (GTask) task = NULL;

  self->update = 0;
  self->again = self->job != NULL;
  if (self->again)
    return G_SOURCE_REMOVE;
  if (x >= columns || y > columns)
    {
      set_points (self, NULL);
      return G_SOURCE_REMOVE;
    }
  self->job = task = g_task_new (self, NULL, on_job_done, NULL);
  g_task_set_task_data (task, capra_results_points_new (self->rows, x, (int) y - 1), NULL);
  g_task_run_in_thread (task, run_job);
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
  gboolean added = TRUE;
  guint row;

  if (!self->points || self->points->counts || point >= self->points->points[curve]->len
      || capra_results_chart_get_busy (self))
    return;
  row = g_array_index (self->points->points[curve], guint, point);
  if (state & GDK_CONTROL_MASK)
    {
      gtk_bitset_union (rows, capra_results_table_get_selected (table));
      added = !gtk_bitset_remove (rows, row);
    }
  if (added)
    gtk_bitset_add (rows, row);
  capra_results_table_set_selected (table, rows);
  if (added)
    g_signal_emit (self, picked_signal, 0, row);
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

gboolean
capra_results_chart_get_busy (CapraResultsChart *chart)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_CHART (chart), FALSE);
  return chart->update || chart->job;
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
  self->job = NULL;
  set_points (self, NULL);
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
  g_clear_pointer (&CAPRA_RESULTS_CHART (object)->points, capra_results_points_free);
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
  picked_signal = g_signal_new ("picked", CAPRA_TYPE_RESULTS_CHART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_UINT);
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
  gtk_widget_init_template (GTK_WIDGET (self));
  capra_drop_down_ellipsize (self->x_column);
  capra_drop_down_ellipsize (self->y_column);
}
