/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The copy bandwidth of a device, measured. */
#include <stdlib.h>

#include "launch.h"
#include "timeline-private.h"

#define BYTES ((gsize) 256 << 20)
#define REPEATS 9

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
capra_device_measure_copy (CapraDevice *device, GError **error)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  gsize words = MIN (BYTES, info->max_allocation / 4) / 4;
  CapraShape shape = CAPRA_SHAPE_2D (4096, MAX (words / 4096, 1), CAPRA_F32);
  g_autoptr(CapraArray) source = capra_array_new (device, &shape, error);
  g_autoptr(CapraArray) target = source ? capra_array_new (device, &shape, error) : NULL;
  double rates[REPEATS];

  for (guint i = 0; target && i < REPEATS + 1; i++)
    {
      double before = capra_timeline_total (device, "copy", NULL, NULL);

      if (!capra_array_copy (target, source, error))
        return -1;
      /* The first one warms up; its place is taken by the next. */
      rates[MAX (i, 1) - 1] = 2.0 * (double) capra_shape_bytes (&shape) * 1e3
                              / (capra_timeline_total (device, "copy", NULL, NULL) - before);
    }
  if (!target)
    return -1;
  qsort (rates, REPEATS, sizeof (double), compare_doubles);
  return rates[REPEATS / 2];
}
