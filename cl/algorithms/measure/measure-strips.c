/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measure, the variant for few strong work-items: each walks down a strip of rows (measure-strips.cl). */
#include "algorithms/measure/measure-private.h"
#include "runtime/device/tuning.h"

static void
strips_configure (CapraMeasurement *measurement, GString *options)
{
  CapraDevice *device = measurement->context->device;
  gsize strips = measurement->context->info->compute_units
                 * (gsize) MAX (capra_tuning_get_int (device, "measure.strips", 8), 1);

  measurement->parameter = (measurement->label_bands->rows + strips - 1) / strips;
  g_string_append_printf (options, "-DCACHE=%d", CLAMP (capra_tuning_get_int (device, "measure.cache", 64), 1, 256));
}

static gboolean
strips_run_pass (const CapraMeasurement *measurement, CapraLaunch *launch, GError **error)
{
  const CapraShape *shape = &measurement->labels->shape;
  gsize rows = measurement->parameter;
  guint64 bytes = capra_shape_bytes (shape)
                  + (measurement->values ? capra_shape_bytes (&measurement->values->shape) : 0);

  capra_launch_uint (launch, rows);
  return capra_launch_run_1d (launch, (shape->height + rows - 1) / rows, 1, bytes, error);
}

const CapraMeasureVariant capra_measure_strips = {
  .name = "strips",
  .program = "measure-strips",
  .configure = strips_configure,
  .run_pass = strips_run_pass,
};
