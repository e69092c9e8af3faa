/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Presets: saved pipelines, each an XML file in the user's data folder. */
#include "ui/panel/steps/presets.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "runtime/base/write-text.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/regular-file.h"

#define SUFFIX ".xml"

static char *
get_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "capra", "presets", NULL);
}

/* Names can contain any character; those that are not valid in file names are escaped. */
static char *
get_path (const char *name)
{
  g_autofree char *folder = get_folder ();
  g_autofree char *escaped = g_uri_escape_string (name, " ", TRUE);
  g_autofree char *file = g_strconcat (escaped, SUFFIX, NULL);

  return g_build_filename (folder, file, NULL);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return g_utf8_collate (*(const char *const *) a, *(const char *const *) b);
}

GStrv
capra_presets_list (void)
{
  g_autofree char *path = get_folder ();
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const char *file;

  while (folder && (file = g_dir_read_name (folder)))
    if (g_str_has_suffix (file, SUFFIX))
      {
        g_autofree char *escaped = g_strndup (file, strlen (file) - strlen (SUFFIX));
        char *name = g_uri_unescape_string (escaped, NULL);

        if (name)
          g_ptr_array_add (names, name);
      }
  g_ptr_array_sort (names, compare);
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

GPtrArray *
capra_presets_load (const char *name, GError **error)
{
  g_autofree char *path = get_path (name);
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;
  GPtrArray *steps = NULL;

  text = capra_read_file (path, CAPRA_MAX_GRAPH_BYTES, NULL, &local);
  if (text)
    steps = capra_steps_from_xml (text, &local);
  if (!steps)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("Cannot load the preset “%s”: %s"), name,
                 local->message);
  return steps;
}

gboolean
capra_presets_save (const char *name, GPtrArray *steps, GError **error)
{
  g_autofree char *folder = get_folder ();
  g_autofree char *path = get_path (name);
  g_autofree char *text = capra_steps_to_xml (steps);

  g_mkdir_with_parents (folder, 0755);
  return capra_write_text (path, text, error);
}

gboolean
capra_presets_remove (const char *name, GError **error)
{
  g_autofree char *path = get_path (name);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return g_file_delete (file, NULL, error);
}
