/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Bitshuffle: launches bitshuffle-group.cl or bitshuffle-item.cl. */
#include "algorithms/bitshuffle/bitshuffle.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "algorithms/bitshuffle/bitshuffle-params.h"
#include "algorithms/common/fill.h"
#include "runtime/device/tuning.h"
#include "runtime/launch/launch.h"

G_STATIC_ASSERT ((int) CAPRA_BITSHUFFLE_LZ4 == BITSHUFFLE_LZ4 && (int) CAPRA_BITSHUFFLE_PLANES == BITSHUFFLE_PLANES
                 && (int) CAPRA_BITSHUFFLE_RAW == BITSHUFFLE_RAW && (int) CAPRA_BITSHUFFLE_MISSING == BITSHUFFLE_MISSING
                 && CAPRA_BITSHUFFLE_GOOD == BITSHUFFLE_GOOD);

/* The types of OpenCL C for a value, by kind and size. */
static const char *
name_of (CapraBitshuffleKind kind, guint element)
{
  static const char *const names[][4] = { { "uchar", "ushort", "uint", "ulong" },
                                          { "char", "short", "int", "long" },
                                          { NULL, NULL, "float", "double" } };

  return names[kind][element == 8 ? 3 : element / 2];
}

/* The type of an array with the encoded values; 8 bytes are two values of it. */
static CapraType
type_of (CapraBitshuffleKind kind, guint element)
{
  static const CapraType types[][4] = { { CAPRA_U8, CAPRA_U16, CAPRA_U32, CAPRA_U32 },
                                        { CAPRA_I8, CAPRA_I16, CAPRA_I32, CAPRA_U32 },
                                        { CAPRA_F32, CAPRA_F32, CAPRA_F32, CAPRA_U32 } };

  return types[kind][element == 8 ? 3 : element / 2];
}

/* The chunks of the batch, whose sizes are those of the shape; 0 with @error set if the shape is wrong. */
static guint
count_chunks (const CapraBitshuffleLayout *layout, const CapraShape *shape, gboolean *converted, GError **error)
{
  gsize count = capra_shape_count (shape), each = layout->values;

  *converted = shape->type == CAPRA_F32 && !(layout->kind == CAPRA_BITSHUFFLE_FLOAT && layout->element == 4);
  if (!*converted && layout->element == 8)
    each *= 2;
  if (count % each != 0 || count / each > G_MAXUINT16
      || (!*converted
          && (shape->type != type_of (layout->kind, layout->element)
              || (layout->element == 8 && shape->channels != 2))))
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("bitshuffle: chunks of %" PRIu64 " values of type %s cannot be decoded to %zu values of type %s"),
                   layout->values, name_of (layout->kind, layout->element), count, capra_type_name (shape->type));
      return 0;
    }
  return (guint) (count / each);
}

static gboolean
launch_decode (CapraArray *batch, const CapraBitshuffleLayout *layout, guint n, gboolean converted, CapraArray *output,
               CapraArray *damaged, GError **error)
{
  CapraContext *context = batch->context;
  gboolean item = g_str_equal (capra_tuning_get_word (context->device, "bitshuffle.variant", "group"), "item");
  gsize scratch_bytes = BITSHUFFLE_SCRATCH ((gsize) layout->block * layout->element);
  /* A part of the local memory is left for the driver. */
  gboolean local = scratch_bytes + 4096 <= context->info->local_memory
                   && g_str_equal (capra_tuning_get_word (context->device, "bitshuffle.scratch", "local"), "local");
  const char *bits = name_of (CAPRA_BITSHUFFLE_UNSIGNED, layout->element);
  guint groups = MAX (layout->n_blocks, 1), items = item ? 1 : BITSHUFFLE_LANES;
  g_autoptr (CapraArray) scratch = NULL;
  g_autoptr (GString) options = g_string_new (NULL);
  CapraLaunch launch;

  g_string_printf (options, "-DELEMENT=%u -DBITS=%s -DOUT=%s -DSCRATCH=%s", layout->element, bits,
                   converted ? "float" : bits, local ? "local" : "global");
  if (converted)
    g_string_append_printf (options, " -DFROM=%s", name_of (layout->kind, layout->element));
  if (!local)
    {
      CapraShape shape = CAPRA_SHAPE_3D (scratch_bytes, groups, n, CAPRA_U8);

      g_string_append (options, " -DSCRATCH_IS_GLOBAL");
      scratch = capra_array_new_uninitialized (context, &shape, error);
      if (!scratch)
        return FALSE;
    }
  capra_launch_begin (&launch, context, item ? "bitshuffle-item" : "bitshuffle-group", options->str,
                      item ? "bitshuffle_item" : "bitshuffle_group");
  capra_launch_read (&launch, batch);
  capra_launch_write (&launch, output);
  capra_launch_write (&launch, damaged);
  if (local)
    capra_launch_local (&launch, scratch_bytes);
  else
    capra_launch_write (&launch, scratch);
  capra_launch_ulong (&launch, layout->values);
  capra_launch_uint (&launch, layout->block);
  capra_launch_uint (&launch, layout->n_blocks);
  capra_launch_uint (&launch, n);
  return capra_launch_run_2d (&launch, (gsize) groups * items, n, items, 1,
                              capra_shape_bytes (&batch->shape) + capra_shape_bytes (&output->shape), error);
}

CapraArray *
capra_bitshuffle_decode (CapraArray *batch, const CapraBitshuffleLayout *layout, const CapraShape *shape,
                         CapraArray **damaged, GError **error)
{
  g_autoptr (CapraArray) output = NULL, status = NULL;
  gboolean converted = FALSE;
  guint n = count_chunks (layout, shape, &converted, error);

  if (n == 0)
    return NULL;
  if (converted && layout->kind == CAPRA_BITSHUFFLE_FLOAT && !batch->context->info->doubles)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("bitshuffle: device %s has no double precision, which float64 values need"),
                   batch->context->info->name);
      return NULL;
    }
  output = capra_array_new_uninitialized (batch->context, shape, error);
  status = output ? capra_array_new_uninitialized (batch->context, &CAPRA_SHAPE_2D (n, 1, CAPRA_U32), error) : NULL;
  if (!status || !capra_array_fill (status, BITSHUFFLE_GOOD, error)
      || !launch_decode (batch, layout, n, converted, output, status, error))
    return NULL;
  *damaged = g_steal_pointer (&status);
  return g_steal_pointer (&output);
}
