/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses outputs that would overwrite an input. */
#include "ui/cli/overwrite-check.h"

#include <glib/gstdio.h>

/* Device and inode, since links give one file several names; NULL if the file does not exist. */
static char *
identify (const char *path)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                                                        (guint64) status.st_dev, (guint64) status.st_ino)
                                     : NULL;
}

gboolean
overwrite_check (GPtrArray *read, char **written, const char *remedy, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < read->len; i++)
    {
      char *identity = identify (read->pdata[i]);

      if (identity)
        g_hash_table_add (known, identity);
    }
  for (guint i = 0; written && written[i]; i++)
    {
      g_autofree char *identity = identify (written[i]);

      if (!identity || !g_hash_table_contains (known, identity))
        continue;
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "%s is an input and would be overwritten; choose another name%s", written[i], remedy);
      return FALSE;
    }
  return TRUE;
}

gboolean
overwrite_check_twice (char **written, const char *remedy, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; written && written[i]; i++)
    {
      if (g_hash_table_add (names, g_canonicalize_filename (written[i], NULL)))
        continue;
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "%s would be written more than once; use different names%s", written[i], remedy);
      return FALSE;
    }
  return TRUE;
}
