/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Array: life and contents; mapping is in array-map.c, copies in array-copy.c, extremes in describe.c. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/memory/array-private.h"
#include "runtime/device/fork.h"
#include "runtime/launch/launch.h"
#include "runtime/memory/memory-private.h"

gsize
capra_type_size (CapraType type)
{
  static const gsize sizes[] = { 1, 1, 2, 2, 4, 4, 4 };

  return sizes[type];
}

const char *
capra_type_name (CapraType type)
{
  static const char *const names[] = { "u8", "i8", "u16", "i16", "u32", "i32", "f32" };

  return names[type];
}

gsize
capra_shape_count (const CapraShape *shape)
{
  return shape->width * shape->height * shape->depth * shape->channels;
}

gsize
capra_shape_bytes (const CapraShape *shape)
{
  return capra_shape_count (shape) * capra_type_size (shape->type);
}

static gboolean
shape_check (const CapraShape *shape, GError **error)
{
  gsize count = shape->channels;

  if ((guint) shape->type > CAPRA_F32)
    g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                         _ ("unknown array type: use u8, i8, u16, i16, u32, i32 or f32"));
  else if (shape->channels < 1 || shape->channels > 4)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("arrays have 1 to 4 channels, not %u"), shape->channels);
  else if (shape->width < 1 || shape->height < 1 || shape->depth < 1 || shape->width > G_MAXINT32
           || shape->height > G_MAXINT32 || shape->depth > G_MAXINT32
           || !g_size_checked_mul (&count, count, shape->width) || !g_size_checked_mul (&count, count, shape->height)
           || !g_size_checked_mul (&count, count, shape->depth)
           || !g_size_checked_mul (&count, count, capra_type_size (shape->type)))
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("invalid array size: %.0f x %.0f x %.0f samples"),
                 (double) shape->width, (double) shape->height, (double) shape->depth);
  else
    return TRUE;
  return FALSE;
}

/* Takes @block; NULL passes through. */
static CapraArray *
array_over (CapraContext *context, const CapraShape *shape, CapraBlock *block)
{
  CapraArray *array = NULL;

  if (!block)
    return NULL;
  array = g_new0 (CapraArray, 1);
  array->refs = 1;
  g_mutex_init (&array->lock);
  array->link.data = array;
  array->shape = *shape;
  array->context = context;
  array->block = block;
  return array;
}

CapraArray *
capra_array_new_uninitialized (CapraContext *context, const CapraShape *shape, GError **error)
{
  if (!shape_check (shape, error))
    return NULL;
  return array_over (context, shape, capra_block_new (context, capra_shape_bytes (shape), CAPRA_MEMORY_ARRAYS, error));
}

CapraArray *
capra_array_new_for_upload (CapraDevice *device, const CapraShape *shape, GError **error)
{
  CapraContext *context = capra_context_get (device, error);

  if (!context || !shape_check (shape, error))
    return NULL;
  return array_over (context, shape,
                     capra_block_new_idle (context, capra_shape_bytes (shape), CAPRA_MEMORY_ARRAYS, error));
}

CapraArray *
capra_array_new (CapraDevice *device, const CapraShape *shape, GError **error)
{
  CapraContext *context = capra_context_get (device, error);
  g_autoptr (CapraArray) array = context ? capra_array_new_uninitialized (context, shape, error) : NULL;

  if (!array || !capra_array_fill (array, 0.0, error))
    return NULL;
  return g_steal_pointer (&array);
}

CapraArray *
capra_array_new_from_data (CapraDevice *device, const CapraShape *shape, gconstpointer data, GError **error)
{
  CapraContext *context = capra_context_get (device, error);
  g_autoptr (CapraArray) array = context ? capra_array_new_uninitialized (context, shape, error) : NULL;

  if (!array || !capra_array_upload (array, data, error))
    return NULL;
  return g_steal_pointer (&array);
}

CapraArray *
capra_array_ref (CapraArray *array)
{
  g_atomic_int_inc (&array->refs);
  return array;
}

void
capra_array_unref (CapraArray *array)
{
  /* In a forked child it is not taken apart: other threads of the parent may have had it half done. */
  if (!g_atomic_int_dec_and_test (&array->refs) || capra_fork_is_child ())
    return;
  if (array->writing)
    {
      g_critical ("an array is released while it is mapped");
      capra_array_unmap (array, NULL);
    }
  capra_memory_forget (array->context, &array->link);
  g_mutex_clear (&array->lock);
  capra_block_free (array->block);
  capra_block_free (array->staging);
  free (array->saved);
  g_free (array);
}

