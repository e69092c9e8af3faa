/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aux-source: the source of a step's second input. */
#include "ui/pipeline/steps/aux-source.h"

#include "ui/pipeline/read/raw-values.h"

struct _CapraAuxSource {
  int refs; /* atomic */
  CapraAuxKind kind;
  char *path;
  guint step;
  GMutex mutex; /* for buffers and errors: set once the file has been read; [1]: as raw values */
  GeglBuffer *buffers[2];
  GError *errors[2];
};

static CapraAuxSource *
source_new (CapraAuxKind kind)
{
  CapraAuxSource *source = g_new0 (CapraAuxSource, 1);

  source->refs = 1;
  source->kind = kind;
  g_mutex_init (&source->mutex);
  return source;
}

CapraAuxSource *
capra_aux_source_new_input (void)
{
  return source_new (CAPRA_AUX_INPUT);
}

CapraAuxSource *
capra_aux_source_new_file (const char *path)
{
  CapraAuxSource *source = source_new (CAPRA_AUX_FILE);

  g_return_val_if_fail (path != NULL, NULL);
  source->path = g_strdup (path);
  return source;
}

CapraAuxSource *
capra_aux_source_new_step (guint id)
{
  CapraAuxSource *source = source_new (CAPRA_AUX_STEP);

  source->step = id;
  return source;
}

CapraAuxSource *
capra_aux_source_ref (CapraAuxSource *source)
{
  g_atomic_int_inc (&source->refs);
  return source;
}

void
capra_aux_source_unref (CapraAuxSource *source)
{
  if (!g_atomic_int_dec_and_test (&source->refs))
    return;
  g_free (source->path);
  for (guint i = 0; i < G_N_ELEMENTS (source->buffers); i++)
    {
      g_clear_object (&source->buffers[i]);
      g_clear_error (&source->errors[i]);
    }
  g_mutex_clear (&source->mutex);
  g_free (source);
}

CapraAuxKind
capra_aux_source_get_kind (CapraAuxSource *source)
{
  return source->kind;
}

const char *
capra_aux_source_get_path (CapraAuxSource *source)
{
  return source->path;
}

guint
capra_aux_source_get_step (CapraAuxSource *source)
{
  return source->step;
}

gboolean
capra_aux_source_equal (CapraAuxSource *a, CapraAuxSource *b)
{
  if (!a || !b)
    return a == b;
  return a->kind == b->kind && a->step == b->step && g_strcmp0 (a->path, b->path) == 0;
}

GeglBuffer *
capra_aux_source_load (CapraAuxSource *source, gboolean raw, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&source->mutex);
  GeglBuffer **buffer = &source->buffers[!!raw];
  GError **failure = &source->errors[!!raw];

  g_return_val_if_fail (source->kind == CAPRA_AUX_FILE, NULL);
  if (!*buffer && !*failure)
    {
      g_autoptr (GFile) file = g_file_new_for_path (source->path);
      g_autoptr (CapraImage) image = raw ? capra_raw_values_load (file, failure) : capra_image_load (file, failure);

      if (image && image->warning)
        g_warning ("%s: %s", source->path, image->warning);
      if (image)
        *buffer = g_steal_pointer (&image->buffer);
    }
  if (*failure && error)
    *error = g_error_copy (*failure);
  return *buffer;
}
