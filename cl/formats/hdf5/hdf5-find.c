/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5: finds data sets with images, by name or by the attributes of NeXus (https://manual.nexusformat.org). */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "formats/hdf5/hdf5-private.h"

#define MAX_DEPTH 8
#define MAX_TEXT 4096
#define MAX_FILES 1000000
#define MAX_LISTED 5

/* (nullable): the text of a string attribute of @object. */
static char *
read_attribute (hid_t object, const char *name)
{
  hid_t attribute = H5Aexists (object, name) > 0 ? H5Aopen (object, name, H5P_DEFAULT) : -1, type, space, memory;
  char *text = NULL, *variable = NULL;

  if (attribute < 0)
    return NULL;
  type = H5Aget_type (attribute);
  space = H5Aget_space (attribute);
  memory = H5Tcopy (H5T_C_S1);
  H5Tset_cset (memory, H5Tget_cset (type));
  if (H5Tget_class (type) == H5T_STRING && H5Sget_simple_extent_npoints (space) == 1)
    {
      if (H5Tis_variable_str (type) > 0)
        {
          H5Tset_size (memory, H5T_VARIABLE);
          if (H5Aread (attribute, memory, &variable) >= 0 && variable)
            text = g_strndup (variable, MAX_TEXT);
          if (variable)
            H5free_memory (variable);
        }
      else if (H5Tget_size (type) <= MAX_TEXT)
        {
          text = g_malloc0 (H5Tget_size (type) + 1);
          H5Tset_size (memory, H5Tget_size (type) + 1);
          if (H5Aread (attribute, memory, text) < 0)
            g_clear_pointer (&text, g_free);
        }
    }
  H5Tclose (memory);
  H5Sclose (space);
  H5Tclose (type);
  H5Aclose (attribute);
  return text;
}

static char *
join (const char *group, const char *name)
{
  return *name == '/' ? g_strdup (name) : g_strconcat (g_str_equal (group, "/") ? "" : group, "/", name, NULL);
}

/* Whether every link of @name exists; an external link counts if it names an object. */
static gboolean
is_type (hid_t file, const char *name, H5I_type_t wanted)
{
  hid_t object = H5Oopen (file, name, H5P_DEFAULT);
  gboolean found = object >= 0 && H5Iget_type (object) == wanted;

  if (object >= 0)
    H5Oclose (object);
  return found;
}

static gboolean
is_numbered (const char *name)
{
  return g_str_has_prefix (name, "data_") && strlen (name) >= 6 && strspn (name + 5, "0123456789") == strlen (name + 5);
}

/* Appends data_000001 and all that follow it in the group at @path, if it has any. */
static gboolean
find_numbered (hid_t file, const char *path, GPtrArray *names)
{
  hid_t group = H5Gopen2 (file, path, H5P_DEFAULT);
  guint before = names->len;

  for (guint number = 0; group >= 0 && number < MAX_FILES; number++)
    {
      g_autofree char *name = g_strdup_printf ("data_%06u", number);

      if (H5Lexists (group, name, H5P_DEFAULT) > 0)
        g_ptr_array_add (names, join (path, name));
      else if (number > 0)
        break;
    }
  if (group >= 0)
    H5Gclose (group);
  return names->len > before;
}

static gboolean find_in_group (hid_t file, const char *path, guint depth, GPtrArray *names);

/* Follows an attribute of the group at @path that names a member. */
static gboolean
follow (hid_t file, const char *path, const char *attribute, guint depth, GPtrArray *names)
{
  hid_t group = H5Gopen2 (file, path, H5P_DEFAULT);
  g_autofree char *member = group >= 0 ? read_attribute (group, attribute) : NULL;
  g_autofree char *whole = member && *member ? join (path, member) : NULL;

  if (group >= 0)
    H5Gclose (group);
  if (!whole)
    return FALSE;
  if (is_numbered (member) && find_numbered (file, path, names))
    return TRUE;
  if (!is_type (file, whole, H5I_DATASET))
    return find_in_group (file, whole, depth + 1, names);
  g_ptr_array_add (names, g_steal_pointer (&whole));
  return TRUE;
}

/* The arguments of the functions that visit members. */
typedef struct {
  const char *path, *nx_class;
  GPtrArray *found;
} Visit;

static herr_t
visit_member (hid_t group, const char *name, const H5L_info_t *info, void *data)
{
  Visit *visit = data;
  hid_t object = H5Oopen (group, name, H5P_DEFAULT);
  g_autofree char *value = NULL;

  if (object < 0)
    return 0;
  value = H5Iget_type (object) == H5I_GROUP ? read_attribute (object, "NX_class") : NULL;
  if (visit->nx_class ? g_strcmp0 (value, visit->nx_class) == 0
                      : H5Iget_type (object) == H5I_DATASET && H5Aexists (object, "signal") > 0)
    g_ptr_array_add (visit->found, join (visit->path, name));
  H5Oclose (object);
  return 0;
}

/* The members of the group at @path with that class, or the data sets with the attribute "signal" if it is NULL. */
static GPtrArray *
list_members (hid_t file, const char *path, const char *nx_class)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  Visit visit = { path, nx_class, found };
  hid_t group = H5Gopen2 (file, path, H5P_DEFAULT);

  if (group < 0)
    return found;
  H5Literate (group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_member, &visit);
  H5Gclose (group);
  return found;
}

