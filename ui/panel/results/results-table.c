/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-table: the table of one step, with the rows that are selected and the columns that are shown. */
#include "ui/panel/results/results-table.h"

#include "ui/panel/results/number-format.h"
#include "ui/panel/results/results-columns.h"
#include "ui/panel/results/results-match.h"

struct _CapraResultsTable {
  GObject parent_instance;
  char *title;
  CapraTable *data;
  GHashTable *formats; /* column -> CapraNumberFormat, of those that were shown since the data changed */
  GtkBitset *selected;
  GHashTable *shown; /* name of a column -> whether it is shown (GINT_TO_POINTER), for those that the user changed */
};

G_DEFINE_FINAL_TYPE (CapraResultsTable, capra_results_table, G_TYPE_OBJECT)

enum { PROP_TITLE = 1, N_PROPERTIES };
enum { CHANGED, SELECTION_CHANGED, SHOWN_CHANGED, N_SIGNALS };

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

const char *
capra_results_table_get_title (CapraResultsTable *table)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_TABLE (table), NULL);
  return table->title;
}

void
capra_results_table_set_title (CapraResultsTable *table, const char *title)
{
  g_return_if_fail (CAPRA_IS_RESULTS_TABLE (table));
  if (g_strcmp0 (table->title, title) == 0)
    return;
  g_free (table->title);
  table->title = g_strdup (title);
  g_object_notify_by_pspec (G_OBJECT (table), properties[PROP_TITLE]);
}

CapraTable *
capra_results_table_get_data (CapraResultsTable *table)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_TABLE (table), NULL);
  return table->data;
}

void
capra_results_table_replace_data (CapraResultsTable *table, CapraTable *data, GtkBitset *selected)
{
  gboolean same_data, same_selection;

  g_return_if_fail (CAPRA_IS_RESULTS_TABLE (table));
  same_data = table->data == data;
  same_selection = gtk_bitset_equals (selected, table->selected);
  if (data)
    capra_table_ref (data);
  g_clear_pointer (&table->data, capra_table_unref);
  table->data = data;
  if (!same_data)
    g_hash_table_remove_all (table->formats);
  gtk_bitset_ref (selected);
  gtk_bitset_unref (table->selected);
  table->selected = selected;
  if (!same_data)
    g_signal_emit (table, signals[CHANGED], 0);
  if (!same_selection)
    g_signal_emit (table, signals[SELECTION_CHANGED], 0);
}

void
capra_results_table_set_data (CapraResultsTable *table, CapraTable *data)
{
  g_autoptr (GtkBitset) selected = NULL;

  g_return_if_fail (CAPRA_IS_RESULTS_TABLE (table));
  selected = capra_results_match (table->data, data, table->selected);
  capra_results_table_replace_data (table, data, selected);
}

guint
capra_results_table_get_rows (CapraResultsTable *table)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_TABLE (table), 0);
  return table->data ? (guint) capra_table_get_rows (table->data) : 0;
}

guint
capra_results_table_get_columns (CapraResultsTable *table)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_TABLE (table), 0);
  return table->data ? capra_table_get_columns (table->data) : 0;
}

double
capra_results_table_get_value (CapraResultsTable *table, guint row, guint column)
{
  return capra_table_get (table->data, row, column);
}

char *
capra_results_table_dup_text (CapraResultsTable *table, guint row, guint column)
{
  CapraNumberFormat *format = g_hash_table_lookup (table->formats, GUINT_TO_POINTER (column));

  if (!format)
    {
      format = g_new (CapraNumberFormat, 1);
      *format = capra_number_format_find (table->data, column);
      g_hash_table_insert (table->formats, GUINT_TO_POINTER (column), format);
    }
  return capra_number_format_print (format, capra_table_get (table->data, row, column));
}

const char *
capra_results_table_get_name (CapraResultsTable *table, guint column)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_TABLE (table) && table->data, NULL);
  return capra_table_get_name (table->data, column);
}

const char *
capra_results_table_get_column_title (CapraResultsTable *table, guint column)
{
  return capra_results_column_get_title (capra_results_table_get_name (table, column));
}

