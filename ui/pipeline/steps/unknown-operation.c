/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unknown-operation: what to say of an operation that GEGL does not have. */
#include "ui/pipeline/steps/unknown-operation.h"

#include <gegl.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/steps/step.h"

/* Levenshtein's distance: the letters to insert, remove and replace. */
static guint
get_distance (const char *a, const char *b)
{
  guint columns = (guint) strlen (b);
  g_autofree guint *row = g_new (guint, columns + 1);

  for (guint x = 0; x <= columns; x++)
    row[x] = x;
  for (guint y = 1; a[y - 1]; y++)
    {
      guint corner = row[0];

      row[0] = y;
      for (guint x = 1; x <= columns; x++)
        {
          guint replaced = corner + (a[y - 1] != b[x - 1]);

          corner = row[x];
          row[x] = MIN (MIN (row[x] + 1, row[x - 1] + 1), replaced);
        }
    }
  return row[columns];
}

/* (nullable): one of @names that is similar to @name, or contains it. */
static const char *
find_similar (char **names, guint count, const char *name)
{
  guint least = MAX (2, (guint) strlen (name) / 4) + 1;
  const char *found = NULL, *containing = NULL;

  for (guint i = 0; i < count; i++)
    {
      guint distance = capra_operation_is_known (names[i]) ? get_distance (name, names[i]) : G_MAXUINT;

      if (distance < least)
        {
          least = distance;
          found = names[i];
        }
      if (!containing && strstr (names[i], name))
        containing = names[i];
    }
  return found ? found : containing;
}

char *
capra_operation_describe_unknown (const char *operation)
{
  guint count;
  g_autofree char **names = gegl_list_operations (&count); /* GEGL owns the strings */
  const char *similar = *operation ? find_similar (names, count, operation) : NULL;

  if (similar)
    return g_strdup_printf (_ ("Unknown operation \"%s\"; did you mean \"%s\"?"), operation, similar);
  return g_strdup_printf (_ ("Unknown operation \"%s\": it is misspelt, or its plug-in is not installed"), operation);
}

char *
capra_operation_list_properties (const char *operation)
{
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (operation, &count);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < count; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", list[i]->name);
  return g_string_free (text, FALSE);
}
