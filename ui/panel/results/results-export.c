/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-export: buttons that copy and save a table. */
#include "ui/panel/results/results-export.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/resources.h"
#include "ui/panel/widgets/table-export.h"
#include "ui/panel/widgets/toast.h"

struct _CapraResultsExport {
  GtkBox parent_instance;
  CapraResultsRows *rows;
  CapraImageView *view;
};

G_DEFINE_FINAL_TYPE (CapraResultsExport, capra_results_export, GTK_TYPE_BOX)

enum { PROP_ROWS = 1, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];
static guint failed_signal;

/* (transfer full): the numbers of the columns that are shown. */
static GArray *
list_columns (CapraResultsTable *table)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint column = 0; column < capra_results_table_get_columns (table); column++)
    if (capra_results_table_get_shown (table, column))
      g_array_append_val (columns, column);
  return columns;
}

static CapraTable *
make_table (CapraResultsTable *table, GArray *columns)
{
  g_autofree const char **names = g_new0 (const char *, columns->len + 1);

  for (guint i = 0; i < columns->len; i++)
    names[i] = capra_results_table_get_name (table, g_array_index (columns, guint, i));
  return capra_table_new (names);
}

CapraTable *
capra_results_export_get_shown (CapraResultsRows *rows)
{
  CapraResultsTable *table = capra_results_rows_get_table (rows);
  GtkBitset *selected = capra_results_table_get_selected (table);
  gboolean all = gtk_bitset_is_empty (selected);
  g_autoptr (GArray) columns = list_columns (table);
  g_autofree double *values = g_new (double, columns->len);
  CapraTable *shown;

  if (columns->len == 0)
    return NULL;
  shown = make_table (table, columns);
  for (guint position = 0; position < g_list_model_get_n_items (G_LIST_MODEL (rows)); position++)
    {
      guint row = capra_results_rows_get_row (rows, position);

      if (!all && !gtk_bitset_contains (selected, row))
        continue;
      for (guint i = 0; i < columns->len; i++)
        values[i] = capra_results_table_get_value (table, row, g_array_index (columns, guint, i));
      capra_table_add_row (shown, values);
    }
  return shown;
}

/* The title is such as "2. Statistics (Capra)". */
char *
capra_results_export_describe (CapraResultsTable *table)
{
  const char *title = capra_results_table_get_title (table);
  const char *number = strstr (title, ". "), *start = number ? number + 2 : title, *end = strstr (start, " (");
  g_autofree char *name = g_strndup (start, end ? (gsize) (end - start) : strlen (start));
  g_autofree char *lower = g_utf8_strdown (name, -1);

  if (capra_results_table_has_regions (table))
    return g_strdup ("regions");
  return g_strdelimit (g_steal_pointer (&lower), " /", '-');
}

static void
report_failure (GtkWidget *widget, const char *message)
{
  g_signal_emit (widget, failed_signal, 0, message);
}

/* (transfer full) (nullable) */
static CapraTable *
get_shown (CapraResultsExport *self)
{
  CapraTable *table = self->rows ? capra_results_export_get_shown (self->rows) : NULL;

  if (!table)
    capra_toast_show (GTK_WIDGET (self), _ ("No column is shown"));
  return table;
}

static void
on_copy (CapraResultsExport *self)
{
  g_autoptr (CapraTable) table = get_shown (self);

  if (table)
    capra_table_export_copy (GTK_WIDGET (self), table);
}

static void
on_save (CapraResultsExport *self)
{
  g_autoptr (CapraTable) table = get_shown (self);
  CapraTable *all = table ? capra_results_table_get_data (capra_results_rows_get_table (self->rows)) : NULL;

  if (table)
    {
      GFile *source = self->view ? capra_image_view_get_file (self->view) : NULL;
      g_autofree char *what = capra_results_export_describe (capra_results_rows_get_table (self->rows));

      capra_table_export_save (GTK_WIDGET (self), table, all, source, what, report_failure);
    }
}

void
capra_results_export_set_view (CapraResultsExport *self, CapraImageView *view)
{
  g_return_if_fail (CAPRA_IS_RESULTS_EXPORT (self) && !self->view);
  self->view = g_object_ref (view);
}

static void
capra_results_export_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROP_ROWS)
    g_value_set_object (value, CAPRA_RESULTS_EXPORT (object)->rows);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_results_export_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraResultsExport *self = CAPRA_RESULTS_EXPORT (object);

  if (id != PROP_ROWS)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
      return;
    }
  g_set_object (&self->rows, g_value_get_object (value));
  gtk_widget_set_sensitive (GTK_WIDGET (self), self->rows != NULL);
}

static void
capra_results_export_dispose (GObject *object)
{
  g_clear_object (&CAPRA_RESULTS_EXPORT (object)->rows);
  g_clear_object (&CAPRA_RESULTS_EXPORT (object)->view);
  G_OBJECT_CLASS (capra_results_export_parent_class)->dispose (object);
}

static void
capra_results_export_class_init (CapraResultsExportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = capra_results_export_dispose;
  object_class->get_property = capra_results_export_get_property;
  object_class->set_property = capra_results_export_set_property;
  properties[PROP_ROWS] = g_param_spec_object ("rows", NULL, NULL, CAPRA_TYPE_RESULTS_ROWS,
                                               G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  failed_signal = g_signal_new ("failed", CAPRA_TYPE_RESULTS_EXPORT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "results-export.ui");
  gtk_widget_class_bind_template_callback (widget_class, on_copy);
  gtk_widget_class_bind_template_callback (widget_class, on_save);
}

static void
capra_results_export_init (CapraResultsExport *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
