/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Table output: writes the tables of operations to the file that CAPRA_TABLES names. */
#include "plugin/compute/table-output.h"

#include <string.h>

/* The number of the operation among those with a table, starting with 1. */
static guint
table_number (GeglOperation *operation)
{
  static gint last = 0;
  GQuark quark = g_quark_from_static_string ("capra-table");
  guint number = GPOINTER_TO_UINT (g_object_get_qdata (G_OBJECT (operation), quark));

  if (number == 0)
    {
      number = g_atomic_int_add (&last, 1) + 1;
      g_object_set_qdata (G_OBJECT (operation), quark, GUINT_TO_POINTER (number));
    }
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

gboolean
capra_table_output_write (GeglOperation *operation, const CapraTable *table, GError **error)
{
  const char *base = g_getenv ("CAPRA_TABLES");
  g_autofree char *path = NULL;

  if (!base || !*base)
    return TRUE;
  path = numbered_path (base, table_number (operation));
  return capra_table_save (table, path, error);
}
