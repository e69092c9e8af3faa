/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Name-pattern: the names of the files that a batch writes. */
#include "ui/batch/name-pattern.h"

#include <string.h>

gboolean
capra_name_pattern_varies (const char *pattern)
{
  return strstr (pattern, CAPRA_NAME_INPUT) || strstr (pattern, CAPRA_NAME_NUMBER) || strstr (pattern, CAPRA_NAME_FRAME)
         || strstr (pattern, CAPRA_NAME_VALUE);
}

char *
capra_name_split (const char *path, char **suffix)
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
capra_name_pattern_expand (const char *pattern, const CapraNameValues *values)
{
  g_autoptr (GString) text = g_string_new (pattern);
  g_autofree char *suffix = NULL;
  g_autofree char *name = values->input ? capra_name_split (values->input, &suffix) : g_strdup ("image");
  g_autofree char *digits = format_number (values->number + 1, values->items);
  g_autofree char *frame = format_number (values->frame, values->frames > 0 ? values->frames - 1 : 0);
  g_autofree char *value = format_number (values->value, values->values);

  /* Before the name, which may contain a pattern. */
  g_string_replace (text, CAPRA_NAME_NUMBER, digits, 0);
  g_string_replace (text, CAPRA_NAME_FRAME, frame, 0);
  g_string_replace (text, CAPRA_NAME_VALUE, value, 0);
  g_string_replace (text, CAPRA_NAME_INPUT, name, 0);
  return g_strdup (text->str);
}
