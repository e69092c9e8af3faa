/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result stack: results of the frames of a batch in one data set of an HDF5 file (NeXus). */
#include "ui/batch/result-stack.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <hdf5.h>
#include <string.h>
#include <unistd.h>

#include "capra.h"

#define DATA "/entry/data/data"
#define GOOD "/entry/data/good"

struct _CapraResultStack {
  GMutex mutex; /* guards the creation of the file */
  char *path, *part;
  guint64 first, count;
  CapraResultShape shape;
  int descriptor;     /* -1 before the first frame */
  guint64 data, good; /* offsets in the file */
  gboolean complete;  /* the file has its name already */
};

gboolean
capra_result_stack_is_supported (void)
{
  return TRUE;
}

static gboolean
fail (CapraResultStack *stack, const char *reason, GError **error)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot write %s: %s", stack->path,
               reason ? reason : "the HDF5 library reported an error");
  return FALSE;
}

static guint64
get_frame_bytes (const CapraResultShape *shape)
{
  return shape->height * shape->width * shape->channels * 4;
}

static void
set_text (hid_t object, const char *name, const char *text)
{
  hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate (H5S_SCALAR), attribute;

  H5Tset_size (type, strlen (text) + 1);
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite (attribute, type, text);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

/* The axes of the data set: frames, then pixels without an axis. */
static void
set_axes (hid_t group, int rank)
{
  const char *names[] = { "frame", ".", ".", "." };
  const hsize_t count = (hsize_t) rank;
  hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate_simple (1, &count, NULL), attribute;

  H5Tset_size (type, H5T_VARIABLE);
  attribute = H5Acreate2 (group, "axes", type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite (attribute, type, names);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

/* A data set whose bytes are allocated at once and in one piece. Negative if that fails. */
static hid_t
create_set (hid_t group, const char *name, hid_t type, int rank, const hsize_t *shape)
{
  hid_t space = H5Screate_simple (rank, shape, NULL), list = H5Pcreate (H5P_DATASET_CREATE), set;

  H5Pset_layout (list, H5D_CONTIGUOUS);
  H5Pset_alloc_time (list, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time (list, H5D_FILL_TIME_NEVER); /* new bytes of a file are 0 */
  set = H5Dcreate2 (group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Pclose (list);
  H5Sclose (space);
  return set;
}

static hid_t
create_group (hid_t parent, const char *name, const char *class)
{
  hid_t group = H5Gcreate2 (parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

  set_text (group, "NX_class", class);
  return group;
}

/* Fills the open @file. FALSE if libhdf5 failed. */
static gboolean
fill_file (CapraResultStack *stack, hid_t file)
{
  const CapraResultShape *shape = &stack->shape;
  const hsize_t sizes[] = { stack->count, shape->height, shape->width, shape->channels };
  int rank = shape->channels > 1 ? 4 : 3;
  hid_t entry = create_group (file, "entry", "NXentry"), data = create_group (entry, "data", "NXdata"), sets[3];
  g_autofree guint64 *frames = g_new (guint64, stack->count);
  gboolean good;

  set_text (file, "default", "entry");
  set_text (entry, "default", "data");
  set_text (data, "signal", "data");
  set_axes (data, rank);
  for (guint64 i = 0; i < stack->count; i++)
    frames[i] = stack->first + i;
  sets[0] = create_set (data, "data", shape->type == CAPRA_RESULT_U32 ? H5T_STD_U32LE : H5T_IEEE_F32LE, rank, sizes);
  sets[1] = create_set (data, "good", H5T_STD_U8LE, 1, sizes);
  sets[2] = create_set (data, "frame", H5T_STD_U64LE, 1, sizes);
  good = sets[0] >= 0 && sets[1] >= 0 && sets[2] >= 0
         && H5Dwrite (sets[2], H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, frames) >= 0;
  if (good)
    {
      stack->data = H5Dget_offset (sets[0]);
      stack->good = H5Dget_offset (sets[1]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    if (sets[i] >= 0)
      H5Dclose (sets[i]);
  H5Gclose (data);
  H5Gclose (entry);
  return good && stack->data != (guint64) HADDR_UNDEF && stack->good != (guint64) HADDR_UNDEF;
}

/* A file without frames. It gets the name PATH.part only when its metadata is complete. */
static gboolean
create_file (CapraResultStack *stack, GError **error)
{
  g_autofree char *temporary = g_strdup_printf ("%s.%d", stack->part, (int) getpid ());
  gboolean good = FALSE;
  hid_t file;

  capra_hdf5_lock ();
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL); /* it would print its errors */
  file = H5Fcreate (temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  good = file >= 0 && fill_file (stack, file);
  good &= file >= 0 && H5Fclose (file) >= 0;
  capra_hdf5_unlock ();
  if (good)
    stack->descriptor = g_open (temporary, O_RDWR | O_CLOEXEC, 0);
  if (stack->descriptor >= 0 && fsync (stack->descriptor) == 0 && g_rename (temporary, stack->part) == 0)
    return TRUE;
  fail (stack, good ? g_strerror (errno) : NULL, error);
  if (stack->descriptor >= 0)
    g_close (stack->descriptor, NULL);
  stack->descriptor = -1;
  g_unlink (temporary);
  return FALSE;
}

/* The shape and the offset of a data set of the open @file. The rank, or 0 if it is not as fill_file() creates it. */
static int
find_set (hid_t file, const char *name, guint64 count, hsize_t *sizes, guint64 *offset, gboolean *integers)
{
  hid_t set = H5Dopen2 (file, name, H5P_DEFAULT), space, type;
  int rank = 0;

  if (set < 0)
    return 0;
  space = H5Dget_space (set);
  type = H5Dget_type (set);
  rank = H5Sget_simple_extent_ndims (space);
  rank = rank >= 1 && rank <= 4 && H5Sget_simple_extent_dims (space, sizes, NULL) == rank ? rank : 0;
  *integers = H5Tequal (type, H5T_STD_U32LE) > 0;
  *offset = H5Dget_offset (set);
  if (sizes[0] != count || *offset == (guint64) HADDR_UNDEF
      || (rank > 1 && !*integers && H5Tequal (type, H5T_IEEE_F32LE) <= 0))
    rank = 0;
  H5Tclose (type);
  H5Sclose (space);
  H5Dclose (set);
  return rank;
}

/* Opens the file at @path that an earlier process has left. FALSE if there is none, or it is not such a file. */
static gboolean
open_file (CapraResultStack *stack, const char *path)
{
  hid_t file = g_file_test (path, G_FILE_TEST_IS_REGULAR) ? H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
  hsize_t sizes[4] = { 0, 1, 1, 1 }, count[4] = { 0 };
  gboolean integers = FALSE, bytes;
  int rank;

  if (file < 0)
    return FALSE;
  rank = find_set (file, DATA, stack->count, sizes, &stack->data, &integers);
  if (rank >= 3 && find_set (file, GOOD, stack->count, count, &stack->good, &bytes) == 1)
    {
      stack->shape = (CapraResultShape){ sizes[1], sizes[2], rank == 4 ? sizes[3] : 1,
                                         integers ? CAPRA_RESULT_U32 : CAPRA_RESULT_F32 };
      stack->descriptor = g_open (path, O_RDWR | O_CLOEXEC, 0);
    }
  H5Fclose (file);
  return stack->descriptor >= 0;
}

CapraResultStack *
capra_result_stack_new (const char *path, guint64 first, guint64 count, gboolean resume, GError **error)
{
  CapraResultStack *stack = g_new0 (CapraResultStack, 1);

  g_mutex_init (&stack->mutex);
  stack->path = g_strdup (path);
  stack->part = g_strconcat (path, ".part", NULL);
  stack->first = first;
  stack->count = count;
  stack->descriptor = -1;
  capra_hdf5_lock ();
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
  if (resume && !open_file (stack, stack->part))
    stack->complete = open_file (stack, path);
  capra_hdf5_unlock ();
  return stack;
}

void
capra_result_stack_free (CapraResultStack *stack)
{
  if (stack->descriptor >= 0)
    g_close (stack->descriptor, NULL);
  g_mutex_clear (&stack->mutex);
  g_free (stack->path);
  g_free (stack->part);
  g_free (stack);
}

gboolean
capra_result_stack_has (CapraResultStack *stack, guint64 frame)
{
  guint8 good = 0;

  return stack->descriptor >= 0 && frame >= stack->first && frame - stack->first < stack->count
         && pread (stack->descriptor, &good, 1, (off_t) (stack->good + frame - stack->first)) == 1 && good;
}

/* FALSE with errno set. */
static gboolean
write_at (int descriptor, const guint8 *bytes, guint64 length, guint64 offset)
{
  while (length > 0)
    {
      gssize written = pwrite (descriptor, bytes, MIN (length, G_MAXINT32), (off_t) offset);

      if (written < 0 && errno != EINTR)
        return FALSE;
      if (written <= 0)
        continue;
      bytes += written;
      offset += (guint64) written;
      length -= (guint64) written;
    }
  return TRUE;
}

/* The frame is on disk before it is marked. */
static gboolean
write_frame (CapraResultStack *stack, guint64 i, gconstpointer values, GError **error)
{
  guint64 bytes = get_frame_bytes (&stack->shape);
  const guint8 good = 1;

  return (write_at (stack->descriptor, values, bytes, stack->data + i * bytes) && fdatasync (stack->descriptor) == 0
          && write_at (stack->descriptor, &good, 1, stack->good + i))
         || fail (stack, g_strerror (errno), error);
}

static gboolean
prepare (CapraResultStack *stack, const CapraResultShape *shape, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&stack->mutex);
  const CapraResultShape *own = &stack->shape;

  if (stack->descriptor < 0)
    {
      stack->shape = *shape;
      return create_file (stack, error);
    }
  if (own->height == shape->height && own->width == shape->width && own->channels == shape->channels
      && own->type == shape->type)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
               "the result has %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT " pixels with %" G_GUINT64_FORMAT
               " %s, but those in %s have %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT " with %" G_GUINT64_FORMAT
               " %s; write such results to separate files",
               shape->width, shape->height, shape->channels, shape->type == CAPRA_RESULT_U32 ? "integers" : "floats",
               stack->path, own->width, own->height, own->channels,
               own->type == CAPRA_RESULT_U32 ? "integers" : "floats");
  return FALSE;
}

gboolean
capra_result_stack_write (CapraResultStack *stack, guint64 frame, const CapraResultShape *shape, gconstpointer values,
                          GError **error)
{
  return prepare (stack, shape, error) && write_frame (stack, frame - stack->first, values, error);
}

gboolean
capra_result_stack_finish (CapraResultStack *stack, GError **error)
{
  if (stack->descriptor < 0 || (fsync (stack->descriptor) == 0 && stack->complete))
    return TRUE;
  if (g_rename (stack->part, stack->path) != 0)
    return fail (stack, g_strerror (errno), error);
  stack->complete = TRUE;
  return TRUE;
}
