/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-page: the tables of a pipeline's steps, one at a time, and the regions of the table over the image. */
#include "ui/panel/results/results-page.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "ui/panel/resources.h"
#include "ui/panel/results/columns-popover.h"
#include "ui/panel/results/region-marks.h"
#include "ui/panel/results/results-chart.h"
#include "ui/panel/results/results-export.h"
#include "ui/panel/results/results-filter.h"
#include "ui/panel/results/results-status.h"
#include "ui/panel/results/results-values.h"
#include "ui/panel/results/results-view.h"
#include "ui/panel/steps/remedy-row.h"
#include "ui/panel/widgets/ellipsis.h"
#include "ui/pipeline/graph/graph-numbers.h"

struct _CapraResultsPage {
  GtkBox parent_instance;
  GtkStack *stack, *kinds;
  AdwStatusPage *status, *message;
  GtkDropDown *step;
  GtkToggleButton *marks_button;
  CapraColumnsPopover *columns;
  CapraResultsExport *export;
  CapraResultsFilter *filter;
  CapraResultsView *view;
  CapraResultsValues *values;
  GtkWidget *chart;
  CapraResultsStatus *status_bar;

  CapraStepModel *pipeline;
  CapraImageView *image_view;
  CapraPreview *preview; /* of the image view, NULL without an image */
  CapraRegionMarks *marks;
  GHashTable *rows; /* id of a step -> CapraResultsRows */
  GArray *ids;      /* of guint: the steps with a table, in their order */
  guint chosen;     /* the id of a step, 0 for none */
  gboolean listing; /* the list of steps is being changed */
};

G_DEFINE_FINAL_TYPE (CapraResultsPage, capra_results_page, GTK_TYPE_BOX)

enum { PROP_ROWS = 1, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];
static guint failed_signal;

CapraResultsRows *
capra_results_page_get_rows (CapraResultsPage *page)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_PAGE (page), NULL);
  return page->chosen ? g_hash_table_lookup (page->rows, GUINT_TO_POINTER (page->chosen)) : NULL;
}

static CapraResultsTable *
get_table (CapraResultsPage *self)
{
  CapraResultsRows *rows = capra_results_page_get_rows (self);

  return rows ? capra_results_rows_get_table (rows) : NULL;
}

/* Marks are drawn while the page is visible. */
static void
update_marks (CapraResultsPage *self)
{
  CapraResultsTable *table = gtk_widget_get_mapped (GTK_WIDGET (self)) ? get_table (self) : NULL;
  gboolean regions = table && capra_results_table_has_regions (table);

  if (!self->marks)
    return;
  capra_region_marks_set_all (self->marks, gtk_toggle_button_get_active (self->marks_button));
  capra_region_marks_set_table (self->marks, regions ? table : NULL);
  if (self->preview)
    capra_preview_set_labels (self->preview, regions ? self->chosen : 0);
}

/* What is shown instead of numbers while there are none. */
static void
update_message (CapraResultsPage *self)
{
  int position = capra_step_model_find (self->pipeline, self->chosen);
  CapraStep *step = position >= 0 ? capra_step_model_get_step (self->pipeline, (guint) position) : NULL;
  g_autofree char *error = step ? capra_remedy_row_get_message (self->pipeline, step) : NULL;
  g_autofree char *escaped = error ? g_markup_escape_text (error, -1) : NULL; /* descriptions are markup */
  gboolean current = FALSE;
  gint64 time;
  g_autoptr (GPtrArray) tables = self->preview ? capra_preview_get_tables (self->preview, &current, &time) : NULL;
  const char *none = current ? _ ("No Numbers") : _ ("Computing…");

  adw_status_page_set_title (self->message, error ? _ ("The Step Has Failed") : none);
  adw_status_page_set_description (self->message, escaped);
}

