/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Array: types, shapes, creation and destruction. */
#include "runtime/memory/array.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "runtime/base/fork.h"
#include "runtime/memory/array-internal.h"
#include "runtime/memory/buffer-transfer.h"

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

/* @buffer: (transfer full) (nullable): if NULL, returns NULL. */
static CapraArray *
array_over (CapraContext *context, const CapraShape *shape, CapraBuffer *buffer)
{
  CapraArray *array = NULL;

  if (!buffer)
    return NULL;
  array = g_new0 (CapraArray, 1);
  array->refs = 1;
  g_mutex_init (&array->lock);
  array->evictable.link.data = array;
  array->shape = *shape;
  array->context = context;
  array->buffer = buffer;
  return array;
}

CapraArray *
capra_array_new_uninitialized (CapraContext *context, const CapraShape *shape, GError **error)
{
  if (!shape_check (shape, error))
    return NULL;
  return array_over (context, shape,
                     capra_pool_allocate (context, capra_shape_bytes (shape), CAPRA_MEMORY_ARRAYS, error));
}

CapraArray *
capra_array_new_for_upload (CapraDevice *device, const CapraShape *shape, GError **error)
{
  CapraContext *context = capra_context_get (device, error);

  if (!context || !shape_check (shape, error))
    return NULL;
  return array_over (context, shape,
                     capra_pool_allocate_idle (context, capra_shape_bytes (shape), CAPRA_MEMORY_ARRAYS, error));
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
  /* A forked child frees nothing: other threads of the parent may have been changing the array. */
  if (!g_atomic_int_dec_and_test (&array->refs) || capra_fork_is_child ())
    return;
  if (array->writing)
    {
      g_critical ("an array is freed while it is mapped for writing");
      if (!array->staging)
        capra_buffer_unmap (array->buffer, CAPRA_UPLOAD, capra_shape_bytes (&array->shape), array->host, NULL);
    }
  capra_eviction_queue_remove (capra_pool_get_eviction_queue (array->context), &array->evictable);
  g_mutex_clear (&array->lock);
  capra_pool_release (array->buffer);
  capra_pool_release (array->staging);
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

gboolean
capra_array_wait (CapraArray *array, GError **error)
{
  gboolean done = TRUE;

  if (!capra_fork_check (error))
    return FALSE;
  g_mutex_lock (&array->lock);
  if (array->buffer)
    done = capra_buffer_wait (array->buffer, error);
  g_mutex_unlock (&array->lock);
  return done;
}
