/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Table output: writes the tables of operations to the file that CAPRA_TABLES or the graph names. */
#include "plugin/compute/table-output.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The innermost graph around @operation that has data for @key; NULL if none has. */
static GObject *
find_graph (GeglOperation *operation, const char *key)
{
  GeglNode *node = gegl_node_get_parent (operation->node);

  while (node && !g_object_get_data (G_OBJECT (node), key))
    node = gegl_node_get_parent (node);
  return (GObject *) node;
}

/* The number of the operation among those with a table, starting with 1: of the graph that names the file, or of the
 * process. */
static guint
table_number (GeglOperation *operation, GObject *graph)
{
  static gint last = 0;
  GQuark quark = g_quark_from_static_string ("capra-table");
  guint number = GPOINTER_TO_UINT (g_object_get_qdata (G_OBJECT (operation), quark));

  if (number == 0 && graph)
    {
      number = GPOINTER_TO_UINT (g_object_get_qdata (graph, quark)) + 1;
      g_object_set_qdata (graph, quark, GUINT_TO_POINTER (number));
    }
  else if (number == 0)
    number = g_atomic_int_add (&last, 1) + 1;
  g_object_set_qdata (G_OBJECT (operation), quark, GUINT_TO_POINTER (number));
  return number;
}

/* For example "dir/file-2.csv" for the path "dir/file.csv" and number 2. */
static char *
numbered_path (const char *path, guint number)
{
  const char *name = strrchr (path, G_DIR_SEPARATOR);
  const char *dot = strrchr (name ? name : path, '.');
  gsize stem = dot ? (gsize) (dot - path) : strlen (path);

  if (number == 1 || g_str_equal (path, "-"))
    return g_strdup (path);
  return g_strdup_printf ("%.*s-%u%s", (int) stem, path, number, path + stem);
}

/* The nearest operation of Capra upstream that failed; NULL if all succeeded. @visited: operations; several paths may
 * lead to one */
static GeglOperation *
find_failed (GeglOperation *operation, GHashTable *visited)
{
  g_auto (GStrv) pads = operation->node ? gegl_node_list_input_pads (operation->node) : NULL;
  GeglOperation *failed = NULL;

  for (guint i = 0; pads && pads[i] && !failed; i++)
    {
      GeglNode *producer = gegl_node_get_producer (operation->node, pads[i], NULL);
      GeglOperation *upstream = producer ? gegl_node_get_gegl_operation (producer) : NULL;
      GParamSpec *property = upstream ? g_object_class_find_property (G_OBJECT_GET_CLASS (upstream), "failed") : NULL;
      gboolean value = FALSE;

      if (!upstream || !g_hash_table_add (visited, upstream))
        continue;
      if (property && G_IS_PARAM_SPEC_BOOLEAN (property))
        g_object_get (upstream, "failed", &value, NULL);
      failed = value ? upstream : find_failed (upstream, visited);
    }
  return failed;
}

gboolean
capra_table_output_check (GeglOperation *operation, GError **error)
{
  g_autoptr (GHashTable) visited = g_hash_table_new (NULL, NULL);
  GeglOperation *failed = find_failed (operation, visited);

  if (failed)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, _ ("no table was written, because %s failed"),
                 gegl_operation_get_name (failed));
  return !failed;
}

char *
capra_table_output_get_path (GeglOperation *operation)
{
  GObject *graph = find_graph (operation, CAPRA_TABLE_PATH_KEY);
  const char *base = graph ? g_object_get_data (graph, CAPRA_TABLE_PATH_KEY) : g_getenv ("CAPRA_TABLES");

  if (find_graph (operation, CAPRA_TABLE_TEXT_KEY) || !base || !*base)
    return NULL;
  return numbered_path (base, table_number (operation, graph));
}

gboolean
capra_table_output_write (GeglOperation *operation, CapraTable *table, GError **error)
{
  GObject *graph = find_graph (operation, CAPRA_TABLE_TEXT_KEY);
  g_autofree char *path = capra_table_output_get_path (operation);

  if ((graph || path) && !capra_table_output_check (operation, error))
    return FALSE;
  if (find_graph (operation, CAPRA_TABLE_KEEP_KEY))
    g_object_set_data_full (G_OBJECT (operation->node), CAPRA_TABLE_KEPT_KEY, capra_table_ref (table),
                            (GDestroyNotify) capra_table_unref);
  if (graph)
    {
      g_autofree char *text = capra_table_to_text (table);

      g_string_append (g_object_get_data (graph, CAPRA_TABLE_TEXT_KEY), text);
      return TRUE;
    }
  return !path || capra_table_save (table, path, error);
}