const char *
capra_results_table_get_unit (CapraResultsTable *table, guint column)
{
  return capra_results_column_get_unit (capra_results_table_get_name (table, column));
}

char *
capra_results_table_dup_header (CapraResultsTable *table, guint column)
{
  const char *title = capra_results_table_get_column_title (table, column);
  const char *unit = capra_results_table_get_unit (table, column);

  return *unit ? g_strdup_printf ("%s (%s)", title, unit) : g_strdup (title);
}

char *
capra_results_table_dup_short_header (CapraResultsTable *table, guint column)
{
  return capra_results_column_dup_short_header (capra_results_table_get_name (table, column));
}

int
capra_results_table_find_column (CapraResultsTable *table, const char *name)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_TABLE (table), -1);
  return capra_results_find_column (table->data, name);
}

gboolean
capra_results_table_has_regions (CapraResultsTable *table)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_TABLE (table), FALSE);
  return capra_results_is_of_regions (table->data);
}

gboolean
capra_results_table_is_values (CapraResultsTable *table)
{
  return capra_results_table_get_rows (table) == 1 && !capra_results_table_has_regions (table);
}

int
capra_results_table_find_label (CapraResultsTable *table, double label)
{
  int column = capra_results_table_find_column (table, "label");
  guint rows = capra_results_table_get_rows (table);

  for (guint row = 0; column >= 0 && row < rows; row++)
    if (capra_table_get (table->data, row, (guint) column) == label)
      return (int) row;
  return -1;
}

GtkBitset *
capra_results_table_get_selected (CapraResultsTable *table)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_TABLE (table), NULL);
  return table->selected;
}

void
capra_results_table_set_selected (CapraResultsTable *table, GtkBitset *rows)
{
  g_return_if_fail (CAPRA_IS_RESULTS_TABLE (table));
  if (gtk_bitset_equals (table->selected, rows))
    return;
  gtk_bitset_unref (table->selected);
  table->selected = gtk_bitset_copy (rows);
  g_signal_emit (table, signals[SELECTION_CHANGED], 0);
}

gboolean
capra_results_table_get_shown (CapraResultsTable *table, guint column)
{
  const char *name = capra_results_table_get_name (table, column);
  gpointer shown = NULL;

  if (g_hash_table_lookup_extended (table->shown, name, NULL, &shown))
    return GPOINTER_TO_INT (shown);
  return capra_results_column_is_common (name, capra_results_is_of_regions (table->data));
}

void
capra_results_table_set_shown (CapraResultsTable *table, guint column, gboolean shown)
{
  if (capra_results_table_get_shown (table, column) == !!shown)
    return;
  g_hash_table_insert (table->shown, g_strdup (capra_results_table_get_name (table, column)),
                       GINT_TO_POINTER (!!shown));
  g_signal_emit (table, signals[SHOWN_CHANGED], 0);
}

static void
capra_results_table_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_string (value, CAPRA_RESULTS_TABLE (object)->title);
}

static void
capra_results_table_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  capra_results_table_set_title (CAPRA_RESULTS_TABLE (object), g_value_get_string (value));
}

static void
capra_results_table_finalize (GObject *object)
{
  CapraResultsTable *self = CAPRA_RESULTS_TABLE (object);

  g_free (self->title);
  g_clear_pointer (&self->data, capra_table_unref);
  g_hash_table_unref (self->formats);
  gtk_bitset_unref (self->selected);
  g_hash_table_unref (self->shown);
  G_OBJECT_CLASS (capra_results_table_parent_class)->finalize (object);
}

static void
capra_results_table_class_init (CapraResultsTableClass *klass)
{
  static const char *const names[N_SIGNALS] = { "changed", "selection-changed", "shown-changed" };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = capra_results_table_get_property;
  object_class->set_property = capra_results_table_set_property;
  object_class->finalize = capra_results_table_finalize;
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL,
                                                G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], CAPRA_TYPE_RESULTS_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                               0);
}

static void
capra_results_table_init (CapraResultsTable *self)
{
  self->formats = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->selected = gtk_bitset_new_empty ();
  self->shown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

CapraResultsTable *
capra_results_table_new (const char *title)
{
  return g_object_new (CAPRA_TYPE_RESULTS_TABLE, "title", title, NULL);
}
