/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Presets: pipelines that a person keeps, one key file each in the user's data folder. */
#include "presets.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "pipeline-text.h"

#define SUFFIX ".preset"
#define HEAD "preset"

static char *
get_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "capra", "presets", NULL);
}

/* A name may hold any character, a file's name not. */
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
  g_autoptr(GDir) folder = g_dir_open (path, 0, NULL);
  g_autoptr(GPtrArray) names = g_ptr_array_new ();
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

static CapraStep *
read_step (GKeyFile *keys, const char *group, GError **error)
{
  g_autofree char *operation = g_key_file_get_string (keys, group, "operation", error);
  g_autofree char *enabled = g_key_file_get_string (keys, group, "enabled", NULL);
  g_auto(GStrv) names = operation ? g_key_file_get_keys (keys, group, NULL, error) : NULL;
  g_autoptr(CapraStep) step = NULL;

  if (!names)
    return NULL;
  if (!gegl_has_operation (operation))
    {
      g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_OPERATION,
                   _("There is no operation “%s” here"), operation);
      return NULL;
    }
  step = capra_step_new (operation);
  capra_step_set_enabled (step, g_strcmp0 (enabled, "false") != 0);
  for (guint i = 0; names[i]; i++)
    {
      g_autofree char *text = g_key_file_get_string (keys, group, names[i], error);
      GParamSpec *property = capra_operation_find_property (operation, names[i]);
      g_auto(GValue) value = G_VALUE_INIT;

      if (!text)
        return NULL;
      if (strcmp (names[i], "operation") == 0 || strcmp (names[i], "enabled") == 0 || !property)
        continue;
      if (!capra_value_from_text (property, text, &value, error))
        return NULL;
      capra_step_set (step, property, &value);
    }
  return g_steal_pointer (&step);
}

static GPtrArray *
read_steps (GKeyFile *keys, GError **error)
{
  g_autoptr(GPtrArray) steps = g_ptr_array_new_with_free_func (g_object_unref);
  int count = g_key_file_get_integer (keys, HEAD, "steps", error);

  if (*error)
    return NULL;
  for (int i = 1; i <= count && i <= 1000; i++)
    {
      g_autofree char *group = g_strdup_printf ("step %d", i);
      CapraStep *step = read_step (keys, group, error);

      if (!step)
        return NULL;
      g_ptr_array_add (steps, step);
    }
  return g_steal_pointer (&steps);
}

GPtrArray *
capra_presets_load (const char *name, GError **error)
{
  g_autofree char *path = get_path (name);
  g_autoptr(GKeyFile) keys = g_key_file_new ();
  g_autoptr(GError) local = NULL;
  GPtrArray *steps = NULL;

  if (g_key_file_load_from_file (keys, path, G_KEY_FILE_NONE, &local))
    steps = read_steps (keys, &local);
  if (!steps)
    g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_FILE,
                 _("The preset “%s” cannot be used: %s"), name, local->message);
  return steps;
}

static void
write_step (GKeyFile *keys, const char *group, CapraStep *step)
{
  const char *operation = capra_step_get_operation (step);
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (operation, &count);

  g_key_file_set_string (keys, group, "operation", operation);
  if (!capra_step_get_enabled (step))
    g_key_file_set_string (keys, group, "enabled", "false");
  for (guint i = 0; i < count; i++)
    if (!capra_step_is_default (step, list[i]))
      {
        g_auto(GValue) value = G_VALUE_INIT;
        g_autofree char *text = NULL;

        capra_step_get (step, list[i], &value);
        text = capra_value_to_text (&value);
        if (text)
          g_key_file_set_string (keys, group, list[i]->name, text);
      }
}

gboolean
capra_presets_save (const char *name, GPtrArray *steps, GError **error)
{
  g_autofree char *folder = get_folder ();
  g_autofree char *path = get_path (name);
  g_autoptr(GKeyFile) keys = g_key_file_new ();

  g_key_file_set_integer (keys, HEAD, "steps", (int) steps->len);
  for (guint i = 0; i < steps->len; i++)
    {
      g_autofree char *group = g_strdup_printf ("step %u", i + 1);

      write_step (keys, group, steps->pdata[i]);
    }
  g_mkdir_with_parents (folder, 0755);
  return g_key_file_save_to_file (keys, path, error);
}

gboolean
capra_presets_remove (const char *name, GError **error)
{
  g_autofree char *path = get_path (name);
  g_autoptr(GFile) file = g_file_new_for_path (path);

  return g_file_delete (file, NULL, error);
}
