/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Join-texts: attributes with texts, of variable or the same length: programs write both kinds. */
#include "ui/batch/join-texts.h"

#define MAX_COUNT 32
#define MAX_TEXT 256 /* bytes */

/* @count texts of variable length; NULL if they cannot be read. */
static GStrv
read_variable (hid_t attribute, hid_t type, hid_t space, guint count)
{
  g_autofree char **pointers = g_new0 (char *, count);
  GStrv texts = NULL;

  if (H5Aread (attribute, type, pointers) < 0)
    return NULL;
  texts = g_new0 (char *, count + 1);
  for (guint i = 0; i < count; i++)
    texts[i] = g_strdup (pointers[i] ? pointers[i] : "");
  H5Dvlen_reclaim (type, space, H5P_DEFAULT, pointers);
  return texts;
}

/* @count texts of the same length; NULL if they cannot be read. */
static GStrv
read_fixed (hid_t attribute, hid_t type, guint count)
{
  gsize length = H5Tget_size (type);
  g_autofree char *bytes = length < MAX_TEXT ? g_malloc0 (length * count) : NULL;
  GStrv texts = NULL;

  if (!bytes || H5Aread (attribute, type, bytes) < 0)
    return NULL;
  texts = g_new0 (char *, count + 1);
  for (guint i = 0; i < count; i++)
    texts[i] = g_strchomp (g_strndup (bytes + i * length, length)); /* may be filled with spaces */
  return texts;
}

GStrv
capra_join_texts_read (hid_t object, const char *name)
{
  hid_t attribute = H5Aexists (object, name) > 0 ? H5Aopen (object, name, H5P_DEFAULT) : -1, type, space;
  GStrv texts = NULL;
  hssize_t count;

  if (attribute < 0)
    return NULL;
  type = H5Aget_type (attribute);
  space = H5Aget_space (attribute);
  count = H5Sget_simple_extent_npoints (space);
  if (H5Tget_class (type) == H5T_STRING && count > 0 && count < MAX_COUNT)
    texts = H5Tis_variable_str (type) > 0 ? read_variable (attribute, type, space, (guint) count)
                                          : read_fixed (attribute, type, (guint) count);
  H5Sclose (space);
  H5Tclose (type);
  H5Aclose (attribute);
  return texts;
}
