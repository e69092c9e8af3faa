/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-status: how many rows a table has, and how old its numbers are. */
#include "ui/panel/results/results-status.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/resources.h"

#define AGE_STEP 1 /* seconds between two updates of the age */

struct _CapraResultsStatus {
  GtkBox parent_instance;
  GtkLabel *summary, *age;
  GtkSpinner *spinner;
  CapraResultsRows *rows;
  CapraPreview *preview;
  guint timer; /* updates the age */
};

G_DEFINE_FINAL_TYPE (CapraResultsStatus, capra_results_status, GTK_TYPE_BOX)

enum { PROP_ROWS = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

static void
update_summary (CapraResultsStatus *self)
{
  CapraResultsTable *table = self->rows ? capra_results_rows_get_table (self->rows) : NULL;
  guint shown = self->rows ? g_list_model_get_n_items (G_LIST_MODEL (self->rows)) : 0, all = 0, selected = 0;
  g_autoptr (GString) text = g_string_new (NULL);

  if (!table || !capra_results_table_get_data (table) || capra_results_table_is_values (table))
    {
      gtk_label_set_text (self->summary, "");
      return;
    }
  all = capra_results_table_get_rows (table);
  selected = (guint) gtk_bitset_get_size (capra_results_table_get_selected (table));
  if (capra_results_table_has_regions (table))
    g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "%u region", "%u regions", all), all);
  else
    g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "%u row", "%u rows", all), all);
  if (shown < all)
    g_string_append_printf (text, _ (", %u shown"), shown);
  if (selected > 0)
    g_string_append_printf (text, _ (", %u selected"), selected);
  gtk_label_set_text (self->summary, text->str);
}

static gboolean on_timer (gpointer data);

/* How old the numbers are, if newer ones are being computed. */
static void
update_age (CapraResultsStatus *self)
{
  gboolean current = TRUE;
  gint64 time = 0;
  g_autoptr (GPtrArray) tables = self->preview ? capra_preview_get_tables (self->preview, &current, &time) : NULL;
  g_autofree char *text = NULL;

  gtk_spinner_set_spinning (self->spinner, !current);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), !current);
  if (!current && time > 0)
    text = g_strdup_printf (_ ("%.0f s old"), (double) (g_get_monotonic_time () - time) / G_TIME_SPAN_SECOND);
  gtk_label_set_text (self->age, text ? text : "");
  if (current)
    g_clear_handle_id (&self->timer, g_source_remove);
  else if (!self->timer)
    self->timer = g_timeout_add_seconds (AGE_STEP, on_timer, self);
}

static gboolean
on_timer (gpointer data)
{
  update_age (data);
  return G_SOURCE_CONTINUE;
}

void
capra_results_status_set_preview (CapraResultsStatus *status, CapraPreview *preview)
{
  g_return_if_fail (CAPRA_IS_RESULTS_STATUS (status));
  if (status->preview)
    g_signal_handlers_disconnect_by_data (status->preview, status);
  g_set_object (&status->preview, preview);
  if (preview)
    {
      g_signal_connect_swapped (preview, "tables", G_CALLBACK (update_age), status);
      g_signal_connect_swapped (preview, "status", G_CALLBACK (update_age), status);
    }
  update_age (status);
}

static void
set_rows (CapraResultsStatus *self, CapraResultsRows *rows)
{
  if (self->rows)
    {
      g_signal_handlers_disconnect_by_data (capra_results_rows_get_table (self->rows), self);
      g_signal_handlers_disconnect_by_data (self->rows, self);
    }
  g_set_object (&self->rows, rows);
  if (rows)
    {
      CapraResultsTable *table = capra_results_rows_get_table (rows);

      g_signal_connect_swapped (rows, "changed", G_CALLBACK (update_summary), self);
      g_signal_connect_swapped (table, "changed", G_CALLBACK (update_summary), self);
      g_signal_connect_swapped (table, "selection-changed", G_CALLBACK (update_summary), self);
    }
  update_summary (self);
}

static void
capra_results_status_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_object (value, CAPRA_RESULTS_STATUS (object)->rows);
}

static void
capra_results_status_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  set_rows (CAPRA_RESULTS_STATUS (object), g_value_get_object (value));
}

static void
capra_results_status_dispose (GObject *object)
{
  CapraResultsStatus *self = CAPRA_RESULTS_STATUS (object);

  capra_results_status_set_preview (self, NULL);
  set_rows (self, NULL);
  g_clear_handle_id (&self->timer, g_source_remove);
  G_OBJECT_CLASS (capra_results_status_parent_class)->dispose (object);
}

static void
capra_results_status_class_init (CapraResultsStatusClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->get_property = capra_results_status_get_property;
  G_OBJECT_CLASS (klass)->set_property = capra_results_status_set_property;
  G_OBJECT_CLASS (klass)->dispose = capra_results_status_dispose;
  properties[PROP_ROWS] = g_param_spec_object ("rows", NULL, NULL, CAPRA_TYPE_RESULTS_ROWS,
                                               G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "results-status.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraResultsStatus, summary);
  gtk_widget_class_bind_template_child (widget_class, CapraResultsStatus, age);
  gtk_widget_class_bind_template_child (widget_class, CapraResultsStatus, spinner);
}

static void
capra_results_status_init (CapraResultsStatus *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
