/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* NeXus file: groups, attributes and data sets (https://manual.nexusformat.org). */
#include "formats/hdf5/nexus-file.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "formats/hdf5/hdf5-private.h"
#include "runtime/base/fault.h"

typedef struct {
  hid_t id;
  CapraNexusType type;
  int rank;
  hsize_t sizes[CAPRA_NEXUS_MAX_RANK];
} Set;

struct _CapraNexusFile {
  hid_t id, entry, data;
  GArray *sets;
  gboolean failed;
  int code; /* errno of the first failure; 0 if only libhdf5 knows the cause */
};

static void
check (CapraNexusFile *file, gboolean good)
{
  if (good || file->failed)
    return;
  file->failed = TRUE;
  file->code = errno;
}

/* The caller holds the lock from here to leave(). FALSE if an earlier function has failed. */
static gboolean
enter (CapraNexusFile *file, CapraHdf5Saved *saved)
{
  capra_hdf5_enter (saved);
  errno = 0;
  return !file->failed;
}

/* An attribute with @n texts, or a single one if @n is 0. */
static void
set_texts (CapraNexusFile *file, hid_t object, const char *name, const char *const *texts, guint n)
{
  const hsize_t size = n;
  hid_t type = H5Tcopy (H5T_C_S1), space = n > 0 ? H5Screate_simple (1, &size, NULL) : H5Screate (H5S_SCALAR);
  hid_t attribute = -1;

  H5Tset_size (type, n > 0 ? H5T_VARIABLE : strlen (*texts) + 1);
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  check (file, attribute >= 0 && H5Awrite (attribute, type, n > 0 ? (const void *) texts : *texts) >= 0);
  if (attribute >= 0)
    H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

static void
set_text (CapraNexusFile *file, hid_t object, const char *name, const char *text)
{
  set_texts (file, object, name, &text, 0);
}

static hid_t
create_group (CapraNexusFile *file, hid_t parent, const char *name, const char *class)
{
  hid_t group = H5Gcreate2 (parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

  set_text (file, group, "NX_class", class);
  return group;
}

static void
create_file (CapraNexusFile *file, const char *path, const char *signal, const char *const *axes)
{
  file->id = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  check (file, file->id >= 0);
  if (file->failed)
    return;
  file->entry = create_group (file, file->id, "entry", "NXentry");
  file->data = create_group (file, file->entry, "data", "NXdata");
  set_text (file, file->id, "default", "entry");
  set_text (file, file->entry, "default", "data");
  set_text (file, file->data, "signal", signal);
  set_texts (file, file->data, "axes", axes, g_strv_length ((char **) axes));
}

CapraNexusFile *
capra_nexus_file_new (const char *path, const char *signal, const char *const *axes, GError **error)
{
  CapraNexusFile *file = g_new (CapraNexusFile, 1);
  CapraHdf5Saved saved;

  *file = (CapraNexusFile){ -1, -1, -1, g_array_new (FALSE, FALSE, sizeof (Set)), FALSE, 0 };
  enter (file, &saved);
  create_file (file, path, signal, axes);
  capra_hdf5_leave (&saved);
  if (!file->failed)
    return file;
  capra_nexus_file_close (file, error);
  return NULL;
}

void
capra_nexus_file_set_text (CapraNexusFile *file, const char *name, const char *text)
{
  CapraHdf5Saved saved;

  if (enter (file, &saved))
    set_text (file, file->entry, name, text);
  capra_hdf5_leave (&saved);
}

static hid_t
get_stored_type (CapraNexusType type)
{
  switch (type)
    {
    case CAPRA_NEXUS_U8: return H5T_STD_U8LE;
    case CAPRA_NEXUS_U32: return H5T_STD_U32LE;
    case CAPRA_NEXUS_U64: return H5T_STD_U64LE;
    case CAPRA_NEXUS_F32: return H5T_IEEE_F32LE;
    default: return H5T_IEEE_F64LE;
    }
}

static hid_t
get_memory_type (CapraNexusType type)
{
  switch (type)
    {
    case CAPRA_NEXUS_U8: return H5T_NATIVE_UINT8;
    case CAPRA_NEXUS_U32: return H5T_NATIVE_UINT32;
    case CAPRA_NEXUS_U64: return H5T_NATIVE_UINT64;
    case CAPRA_NEXUS_F32: return H5T_NATIVE_FLOAT;
    default: return H5T_NATIVE_DOUBLE;
    }
}

/* The bytes are allocated at once, so that they have an offset; new bytes of a file are 0. Times are not stored: the
 * same values give the same file. */
static void
create_set (CapraNexusFile *file, Set *set, const char *name, const char *units)
{
  hid_t space = H5Screate_simple (set->rank, set->sizes, NULL), list = H5Pcreate (H5P_DATASET_CREATE);

  H5Pset_layout (list, H5D_CONTIGUOUS);
  H5Pset_alloc_time (list, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time (list, H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times (list, FALSE);
  set->id = H5Dcreate2 (file->data, name, get_stored_type (set->type), space, H5P_DEFAULT, list, H5P_DEFAULT);
  check (file, set->id >= 0 && H5Dget_offset (set->id) != HADDR_UNDEF);
  if (units && !file->failed)
    set_text (file, set->id, "units", units);
  H5Pclose (list);
  H5Sclose (space);
}

guint
capra_nexus_file_add (CapraNexusFile *file, const char *name, CapraNexusType type, guint rank, const guint64 *sizes,
                      const char *units)
{
  Set set = { .id = -1, .type = type, .rank = (int) rank };
  CapraHdf5Saved saved;

  g_return_val_if_fail (rank >= 1 && rank <= CAPRA_NEXUS_MAX_RANK, 0);

  for (guint i = 0; i < rank; i++)
    set.sizes[i] = sizes[i];
  if (enter (file, &saved))
    create_set (file, &set, name, units);
  capra_hdf5_leave (&saved);
  g_array_append_val (file->sets, set);
  return file->sets->len - 1;
}

void
capra_nexus_file_set_range (CapraNexusFile *file, guint set, const char *name, guint64 first, guint64 end)
{
  const hsize_t size = 2;
  const guint64 range[] = { first, end };
  hid_t space = -1, attribute = -1;
  CapraHdf5Saved saved;

  if (enter (file, &saved))
    {
      space = H5Screate_simple (1, &size, NULL);
      attribute = H5Acreate2 (g_array_index (file->sets, Set, set).id, name, H5T_STD_U64LE, space, H5P_DEFAULT,
                              H5P_DEFAULT);
      check (file, attribute >= 0 && H5Awrite (attribute, H5T_NATIVE_UINT64, range) >= 0);
      if (attribute >= 0)
        H5Aclose (attribute);
      H5Sclose (space);
    }
  capra_hdf5_leave (&saved);
}

guint64
capra_nexus_file_get_offset (CapraNexusFile *file, guint set)
{
  guint64 offset = 0;
  CapraHdf5Saved saved;

  if (enter (file, &saved))
    offset = H5Dget_offset (g_array_index (file->sets, Set, set).id);
  capra_hdf5_leave (&saved);
  return offset;
}

static gboolean
write_rows (const Set *set, guint64 first, guint64 n, gconstpointer values)
{
  hsize_t start[CAPRA_NEXUS_MAX_RANK] = { first }, count[CAPRA_NEXUS_MAX_RANK];
  hid_t space = H5Dget_space (set->id), memory = -1;
  gboolean written = FALSE;

  memcpy (count, set->sizes, sizeof count);
  count[0] = n;
  memory = H5Screate_simple (set->rank, count, NULL);
  written = H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 && !capra_fault_write ()
            && H5Dwrite (set->id, get_memory_type (set->type), memory, space, H5P_DEFAULT, values) >= 0;
  H5Sclose (memory);
  H5Sclose (space);
  return written;
}

gboolean
capra_nexus_file_write (CapraNexusFile *file, guint set, guint64 first, guint64 n, gconstpointer values)
{
  CapraHdf5Saved saved;

  if (enter (file, &saved))
    check (file, write_rows (&g_array_index (file->sets, Set, set), first, n, values));
  capra_hdf5_leave (&saved);
  return !file->failed;
}

gboolean
capra_nexus_file_close (CapraNexusFile *file, GError **error)
{
  gboolean good = FALSE;
  CapraHdf5Saved saved;

  enter (file, &saved);
  for (guint i = 0; i < file->sets->len; i++)
    if (g_array_index (file->sets, Set, i).id >= 0)
      check (file, H5Dclose (g_array_index (file->sets, Set, i).id) >= 0);
  if (file->data >= 0)
    check (file, H5Gclose (file->data) >= 0);
  if (file->entry >= 0)
    check (file, H5Gclose (file->entry) >= 0);
  if (file->id >= 0)
    check (file, H5Fclose (file->id) >= 0);
  capra_hdf5_leave (&saved);
  good = !file->failed;
  if (!good)
    g_set_error_literal (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_WRITE,
                         file->code ? g_strerror (file->code) : _ ("the HDF5 library reported an error"));
  g_array_unref (file->sets);
  g_free (file);
  return good;
}