const CapraShape *
capra_array_get_shape (CapraArray *array)
{
  return &array->shape;
}

CapraDevice *
capra_array_get_device (CapraArray *array)
{
  return array->context->device;
}

/* Rows somewhere in ordinary memory. */
typedef struct {
  gsize row;
  gconstpointer from;
  gpointer to;
} Rows;

static void
copy_in (gpointer host, gsize first, gsize rows, gpointer data)
{
  const Rows *all = data;

  memcpy (host, (const char *) all->from + first * all->row, rows * all->row);
}

static void
copy_out (gpointer host, gsize first, gsize rows, gpointer data)
{
  const Rows *all = data;

  memcpy ((char *) all->to + first * all->row, host, rows * all->row);
}

static gsize
row_bytes (const CapraShape *shape)
{
  return capra_shape_bytes (shape) / (shape->height * shape->depth);
}

gboolean
capra_array_upload (CapraArray *array, gconstpointer data, GError **error)
{
  Rows rows = { row_bytes (&array->shape), data, NULL };

  return capra_array_write_rows (array, NULL, copy_in, &rows, error);
}

gboolean
capra_array_upload_doubles (CapraArray *array, const double *data, GError **error)
{
  gsize count = capra_shape_count (&array->shape);
  float *host = NULL;

  if (array->shape.type != CAPRA_F32)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("float64 data cannot be uploaded to an array of type %s: use an f32 array"),
                   capra_type_name (array->shape.type));
      return FALSE;
    }
  host = capra_array_map_write (array, error);
  if (!host)
    return FALSE;
  for (gsize i = 0; i < count; i++)
    host[i] = (float) data[i];
  return capra_array_unmap (array, error);
}

gboolean
capra_array_download (CapraArray *array, gpointer data, GError **error)
{
  Rows rows = { row_bytes (&array->shape), NULL, data };

  return capra_array_read_rows (array, NULL, copy_out, &rows, error);
}

gboolean
capra_array_download_first (CapraArray *array, gpointer data, gsize bytes, GError **error)
{
  CapraBlock *block = capra_array_get_buffer (array, error);

  return block && capra_block_transfer (block, FALSE, "result", 0, bytes, data, error);
}

gboolean
capra_array_upload_first (CapraArray *array, gconstpointer data, gsize bytes, GError **error)
{
  CapraBlock *block = capra_array_get_buffer (array, error);

  return block && capra_block_transfer (block, TRUE, "numbers", 0, bytes, (gpointer) data, error);
}

gboolean
capra_array_wait (CapraArray *array, GError **error)
{
  gboolean done = TRUE;

  if (!capra_fork_check (error))
    return FALSE;
  g_mutex_lock (&array->lock);
  if (array->block)
    done = capra_block_finish (array->block, error);
  g_mutex_unlock (&array->lock);
  return done;
}

static double
clamped (double value, double low, double high)
{
  return isnan (value) ? 0.0 : CLAMP (rint (value), low, high);
}

gboolean
capra_array_fill (CapraArray *array, double value, GError **error)
{
  gsize words = (capra_shape_bytes (&array->shape) + 15) / 16;
  CapraLaunch launch;
  guint32 word = 0;
  float number = (float) value;

  switch (array->shape.type)
    {
    case CAPRA_U8: word = 0x01010101u * (guint8) clamped (value, 0, G_MAXUINT8); break;
    case CAPRA_I8: word = 0x01010101u * (guint8) (gint8) clamped (value, G_MININT8, G_MAXINT8); break;
    case CAPRA_U16: word = 0x00010001u * (guint16) clamped (value, 0, G_MAXUINT16); break;
    case CAPRA_I16: word = 0x00010001u * (guint16) (gint16) clamped (value, G_MININT16, G_MAXINT16); break;
    case CAPRA_U32: word = (guint32) clamped (value, 0, G_MAXUINT32); break;
    case CAPRA_I32: word = (guint32) (gint32) clamped (value, G_MININT32, G_MAXINT32); break;
    case CAPRA_F32: memcpy (&word, &number, sizeof word); break;
    }

  /* Our own kernel, not clEnqueueFillBuffer: that is broken for large buffers on some drivers. */
  capra_launch_begin (&launch, array->context, "fill", NULL, "fill");
  capra_launch_write (&launch, array);
  capra_launch_ulong (&launch, words);
  capra_launch_uint (&launch, word);
  return capra_launch_run_1d (&launch, words, 64, capra_shape_bytes (&array->shape), error);
}