/* Searches the group at @path: numbered data sets, attributes, and groups by their class. */
static gboolean
find_in_group (hid_t file, const char *path, guint depth, GPtrArray *names)
{
  static const char *const classes[] = { "NXentry", "NXdata", "NXinstrument", "NXdetector" };
  g_autoptr (GPtrArray) signals = NULL;

  if (depth > MAX_DEPTH || !is_type (file, path, H5I_GROUP))
    return FALSE;
  if (follow (file, path, "default", depth, names) || follow (file, path, "signal", depth, names)
      || find_numbered (file, path, names))
    return TRUE;
  signals = list_members (file, path, NULL);
  if (signals->len > 0)
    {
      g_ptr_array_add (names, g_strdup (signals->pdata[0]));
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    {
      g_autoptr (GPtrArray) groups = list_members (file, path, classes[i]);

      for (guint k = 0; k < groups->len; k++)
        if (find_in_group (file, groups->pdata[k], depth + 1, names))
          return TRUE;
    }
  return FALSE;
}

/* Collects data sets of numbers with at least two axes, which are larger than one pixel. */
static herr_t
visit_dataset (hid_t group, const char *name, const H5O_info_t *info, void *data)
{
  Visit *visit = data;
  hid_t dataset = info->type == H5O_TYPE_DATASET ? H5Dopen2 (group, name, H5P_DEFAULT) : -1, space, type;

  if (dataset < 0)
    return 0;
  space = H5Dget_space (dataset);
  type = H5Dget_type (dataset);
  if (H5Sget_simple_extent_ndims (space) >= 2 && H5Sget_simple_extent_npoints (space) > 1
      && (H5Tget_class (type) == H5T_INTEGER || H5Tget_class (type) == H5T_FLOAT))
    g_ptr_array_add (visit->found, join (visit->path, name));
  H5Tclose (type);
  H5Sclose (space);
  H5Dclose (dataset);
  return 0;
}

/* The data sets with images in the group at @root. */
static GPtrArray *
list_datasets (hid_t file, const char *root)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  Visit visit = { root, NULL, found };
  hid_t group = H5Gopen2 (file, root, H5P_DEFAULT);

  if (group >= 0)
    {
      H5Ovisit (group, H5_INDEX_NAME, H5_ITER_NATIVE, visit_dataset, &visit);
      H5Gclose (group);
    }
  return found;
}

/* The only data set with images in the group at @root, else an error that lists some. */
static gboolean
find_only (hid_t file, const char *path, const char *root, GPtrArray *names, GError **error)
{
  g_autoptr (GPtrArray) found = list_datasets (file, root);
  g_autoptr (GString) list = g_string_new (NULL);

  if (found->len == 1)
    {
      g_ptr_array_add (names, g_strdup (found->pdata[0]));
      return TRUE;
    }
  for (guint i = 0; i < MIN (found->len, MAX_LISTED); i++)
    g_string_append_printf (list, "%s%s", i ? ", " : "", (char *) found->pdata[i]);
  if (found->len == 0)
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_NOT_FOUND, _ ("%s has no data set with images in %s"),
                 path, root);
  else
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_NOT_FOUND,
                 _ ("%s has %u data sets with images: choose one, such as %s"), path, found->len, list->str);
  return FALSE;
}

gboolean
capra_hdf5_find (hid_t file, const char *path, const char *name, GPtrArray *names, GError **error)
{
  g_autofree char *root = join ("/", *name ? name : "/");

  if (*name && is_type (file, root, H5I_DATASET))
    {
      g_ptr_array_add (names, g_steal_pointer (&root));
      return TRUE;
    }
  if (!is_type (file, root, H5I_GROUP))
    {
      g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_NOT_FOUND, _ ("%s has no data set or group %s"), path,
                   root);
      return FALSE;
    }
  return find_in_group (file, root, 0, names) || find_only (file, path, root, names, error);
}

static gboolean
has_frames (hid_t file, const char *name)
{
  hid_t dataset = H5Dopen2 (file, name, H5P_DEFAULT), space = dataset >= 0 ? H5Dget_space (dataset) : -1;
  gboolean many = space >= 0 && H5Sget_simple_extent_ndims (space) >= 3;

  if (space >= 0)
    H5Sclose (space);
  if (dataset >= 0)
    H5Dclose (dataset);
  return many;
}

/* Whether both are names of one object: links give it several. */
static gboolean
is_same (hid_t file, const char *name, const char *other)
{
  H5O_info_t info, other_info;

  return H5Oget_info_by_name (file, name, &info, H5P_DEFAULT) >= 0
         && H5Oget_info_by_name (file, other, &other_info, H5P_DEFAULT) >= 0 && info.fileno == other_info.fileno
         && info.addr == other_info.addr;
}

/* Those of @found that are not @known. */
static GPtrArray *
list_others (hid_t file, GPtrArray *found, GPtrArray *known)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *others = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < known->len; i++)
    g_hash_table_add (names, known->pdata[i]);
  for (guint i = 0; i < found->len; i++)
    if (!g_hash_table_contains (names, found->pdata[i])
        && !(known->len == 1 && is_same (file, known->pdata[0], found->pdata[i])))
      g_ptr_array_add (others, g_strdup (found->pdata[i]));
  return others;
}

GPtrArray *
capra_hdf5_list (hid_t file)
{
  g_autoptr (GPtrArray) known = g_ptr_array_new_with_free_func (g_free), found = list_datasets (file, "/"),
                        others = NULL;
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  find_in_group (file, "/", 0, known);
  others = list_others (file, found, known);
  if (known->len + others->len < 2 || others->len == 0)
    return list;
  if (known->len == 1)
    g_ptr_array_add (list, g_strdup (known->pdata[0]));
  else if (known->len > 1) /* they are found together by their group */
    g_ptr_array_add (list, g_path_get_dirname (known->pdata[0]));
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < others->len; i++)
      if (has_frames (file, others->pdata[i]) == (pass == 0))
        g_ptr_array_add (list, g_strdup (others->pdata[i]));
  return list;
}