static void
update_kind (CapraResultsPage *self)
{
  CapraResultsTable *table = get_table (self);
  gboolean known = table && capra_results_table_get_data (table);
  gboolean values = known && capra_results_table_is_values (table);
  GtkWidget *kind = values ? GTK_WIDGET (self->values) : GTK_WIDGET (self->view);

  gtk_stack_set_visible_child (self->kinds, known ? kind : GTK_WIDGET (self->message));
  gtk_widget_set_visible (GTK_WIDGET (self->filter), known && !values);
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->columns)), known && !values);
  gtk_widget_set_visible (self->chart, known && !values);
  gtk_widget_set_visible (GTK_WIDGET (self->marks_button), known && capra_results_table_has_regions (table));
  update_message (self);
  update_marks (self);
}

static void
on_tables (CapraResultsPage *self)
{
  gboolean current;
  gint64 time;
  g_autoptr (GPtrArray) tables = capra_preview_get_tables (self->preview, &current, &time);
  GHashTableIter iter;
  gpointer id, rows;

  g_hash_table_iter_init (&iter, self->rows);
  while (g_hash_table_iter_next (&iter, &id, &rows))
    capra_results_rows_set_data (rows, capra_step_tables_find (tables, GPOINTER_TO_UINT (id)));
  update_message (self);
}

static void
on_labels (CapraResultsPage *self)
{
  g_autoptr (CapraRegionLabels) labels = capra_preview_get_labels (self->preview);

  capra_region_marks_set_labels (self->marks, labels && labels->step == self->chosen ? labels : NULL);
}

/* A picture that is completely in view does not move. */
static void
on_row_chosen (CapraResultsPage *self, guint row)
{
  CapraPreviewStatus status;
  GeglRectangle visible;

  if (!self->preview)
    return;
  capra_preview_get_status (self->preview, &status);
  visible = capra_canvas_get_visible (capra_image_view_get_canvas (self->image_view));
  if (!gegl_rectangle_contains (&visible, &status.bounds))
    capra_region_marks_center (self->marks, row, FALSE);
}

static void
on_activated (CapraResultsPage *self, guint row)
{
  if (self->preview)
    capra_region_marks_center (self->marks, row, TRUE);
}

static void
on_picked (CapraResultsPage *self, guint row)
{
  capra_results_view_scroll_to (self->view, row);
}

static void
on_sort (CapraResultsPage *self, guint column, gboolean descending)
{
  capra_results_view_sort (self->view, column, descending);
}

static void
choose (CapraResultsPage *self, guint id)
{
  CapraResultsRows *rows = NULL;
  CapraResultsTable *table = NULL;

  self->chosen = id;
  rows = capra_results_page_get_rows (self);
  table = get_table (self);
  capra_results_view_set_rows (self->view, rows);
  capra_results_values_set_table (self->values, table);
  capra_results_filter_set_rows (self->filter, rows);
  capra_columns_popover_set_table (self->columns, table);
  if (self->marks)
    capra_region_marks_set_labels (self->marks, NULL);
  update_kind (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ROWS]);
}

static void
on_step_chosen (CapraResultsPage *self)
{
  guint position = gtk_drop_down_get_selected (self->step);

  if (!self->listing && position < self->ids->len)
    choose (self, g_array_index (self->ids, guint, position));
}

static void
add_rows (CapraResultsPage *self, guint id, const char *title)
{
  g_autoptr (CapraResultsTable) table = capra_results_table_new (title);
  CapraResultsRows *rows = capra_results_rows_new (table);

  g_signal_connect_object (rows, "row-chosen", G_CALLBACK (on_row_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (table, "changed", G_CALLBACK (update_kind), self, G_CONNECT_SWAPPED);
  g_hash_table_insert (self->rows, GUINT_TO_POINTER (id), rows);
}

/* The steps with a table: their ids, and their names with their places in the pipeline. */
static GArray *
list_steps (CapraResultsPage *self, GtkStringList *titles)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < capra_step_model_get_length (self->pipeline); i++)
    {
      CapraStep *step = capra_step_model_get_step (self->pipeline, i);
      g_autofree char *name = capra_operation_get_title (capra_step_get_operation (step));
      g_autofree char *title = g_strdup_printf ("%u. %s", i + 1, name);
      guint id = capra_step_get_id (step);
      CapraResultsRows *rows = g_hash_table_lookup (self->rows, GUINT_TO_POINTER (id));

      if (!capra_step_get_enabled (step) || !capra_operation_has_table (capra_step_get_operation (step)))
        continue;
      if (rows)
        capra_results_table_set_title (capra_results_rows_get_table (rows), title);
      else
        add_rows (self, id, title);
      g_array_append_val (ids, id);
      gtk_string_list_append (titles, title);
    }
  return ids;
}

