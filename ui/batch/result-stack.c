/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result stack: results of the frames of a batch in one data set of an HDF5 file (NeXus). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fallocate */
#endif
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
  guint64 first, count, batch;
  CapraResultShape shape;
  int descriptor;     /* -1 before the first frame */
  guint64 data, good; /* offsets in the file */
  gboolean complete;  /* the file has its name already */
  gint broken;        /* atomic: a frame could not be written */
};

gboolean
capra_result_stack_is_supported (void)
{
  return TRUE;
}

static gboolean
fail (CapraResultStack *stack, const char *reason, GError **error)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot write %s: %s", stack->path, reason);
  return FALSE;
}

static guint64
get_frame_bytes (const CapraResultShape *shape)
{
  return shape->height * shape->width * shape->channels * 4;
}

/* Creates the file at @path, without frames. */
static gboolean
write_metadata (CapraResultStack *stack, const char *path, GError **error)
{
  const CapraResultShape *shape = &stack->shape;
  const guint64 sizes[] = { stack->count, shape->height, shape->width, shape->channels };
  guint rank = shape->channels > 1 ? 4 : 3, data, good, numbers;
  g_autofree guint64 *frames = g_new (guint64, stack->count);
  const char *const axes[] = { "frame", ".", ".", rank == 4 ? "." : NULL, NULL };
  CapraNexusFile *file = capra_nexus_file_new (path, "data", axes, error);

  if (!file)
    return FALSE;
  data = capra_nexus_file_add (file, "data", shape->type == CAPRA_RESULT_U32 ? CAPRA_NEXUS_U32 : CAPRA_NEXUS_F32, rank,
                               sizes, NULL);
  good = capra_nexus_file_add (file, "good", CAPRA_NEXUS_U8, 1, sizes, NULL);
  numbers = capra_nexus_file_add (file, "frame", CAPRA_NEXUS_U64, 1, sizes, NULL);
  for (guint64 i = 0; i < stack->count; i++)
    frames[i] = stack->first + i;
  capra_nexus_file_set_range (file, numbers, CAPRA_BATCH_ATTRIBUTE, 0, stack->batch);
  capra_nexus_file_write (file, numbers, 0, stack->count, frames);
  stack->data = capra_nexus_file_get_offset (file, data);
  stack->good = capra_nexus_file_get_offset (file, good);
  return capra_nexus_file_close (file, error);
}

/* Takes the room of all frames, so that a disk that is too small is found now. FALSE with errno set. Some file systems
 * cannot do that: then it is found later. */
static gboolean
take_room (CapraResultStack *stack)
{
  off_t length = (off_t) (stack->count * get_frame_bytes (&stack->shape));

  return length == 0 || fallocate (stack->descriptor, 0, (off_t) stack->data, length) == 0 || errno == EOPNOTSUPP
         || errno == ENOSYS;
}

static gboolean
fail_room (CapraResultStack *stack, int code, GError **error)
{
  g_autofree char *size = g_format_size (stack->count * get_frame_bytes (&stack->shape));
  g_autofree char *reason = g_strdup_printf ("%s (%s are needed)", g_strerror (code), size);

  return fail (stack, code == ENOSPC ? reason : g_strerror (code), error);
}

/* A file without frames. It gets the name PATH.part only when its metadata is complete. */
static gboolean
create_file (CapraResultStack *stack, GError **error)
{
  g_autofree char *temporary = g_strdup_printf ("%s.%d", stack->part, (int) getpid ());
  gboolean good = write_metadata (stack, temporary, error);
  int code;

  if (good)
    stack->descriptor = g_open (temporary, O_RDWR | O_CLOEXEC, 0);
  if (stack->descriptor >= 0 && take_room (stack) && !capra_fault_write () && fsync (stack->descriptor) == 0
      && g_rename (temporary, stack->part) == 0)
    return TRUE;
  code = errno;
  if (stack->descriptor >= 0)
    g_close (stack->descriptor, NULL);
  stack->descriptor = -1;
  g_unlink (temporary);
  if (good)
    return fail_room (stack, code, error);
  g_prefix_error (error, "cannot write %s: ", stack->path);
  return FALSE;
}

/* The shape and the offset of a data set of the open @file. The rank, or 0 if it is not as write_metadata() creates it.
 */
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
capra_result_stack_new (const char *path, guint64 first, guint64 count, guint64 batch, gboolean resume, GError **error)
{
  CapraResultStack *stack = g_new0 (CapraResultStack, 1);

  g_mutex_init (&stack->mutex);
  stack->path = g_strdup (path);
  stack->part = g_strconcat (path, ".part", NULL);
  stack->first = first;
  stack->count = count;
  stack->batch = batch;
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
      gssize written = capra_fault_write () ? -1 : pwrite (descriptor, bytes, MIN (length, G_MAXINT32), (off_t) offset);

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

static gboolean
mark_frame (CapraResultStack *stack, guint64 i, gboolean good, GError **error)
{
  const guint8 mark = (guint8) good;

  if (write_at (stack->descriptor, &mark, 1, stack->good + i))
    return TRUE;
  g_atomic_int_set (&stack->broken, TRUE);
  return fail (stack, g_strerror (errno), error);
}

void
capra_result_stack_restart (CapraResultStack *stack)
{
  if (stack->descriptor >= 0)
    g_close (stack->descriptor, NULL);
  stack->descriptor = -1;
  stack->complete = FALSE;
}

gboolean
capra_result_stack_forget (CapraResultStack *stack, guint64 frame, GError **error)
{
  return !capra_result_stack_has (stack, frame) || mark_frame (stack, frame - stack->first, FALSE, error);
}

/* The frame is on disk before it is marked. */
static gboolean
write_frame (CapraResultStack *stack, guint64 i, gconstpointer values, GError **error)
{
  guint64 bytes = get_frame_bytes (&stack->shape);

  if (write_at (stack->descriptor, values, bytes, stack->data + i * bytes) && fdatasync (stack->descriptor) == 0)
    return mark_frame (stack, i, TRUE, error);
  g_atomic_int_set (&stack->broken, TRUE);
  return fail (stack, g_strerror (errno), error);
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
  if (stack->descriptor < 0 || g_atomic_int_get (&stack->broken))
    return TRUE;
  if (fsync (stack->descriptor) != 0)
    return fail (stack, g_strerror (errno), error);
  if (!stack->complete && (capra_fault_write () || g_rename (stack->part, stack->path) != 0))
    return fail (stack, g_strerror (errno), error);
  stack->complete = TRUE;
  return TRUE;
}
