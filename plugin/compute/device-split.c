/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Device split: how the rows of an image are split over several devices, according to measured speeds. */
#include "plugin/compute/device-split.h"

#include <string.h>

#include "runtime/device/device-select.h"

/* The minimum share of a device. A smaller share would cost more in transfers and synchronization than it gains. */
#define MIN_SHARE 0.05
/* The minimum number of pixels per device for the same reason. */
#define MIN_PIXELS 65536.0
/* The minimum speed of all devices together, relative to the fastest one. A split result costs the next operation a
 * copy if it needs the image on one device. */
#define MIN_GAIN 1.1
/* The number of runs after which the devices are measured again. */
#define PERIOD 64

/* What a run is used for. Each measured run follows a run with the same split that builds kernels and allocates memory.
 */
enum {
  PHASE_RATES_WARM_UP,
  PHASE_RATES, /* measures the rate of each device */
  PHASE_SPLIT_WARM_UP,
  PHASE_SPLIT, /* measures all devices together */
  PHASE_ALONE_WARM_UP,
  PHASE_ALONE, /* measures the fastest device alone */
  PHASE_DONE,  /* uses the measurements */
};

/* The measured speeds of one operation, in pixels per microsecond. */
typedef struct _CapraSpeeds {
  guint runs;
  double rates[CAPRA_DEVICE_SPLIT_MAX]; /* of each device, in the order of the list of devices */
  double split, alone;
} Speeds;

/* The registry of the process: speeds by the names of the operation and of its devices. */
static GMutex lock;
static GHashTable *registry;

static char *
make_key (const char *operation, const GPtrArray *devices)
{
  GString *key = g_string_new (operation);

  for (guint i = 0; i < devices->len; i++)
    g_string_append_printf (key, " %u", capra_device_get_info (devices->pdata[i])->index);
  return g_string_free (key, FALSE);
}

static Speeds *
get_speeds (const char *operation, const GPtrArray *devices)
{
  g_autofree char *key = make_key (operation, devices);
  Speeds *speeds = NULL;

  if (!registry)
    registry = g_hash_table_new (g_str_hash, g_str_equal);
  speeds = g_hash_table_lookup (registry, key);
  if (speeds)
    return speeds;

  speeds = g_new0 (Speeds, 1);
  for (guint i = 0; i < MIN (devices->len, CAPRA_DEVICE_SPLIT_MAX); i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);
      double values_per_cycle = info->type == CAPRA_DEVICE_CPU ? 8 : 64; /* of a compute unit, roughly */

      speeds->rates[i] = (double) capra_device_estimate_rate (devices->pdata[i]) * values_per_cycle;
    }
  g_hash_table_insert (registry, g_steal_pointer (&key), speeds);
  return speeds;
}

static guint
get_fastest (const Speeds *speeds, guint n)
{
  guint best = 0;

  for (guint i = 1; i < n; i++)
    if (speeds->rates[i] > speeds->rates[best])
      best = i;
  return best;
}

static guint
get_phase (const Speeds *speeds)
{
  return MIN (speeds->runs % PERIOD, PHASE_DONE);
}

/* Splits @height rows in proportion to @rates, without devices below the minimum share. */
static void
split_rows (CapraDeviceSplit *split, const double *rates, guint n, gint height)
{
  double total = 0.0, sum = 0.0;
  gint y = 0;

  for (guint i = 0; i < n; i++)
    total += rates[i];
  for (guint i = 0; i < n; i++)
    if (rates[i] >= MIN_SHARE * total && split->n < CAPRA_DEVICE_SPLIT_MAX)
      {
        split->device[split->n++] = i;
        sum += rates[i];
      }
  for (guint i = 0; i < split->n; i++)
    {
      double share = rates[split->device[i]] / sum;

      split->rows[i] = i + 1 == split->n ? height - y : (gint) (height * share);
      y += split->rows[i];
    }
}

CapraDeviceSplit
capra_device_split_begin (const char *operation, const GeglRectangle *roi, const GPtrArray *devices)
{
  guint n = MIN (devices->len, CAPRA_DEVICE_SPLIT_MAX);
  CapraDeviceSplit split = { 0 };
  gboolean small = (double) roi->width * roi->height < MIN_PIXELS * n || roi->height < 2 * (gint) n;
  gboolean alone = small;

  g_mutex_lock (&lock);
  split.speeds = get_speeds (operation, devices);
  split.width = roi->width;
  split.phase = small ? PHASE_DONE : get_phase (split.speeds);
  split.measures_rates = split.phase == PHASE_RATES;
  split.measured = split.phase == PHASE_RATES || split.phase == PHASE_SPLIT || split.phase == PHASE_ALONE;
  if (split.phase == PHASE_ALONE_WARM_UP || split.phase == PHASE_ALONE
      || (split.phase == PHASE_DONE && split.speeds->split < MIN_GAIN * split.speeds->alone))
    alone = TRUE;
  if (!small)
    split.speeds->runs++;
  if (!alone)
    split_rows (&split, split.speeds->rates, n, roi->height);
  if (split.n <= 1)
    {
      split.n = 1;
      split.device[0] = get_fastest (split.speeds, n);
      split.rows[0] = roi->height;
    }
  g_mutex_unlock (&lock);
  return split;
}

void
capra_device_split_end (const CapraDeviceSplit *split, const gint64 *times)
{
  Speeds *speeds = split->speeds;
  double rows = 0.0, longest = 1.0;

  for (guint i = 0; i < split->n; i++)
    {
      rows += split->rows[i];
      longest = MAX (longest, (double) times[i]);
    }
  g_mutex_lock (&lock);
  switch (split->phase)
    {
    case PHASE_RATES:
      memset (speeds->rates, 0, sizeof speeds->rates);
      for (guint i = 0; i < split->n; i++)
        speeds->rates[split->device[i]] = split->width * split->rows[i] / MAX (times[i], 1);
      break;
    case PHASE_SPLIT: speeds->split = rows * split->width / longest; break;
    case PHASE_ALONE: speeds->alone = rows * split->width / longest; break;
    default: break;
    }
  g_mutex_unlock (&lock);
}
