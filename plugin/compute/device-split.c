/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Plan: how an image's rows are divided among all devices, learned from how long they took before. */
#include "plugin/compute/device-split.h"

#include <string.h>

/* A device whose share would be smaller is left out: it would cost more than it brings. */
#define MIN_SHARE 0.05
/* So many pixels a device are worth the effort. */
#define MIN_PIXELS 65536.0
/* All together have to be so much faster than the fastest alone: the next step may need the image in one place. */
#define MIN_GAIN 1.1
/* After so many runs the devices are measured again. */
#define PERIOD 64

/* What a run is for. Before each that is measured, one of the same shares builds kernels and gets memory. */
enum {
  PHASE_RATES_COLD,
  PHASE_RATES, /* how fast each device is */
  PHASE_SPLIT_COLD,
  PHASE_SPLIT, /* how fast they are together */
  PHASE_ALONE_COLD,
  PHASE_ALONE, /* how fast the fastest one is alone */
  PHASE_BEST,  /* nothing: what was found out is used */
};

typedef struct _CapraExperience {
  guint runs;
  double rates[CAPRA_DEVICE_SPLIT_MAX]; /* pixels a microsecond, by the list of devices */
  double split, alone;
} Experience;

/* The one registry of the process: what is known of operations, by name. */
static GMutex lock;
static GHashTable *experiences;

static Experience *
experience_get (const char *operation, const GPtrArray *devices)
{
  Experience *found = NULL;

  if (!experiences)
    experiences = g_hash_table_new (g_str_hash, g_str_equal);
  found = g_hash_table_lookup (experiences, operation);
  if (found)
    return found;

  found = g_new0 (Experience, 1);
  for (guint i = 0; i < MIN (devices->len, CAPRA_DEVICE_SPLIT_MAX); i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);

      /* A unit of a graphics card computes many values at a time, one of a CPU a few. */
      found->rates[i] = (double) info->compute_units * MAX (info->clock, 1) * (info->type == CAPRA_DEVICE_CPU ? 8 : 64);
    }
  g_hash_table_insert (experiences, g_strdup (operation), found);
  return found;
}

static guint
fastest (const Experience *experience, guint n)
{
  guint best = 0;

  for (guint i = 1; i < n; i++)
    if (experience->rates[i] > experience->rates[best])
      best = i;
  return best;
}

static guint
phase_of (const Experience *experience)
{
  return MIN (experience->runs % PERIOD, PHASE_BEST);
}

/* Those devices that are worth it, by their shares of @height rows. */
static void
divide (CapraDeviceSplit *plan, const double *rates, guint n, gint height)
{
  double total = 0.0, sum = 0.0;
  gint y = 0;

  for (guint i = 0; i < n; i++)
    total += rates[i];
  for (guint i = 0; i < n; i++)
    if (rates[i] >= MIN_SHARE * total && plan->n < CAPRA_DEVICE_SPLIT_MAX)
      {
        plan->device[plan->n++] = i;
        sum += rates[i];
      }
  for (guint i = 0; i < plan->n; i++)
    {
      double share = rates[plan->device[i]] / sum;

      plan->rows[i] = i + 1 == plan->n ? height - y : (gint) (height * share);
      y += plan->rows[i];
    }
}

CapraDeviceSplit
capra_device_split_begin (const char *operation, const GeglRectangle *roi, const GPtrArray *devices)
{
  guint n = MIN (devices->len, CAPRA_DEVICE_SPLIT_MAX);
  CapraDeviceSplit plan = { 0 };
  gboolean small = (double) roi->width * roi->height < MIN_PIXELS * n || roi->height < 2 * (gint) n;
  gboolean alone = small;

  g_mutex_lock (&lock);
  plan.experience = experience_get (operation, devices);
  plan.row = roi->width;
  plan.phase = small ? PHASE_BEST : phase_of (plan.experience);
  plan.measures = plan.phase == PHASE_RATES || plan.phase == PHASE_SPLIT || plan.phase == PHASE_ALONE;
  if (plan.phase == PHASE_ALONE_COLD || plan.phase == PHASE_ALONE
      || (plan.phase == PHASE_BEST && plan.experience->split < MIN_GAIN * plan.experience->alone))
    alone = TRUE;
  if (!small)
    plan.experience->runs++;
  if (!alone)
    divide (&plan, plan.experience->rates, n, roi->height);
  if (plan.n <= 1)
    {
      plan.n = 1;
      plan.device[0] = fastest (plan.experience, n);
      plan.rows[0] = roi->height;
    }
  g_mutex_unlock (&lock);
  return plan;
}

void
capra_device_split_end (const CapraDeviceSplit *plan, const gint64 *times)
{
  Experience *experience = plan->experience;
  double rows = 0.0, longest = 1.0;

  for (guint i = 0; i < plan->n; i++)
    {
      rows += plan->rows[i];
      longest = MAX (longest, (double) times[i]);
    }
  g_mutex_lock (&lock);
  switch (plan->phase)
    {
    case PHASE_RATES:
      memset (experience->rates, 0, sizeof experience->rates);
      for (guint i = 0; i < plan->n; i++)
        experience->rates[plan->device[i]] = plan->row * plan->rows[i] / MAX (times[i], 1);
      break;
    case PHASE_SPLIT: experience->split = rows * plan->row / longest; break;
    case PHASE_ALONE: experience->alone = rows * plan->row / longest; break;
    default: break;
    }
  g_mutex_unlock (&lock);
}
