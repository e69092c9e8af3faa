/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Kernel sources come from the library's own resources (G_RESOURCE_OVERLAYS can swap them). `#include "x"` is resolved
 * there by the file's name alone, so that headers shared with C may include others by their path. */
#include "runtime/launch/program-source.h"

#include <string.h>

#include "runtime/base/resource.h"

static gboolean
append_file (GString *source, const char *file, GHashTable *seen, GError **error)
{
  g_autofree char *path = g_strconcat ("/capra/kernels/", file, NULL);
  g_autoptr (GBytes) bytes = capra_resource_lookup (path, error);
  g_auto (GStrv) lines = NULL;
  g_autofree char *text = NULL;

  if (!bytes)
    return FALSE;
  g_hash_table_add (seen, g_strdup (file));

  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  lines = g_strsplit (text, "\n", -1);
  g_string_append_printf (source, "#line 1 \"%s\"\n", file);
  for (guint i = 0; lines[i]; i++)
    {
      if (g_str_has_prefix (lines[i], "#include \""))
        {
          g_auto (GStrv) parts = g_strsplit (lines[i], "\"", 3);
          g_autofree char *name = g_path_get_basename (parts[1]);

          if (!g_hash_table_contains (seen, name) && !append_file (source, name, seen, error))
            return FALSE;
          g_string_append_printf (source, "#line %u \"%s\"\n", i + 2, file);
        }
      else
        g_string_append_printf (source, "%s\n", lines[i]);
    }
  return TRUE;
}

char *
capra_program_source (const char *file, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GString *source = g_string_new (NULL);
  gboolean whole = append_file (source, file, seen, error);

  return g_string_free (source, !whole);
}