static gboolean
is_same_list (CapraResultsPage *self, GArray *ids, GtkStringList *titles)
{
  GtkStringList *old = GTK_STRING_LIST (gtk_drop_down_get_model (self->step));
  gboolean same = old && ids->len == self->ids->len;

  for (guint i = 0; same && i < ids->len; i++)
    same = g_array_index (ids, guint, i) == g_array_index (self->ids, guint, i)
           && g_strcmp0 (gtk_string_list_get_string (titles, i), gtk_string_list_get_string (old, i)) == 0;
  return same;
}

static gboolean
is_gone (gpointer id, gpointer rows, gpointer pipeline)
{
  return capra_step_model_find (pipeline, GPOINTER_TO_UINT (id)) < 0;
}

static void
update_status_page (CapraResultsPage *self)
{
  adw_status_page_set_title (self->status, self->preview ? _ ("No Numbers Yet") : _ ("No Image"));
  adw_status_page_set_description (
    self->status, self->preview ? _ ("Add a step that measures, such as Measure Regions or Statistics.") : NULL);
  gtk_stack_set_visible_child_name (self->stack, self->ids->len > 0 && self->preview ? "table" : "empty");
}

static void
update_steps (CapraResultsPage *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  g_autoptr (GArray) ids = list_steps (self, titles);
  guint position = 0;

  if (is_same_list (self, ids, titles))
    return;
  self->listing = TRUE;
  g_array_unref (self->ids);
  self->ids = g_steal_pointer (&ids);
  for (guint i = 0; i < self->ids->len; i++)
    if (g_array_index (self->ids, guint, i) == self->chosen)
      position = i;
  gtk_drop_down_set_model (self->step, G_LIST_MODEL (titles));
  if (self->ids->len > 0)
    gtk_drop_down_set_selected (self->step, position);
  self->listing = FALSE;
  update_status_page (self);
  choose (self, self->ids->len > 0 ? g_array_index (self->ids, guint, position) : 0);
  g_hash_table_foreach_remove (self->rows, is_gone, self->pipeline);
}

/* Another image has another preview, and the numbers of the earlier one are removed. */
static void
on_image_changed (CapraResultsPage *self)
{
  CapraPreview *preview = capra_image_view_get_preview (self->image_view);
  GHashTableIter iter;
  gpointer rows;

  if (self->preview)
    g_signal_handlers_disconnect_by_data (self->preview, self);
  g_set_object (&self->preview, preview);
  capra_results_status_set_preview (self->status_bar, preview);
  g_hash_table_iter_init (&iter, self->rows);
  while (g_hash_table_iter_next (&iter, NULL, &rows))
    capra_results_rows_set_data (rows, NULL);
  capra_region_marks_set_labels (self->marks, NULL);
  if (preview)
    {
      g_signal_connect_swapped (preview, "tables", G_CALLBACK (on_tables), self);
      g_signal_connect_swapped (preview, "labels", G_CALLBACK (on_labels), self);
      g_signal_connect_swapped (preview, "status", G_CALLBACK (update_message), self);
    }
  update_status_page (self);
  update_kind (self);
}

void
capra_results_page_set_view (CapraResultsPage *page, CapraImageView *view)
{
  GtkWidget *marks = NULL;

  g_return_if_fail (CAPRA_IS_RESULTS_PAGE (page) && !page->image_view);
  page->image_view = g_object_ref (view);
  marks = capra_region_marks_new (capra_image_view_get_canvas (view));
  page->marks = g_object_ref (CAPRA_REGION_MARKS (marks));
  capra_image_view_add_overlay (view, marks);
  capra_results_export_set_view (page->export, view);
  g_signal_connect_object (marks, "picked", G_CALLBACK (on_picked), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "notify::has-image", G_CALLBACK (on_image_changed), page, G_CONNECT_SWAPPED);
  on_image_changed (page);
}

