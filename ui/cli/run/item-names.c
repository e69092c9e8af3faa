/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Item-names: the files that a batch writes, from a pattern. */
#include "ui/cli/run/items.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "ui/pipeline/read/frames.h"

/* From 0 to the number of frames less 1, and from 1 to the numbers of items and values. */
#define NAME "{name}"
#define NUMBER "{n}"
#define FRAME "{frame}"
#define VALUE "{value}"

gboolean
run_items_pattern_varies (const char *pattern)
{
  return strstr (pattern, NAME) || strstr (pattern, NUMBER) || strstr (pattern, FRAME) || strstr (pattern, VALUE);
}

/* "frames/a.b.png": "a.b" and "png". */
static char *
split_name (const char *path, char **suffix)
{
  char *name = g_path_get_basename (path);
  char *dot = strrchr (name, '.');

  *suffix = dot && dot > name ? g_ascii_strdown (dot + 1, -1) : NULL;
  if (*suffix)
    *dot = '\0';
  return name;
}

/* With as many digits as @largest has. */
static char *
format_number (guint64 number, guint64 largest)
{
  g_autofree char *whole = g_strdup_printf ("%" G_GUINT64_FORMAT, largest);

  return g_strdup_printf ("%0*" G_GUINT64_FORMAT, (int) strlen (whole), number);
}

char *
run_item_expand (const char *pattern, const RunItem *item, guint number, guint items, guint values)
{
  g_autoptr (GString) text = g_string_new (pattern);
  g_autofree char *suffix = NULL;
  g_autofree char *name = item->input ? split_name (item->input, &suffix) : g_strdup ("image");
  g_autofree char *digits = format_number ((guint64) number + 1, items);
  g_autofree char *frame = format_number ((guint64) MAX (item->frame, 0), (guint64) MAX (item->frames - 1, 0));
  g_autofree char *value = format_number ((guint64) (item->value + 1), values);

  /* Before the name, which may contain a pattern. */
  g_string_replace (text, NUMBER, digits, 0);
  g_string_replace (text, FRAME, frame, 0);
  g_string_replace (text, VALUE, value, 0);
  g_string_replace (text, NAME, name, 0);
  return g_strdup (text->str);
}

/* The ending of results of an image whose format cannot be written. Numbers keep their range. */
static const char *
choose_suffix (const char *input, const char *const *suffixes)
{
  return input && capra_frames_has (input) ? "tif" : suffixes[0];
}

/* The name of the item in the folder @output. */
static char *
name_in_folder (const char *output, const RunItem *item, guint values, const char *const *suffixes)
{
  g_autofree char *suffix = NULL, *expanded = NULL;
  g_autofree char *name = split_name (item->input ? item->input : "image.png", &suffix);
  const char *last = suffix && g_strv_contains (suffixes, suffix) ? suffix : choose_suffix (item->input, suffixes);
  g_autofree char *pattern = g_strdup_printf (NAME "%s%s.%s", item->frame >= 0 ? "-" FRAME : "",
                                              item->value >= 0 ? "-" VALUE : "", last);

  expanded = run_item_expand (pattern, item, 0, 1, values);
  return g_build_filename (output, expanded, NULL);
}

gboolean
run_items_set_outputs (GArray *items, const char *output, guint values, const char *const *suffixes, GError **error)
{
  gboolean folder = g_str_has_suffix (output, G_DIR_SEPARATOR_S) || g_file_test (output, G_FILE_TEST_IS_DIR);
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);

  if (folder && g_mkdir_with_parents (output, 0777) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "cannot create the folder \"%s\": %s", output,
                   g_strerror (errno));
      return FALSE;
    }
  for (guint i = 0; i < items->len; i++)
    {
      RunItem *item = &g_array_index (items, RunItem, i);

      item->output = folder ? name_in_folder (output, item, values, suffixes)
                            : run_item_expand (output, item, i, items->len, values);
      if (g_hash_table_add (taken, item->output))
        continue;
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "%s would be written more than once; name a folder, or use " NAME ", " NUMBER ", " FRAME
                   " (the frame) or " VALUE " (the number of the value) in the name of the output",
                   item->output);
      return FALSE;
    }
  return TRUE;
}
