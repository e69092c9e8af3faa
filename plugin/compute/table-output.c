/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tables: where the numbers that operations find are written to. */
#include "plugin/compute/table-output.h"

#include <string.h>

/* Which operation with a table this is, from 1 on. */
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

/* "dir/file.csv" becomes "dir/file-2.csv" for the second table. */
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
  const char *wish = g_getenv ("CAPRA_TABLES");
  g_autofree char *path = NULL;

  if (!wish || !*wish)
    return TRUE;
  path = numbered_path (wish, table_number (operation));
  return capra_table_save (table, path, error);
}