static void
capra_results_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_object (value, capra_results_page_get_rows (CAPRA_RESULTS_PAGE (object)));
}

static void
capra_results_page_dispose (GObject *object)
{
  CapraResultsPage *self = CAPRA_RESULTS_PAGE (object);

  if (self->preview)
    g_signal_handlers_disconnect_by_data (self->preview, self);
  g_clear_object (&self->preview);
  g_clear_object (&self->marks);
  g_clear_object (&self->image_view);
  g_clear_object (&self->pipeline);
  G_OBJECT_CLASS (capra_results_page_parent_class)->dispose (object);
}

static void
capra_results_page_finalize (GObject *object)
{
  g_hash_table_unref (CAPRA_RESULTS_PAGE (object)->rows);
  g_array_unref (CAPRA_RESULTS_PAGE (object)->ids);
  G_OBJECT_CLASS (capra_results_page_parent_class)->finalize (object);
}

static void
report_failure (CapraResultsPage *self, const char *message)
{
  g_signal_emit (self, failed_signal, 0, message);
}

static void
bind_template (GtkWidgetClass *klass)
{
  g_type_ensure (CAPRA_TYPE_COLUMNS_POPOVER);
  g_type_ensure (CAPRA_TYPE_RESULTS_CHART);
  g_type_ensure (CAPRA_TYPE_RESULTS_EXPORT);
  g_type_ensure (CAPRA_TYPE_RESULTS_FILTER);
  g_type_ensure (CAPRA_TYPE_RESULTS_STATUS);
  g_type_ensure (CAPRA_TYPE_RESULTS_VALUES);
  g_type_ensure (CAPRA_TYPE_RESULTS_VIEW);
  gtk_widget_class_set_template_from_resource (klass, CAPRA_PANEL_RESOURCE "results-page.ui");
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, stack);
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, status);
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, step);
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, marks_button);
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, columns);
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, export);
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, filter);
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, kinds);
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, view);
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, values);
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, message);
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, chart);
  gtk_widget_class_bind_template_child (klass, CapraResultsPage, status_bar);
  gtk_widget_class_bind_template_callback (klass, on_step_chosen);
  gtk_widget_class_bind_template_callback (klass, update_marks);
  gtk_widget_class_bind_template_callback (klass, on_sort);
  gtk_widget_class_bind_template_callback (klass, on_activated);
  gtk_widget_class_bind_template_callback (klass, on_picked);
  gtk_widget_class_bind_template_callback (klass, on_row_chosen);
  gtk_widget_class_bind_template_callback (klass, report_failure);
}

static void
capra_results_page_class_init (CapraResultsPageClass *klass)
{
  G_OBJECT_CLASS (klass)->get_property = capra_results_page_get_property;
  G_OBJECT_CLASS (klass)->dispose = capra_results_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = capra_results_page_finalize;
  properties[PROP_ROWS] = g_param_spec_object ("rows", NULL, NULL, CAPRA_TYPE_RESULTS_ROWS,
                                               G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  failed_signal = g_signal_new ("failed", CAPRA_TYPE_RESULTS_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_STRING);
  bind_template (GTK_WIDGET_CLASS (klass));
}

static void
capra_results_page_init (CapraResultsPage *self)
{
  self->rows = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  self->ids = g_array_new (FALSE, FALSE, sizeof (guint));
  gtk_widget_init_template (GTK_WIDGET (self));
  capra_drop_down_ellipsize (self->step);
  g_signal_connect (self, "map", G_CALLBACK (update_marks), NULL);
  g_signal_connect_after (self, "unmap", G_CALLBACK (update_marks), NULL);
}

GtkWidget *
capra_results_page_new (CapraStepModel *pipeline)
{
  CapraResultsPage *self = g_object_new (CAPRA_TYPE_RESULTS_PAGE, NULL);

  self->pipeline = g_object_ref (pipeline);
  g_signal_connect_object (pipeline, "changed", G_CALLBACK (update_steps), self, G_CONNECT_SWAPPED);
  update_steps (self);
  return GTK_WIDGET (self);
}
