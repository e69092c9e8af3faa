/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measure, the variant for many work-items: a work-group takes a block of pixels (measure-blocks.cl). */
#include "algorithms/measure/measure-params.h"
#include "algorithms/measure/measure-private.h"
#include "runtime/device/tuning.h"

/* Local memory has a slot for each of this many work-items. */
#define MIN_GROUP 64

static void
blocks_configure (CapraMeasurement *measurement, GString *options)
{
  int group = capra_tuning_get_int (measurement->context->device, "measure.group", 128);

  measurement->parameter = MIN ((gsize) MAX (MIN_GROUP, group), measurement->context->info->max_group);
  g_string_append_printf (options, "-DGROUP=%zu%s", measurement->parameter,
                          measurement->label_bands->shape.width % 4 == 0 ? " -DALIGNED" : "");
}

static gboolean
blocks_run (const CapraMeasurement *measurement, CapraLaunch *launch, gsize group, guint64 bytes, GError **error)
{
  const CapraShape *shape = &measurement->labels->shape;

  return capra_launch_run_2d (launch, (shape->width + BLOCK_WIDTH - 1) / BLOCK_WIDTH * group,
                              (shape->height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT, group, 1, bytes, error);
}

/* Lists the fragments of each block, and clears @table (nullable). */
static CapraArray *
blocks_list (const CapraMeasurement *measurement, CapraArray *table, GError **error)
{
  const CapraShape *shape = &measurement->labels->shape;
  gsize blocks = (shape->width + BLOCK_WIDTH - 1) / BLOCK_WIDTH * ((shape->height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);
  g_autoptr (CapraArray) lists = capra_array_new_uninitialized (measurement->context,
                                                                &CAPRA_SHAPE_2D (LIST_WORDS, blocks, CAPRA_U32), error);
  CapraLaunch launch;

  if (!lists)
    return NULL;
  capra_launch_begin (&launch, measurement->context, "measure-blocks", measurement->options, "measure_fragments");
  capra_launch_read (&launch, measurement->labels);
  capra_launch_write (&launch, lists);
  capra_launch_write (&launch, table ? table : lists);
  capra_launch_uint (&launch, table ? capra_shape_bytes (&table->shape) / 16 : 0);
  capra_launch_uint (&launch, shape->width);
  capra_launch_uint (&launch, shape->height);
  if (!blocks_run (measurement, &launch, PATCHES, capra_shape_bytes (shape), error))
    return NULL;
  return g_steal_pointer (&lists);
}

/* The fragments are read instead of the labels. */
static gboolean
blocks_run_pass (const CapraMeasurement *measurement, CapraLaunch *launch, GError **error)
{
  guint64 bytes = measurement->values ? capra_shape_bytes (&measurement->values->shape) : 0;

  capra_launch_read (launch, measurement->lists);
  return blocks_run (measurement, launch, measurement->parameter, bytes, error);
}

const CapraMeasureVariant capra_measure_blocks = {
  .name = "blocks",
  .program = "measure-blocks",
  .configure = blocks_configure,
  .list = blocks_list,
  .run_pass = blocks_run_pass,
};
