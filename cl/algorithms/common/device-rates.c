/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Rates of a device: medians of several copies, and of several runs of arithmetic.cl. */
#include "algorithms/common/device-rates.h"

#include <stdlib.h>

#include "algorithms/common/fill.h"
#include "runtime/launch/launch.h"
#include "runtime/memory/array-copy.h"
#include "runtime/trace/timeline.h"

#define BYTES ((gsize) 256 << 20)
#define REPEATS 9

/* As in arithmetic.cl. */
#define ADDS_EACH 128
#define TURNS 512
#define ITEMS_PER_UNIT 2048
#define GROUP 64

typedef gboolean Command (CapraArray *target, CapraArray *source, GError **error);

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static gboolean
copy (CapraArray *target, CapraArray *source, GError **error)
{
  return capra_array_copy (target, source, error);
}

static gboolean
arithmetic (CapraArray *target, CapraArray *source, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, target->context, "arithmetic", NULL, "arithmetic");
  capra_launch_write (&launch, target);
  capra_launch_int (&launch, TURNS);
  capra_launch_float (&launch, 0.999f);
  capra_launch_float (&launch, 0.5f);
  return capra_launch_run_1d (&launch, capra_array_get_shape (target)->width, GROUP, 0, error);
}

/* The rate per second of a command that does @amount, at the median; its record in the timeline has @name. */
static double
measure (Command *command, const char *name, double amount, CapraArray *target, CapraArray *source, GError **error)
{
  CapraDevice *device = capra_array_get_device (target);
  double rates[REPEATS];

  for (guint i = 0; i < REPEATS + 1; i++)
    {
      double before = capra_timeline_total (device, name, NULL, NULL);

      if (!command (target, source, error))
        return -1;
      /* The first run warms up; the next one overwrites its rate. */
      rates[MAX (i, 1) - 1] = amount * 1e3 / (capra_timeline_total (device, name, NULL, NULL) - before);
    }
  qsort (rates, REPEATS, sizeof (double), compare_doubles);
  return rates[REPEATS / 2];
}

double
capra_device_measure_copy (CapraDevice *device, GError **error)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  gsize words = MIN (BYTES, info->max_allocation / 4) / 4;
  CapraShape shape = CAPRA_SHAPE_2D (4096, MAX (words / 4096, 1), CAPRA_F32);
  g_autoptr (CapraArray) source = capra_array_new (device, &shape, error);
  g_autoptr (CapraArray) target = source ? capra_array_new (device, &shape, error) : NULL;

  return target ? measure (copy, "copy", 2.0 * (double) capra_shape_bytes (&shape), target, source, error) : -1;
}

/* An array with a float for each work-item. */
static CapraArray *
arithmetic_target (CapraDevice *device, GError **error)
{
  gsize items = (gsize) capra_device_get_info (device)->compute_units * ITEMS_PER_UNIT;
  CapraContext *context = capra_context_get (device, error);

  return context ? capra_array_new_uninitialized (context, &CAPRA_SHAPE_2D (items, 1, CAPRA_F32), error) : NULL;
}

double
capra_device_measure_arithmetic (CapraDevice *device, GError **error)
{
  g_autoptr (CapraArray) target = arithmetic_target (device, error);
  double adds = target ? (double) capra_array_get_shape (target)->width * ADDS_EACH * TURNS : 0;

  return target ? measure (arithmetic, "arithmetic", adds, target, NULL, error) : -1;
}

gboolean
capra_device_keep_busy (CapraDevice *device, GError **error)
{
  g_autoptr (CapraArray) target = arithmetic_target (device, error);

  return target && arithmetic (target, NULL, error);
}
