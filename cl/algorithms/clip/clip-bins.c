/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Clip, in bands: how many values of an image have each order key, in bins of 65536 keys. */
#include "algorithms/clip/clip-bins.h"

#include <math.h>
#include <string.h>

#include "algorithms/common/order-key.h"
#include "runtime/memory/array-transfer.h"

#define KEYS (1u << 16) /* of a bin */
#define BINS (1u << 16)
/* Keys that are computed at a time. */
#define CHUNK 4096

/* Sums of squares that do not depend on the order of bands. */
__extension__ typedef unsigned __int128 Squares;

/* The values of a bin are evenly spaced: floats of one sign and exponent, or integers. Positions are those of keys,
 * from 0 on. */
typedef struct {
  guint64 count, sum; /* of positions */
  Squares squares;
  guint64 *keys;   /* the number of values of each key; NULL while only the sums are known */
  gboolean wanted; /* whether the next pass counts the keys */
} Bin;

struct _CapraClipBins {
  CapraType type;
  gboolean read; /* whether the bins have their sums */
  guint wanted;  /* bins whose keys the next pass counts */
  Bin *bins;
};

CapraClipBins *
capra_clip_bins_new (CapraType type)
{
  CapraClipBins *bins = g_new0 (CapraClipBins, 1);

  bins->type = type;
  bins->bins = g_new0 (Bin, BINS);
  /* All values are in one bin. */
  if (capra_type_size (type) <= sizeof (guint16))
    bins->bins[0].keys = g_new0 (guint64, KEYS);
  return bins;
}

void
capra_clip_bins_free (CapraClipBins *bins)
{
  for (guint i = 0; i < BINS; i++)
    g_free (bins->bins[i].keys);
  g_free (bins->bins);
  g_free (bins);
}

/* The keys of the finite ones of @n values; returns their number. */
static gsize
get_keys (CapraType type, gconstpointer data, gsize first, gsize n, guint32 *keys)
{
  const guint32 bias = capra_order_key_bias (type);
  gsize found = 0;

  for (gsize i = first; i < first + n; i++)
    switch (type)
      {
      case CAPRA_U8: keys[found++] = ((const guint8 *) data)[i]; break;
      case CAPRA_I8: keys[found++] = (guint32) ((const gint8 *) data)[i] + bias; break;
      case CAPRA_U16: keys[found++] = ((const guint16 *) data)[i]; break;
      case CAPRA_I16: keys[found++] = (guint32) ((const gint16 *) data)[i] + bias; break;
      case CAPRA_U32: keys[found++] = ((const guint32 *) data)[i]; break;
      case CAPRA_I32: keys[found++] = (guint32) ((const gint32 *) data)[i] + bias; break;
      case CAPRA_F32:
        {
          guint32 bits = ((const guint32 *) data)[i];

          keys[found] = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
          found += (bits >> 23 & 255) < 255;
        }
      }
  return found;
}

static void
add_sums (CapraClipBins *bins, guint64 *squares, const guint32 *keys, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint64 position = keys[i] % KEYS;
      Bin *bin = &bins->bins[keys[i] / KEYS];

      bin->count++;
      bin->sum += position;
      squares[keys[i] / KEYS] += position * position;
      if (bin->keys)
        bin->keys[position]++;
    }
}

static void
count_keys (CapraClipBins *bins, const guint32 *keys, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (bins->bins[keys[i] / KEYS].wanted)
      bins->bins[keys[i] / KEYS].keys[keys[i] % KEYS]++;
}

static gboolean
read_band (CapraClipBins *bins, CapraArray *band, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (band);
  gsize all = capra_shape_count (shape);
  g_autofree guint8 *data = g_malloc (capra_shape_bytes (shape));
  /* Of one band, which is added up exactly. */
  g_autofree guint64 *squares = bins->read ? NULL : g_new0 (guint64, BINS);
  guint32 keys[CHUNK];

  if (!capra_array_download (band, data, error))
    return FALSE;
  for (gsize first = 0; first < all; first += CHUNK)
    {
      gsize n = get_keys (bins->type, data, first, MIN (CHUNK, all - first), keys);

      if (bins->read)
        count_keys (bins, keys, n);
      else
        add_sums (bins, squares, keys, n);
    }
  for (guint i = 0; squares && i < BINS; i++)
    bins->bins[i].squares += squares[i];
  return TRUE;
}

typedef struct {
  CapraClipBins *bins;
  GMutex lock; /* the bins are those of all parts */
} Reading;

/* A CapraBandPartFunc. */
static gboolean
read_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  Reading *reading = data;

  for (gsize i = 0; i < capra_band_source_count (part); i++)
    {
      g_autoptr (CapraArray) band = capra_band_source_read (part, i, error);
      gboolean done = FALSE;

      if (!band)
        return FALSE;
      g_mutex_lock (&reading->lock);
      done = read_band (reading->bins, band, error);
      g_mutex_unlock (&reading->lock);
      if (!done)
        return FALSE;
    }
  return TRUE;
}

gboolean
capra_clip_bins_read (CapraClipBins *bins, const CapraBandSource *input, GError **error)
{
  Reading reading = { bins };
  gboolean done = FALSE;

  for (guint i = 0; i < BINS; i++)
    if (bins->bins[i].wanted)
      bins->bins[i].keys = g_new0 (guint64, KEYS);
  g_mutex_init (&reading.lock);
  done = capra_band_source_run (input, read_part, &reading, error);
  g_mutex_clear (&reading.lock);
  if (!done)
    return FALSE;
  for (guint i = 0; i < BINS; i++)
    bins->bins[i].wanted = FALSE;
  bins->wanted = 0;
  bins->read = TRUE;
  return TRUE;
}

gboolean
capra_clip_bins_wants_more (const CapraClipBins *bins)
{
  return bins->wanted > 0;
}

/* A part of @bin has to be estimated. */
static void
want_keys (CapraClipBins *bins, Bin *bin)
{
  bins->wanted += !bin->wanted;
  bin->wanted = TRUE;
}

/* The positions of bin @i that are within @ends: from @part[0] to @part[1]. Returns whether that is the whole bin. */
static gboolean
get_part (const guint32 ends[2], guint32 i, guint32 part[2])
{
  part[0] = ends[0] / KEYS == i ? ends[0] % KEYS : 0;
  part[1] = ends[1] / KEYS == i ? ends[1] % KEYS : KEYS - 1;
  return part[0] == 0 && part[1] == KEYS - 1;
}

/* The value of the first key of bin @i, and the distance between two values. */
static double
get_scale (const CapraClipBins *bins, guint32 i, double *step)
{
  double begin = capra_order_key_to_value (bins->type, i * KEYS);

  *step = capra_order_key_to_value (bins->type, i * KEYS + 1) - begin;
  return begin;
}

/* The sums over the part of bin @i that is within @ends. */
static CapraClipSums
add_up_bin (CapraClipBins *bins, guint32 i, const guint32 ends[2], double center)
{
  Bin *bin = &bins->bins[i];
  CapraClipSums sums = { 0 };
  guint32 part[2];
  gboolean whole = get_part (ends, i, part);
  double step = 0, apart = get_scale (bins, i, &step) - center, share = (part[1] - part[0] + 1.0) / KEYS;

  /* The sums of the bin lose digits if the center is in it. */
  if (!bin->keys || (whole && (apart > 0 || apart + KEYS * step < 0)))
    {
      if (!whole)
        want_keys (bins, bin);
      sums.count = share * (double) bin->count;
      sums.sum = share * (double) bin->sum * step + sums.count * apart;
      sums.squares = share * (2 * apart * step * (double) bin->sum + step * step * (double) bin->squares)
                     + sums.count * apart * apart;
      return sums;
    }
  for (guint32 k = part[0]; k <= part[1]; k++)
    {
      double n = (double) bin->keys[k], d = apart + k * step;

      sums.count += n;
      sums.sum += n * d;
      sums.squares += n * d * d;
    }
  return sums;
}

CapraClipSums
capra_clip_bins_add_up (CapraClipBins *bins, const guint32 ends[2], double center)
{
  CapraClipSums all = { 0 };

  for (guint32 i = ends[0] / KEYS; i <= ends[1] / KEYS; i++)
    if (bins->bins[i].count > 0)
      {
        CapraClipSums own = add_up_bin (bins, i, ends, center);

        all.count += own.count;
        all.sum += own.sum;
        all.squares += own.squares;
      }
  return all;
}

/* The position of @rank in the part of bin @i. */
static double
find_position (CapraClipBins *bins, guint32 i, const guint32 ends[2], double rank, double count)
{
  Bin *bin = &bins->bins[i];
  guint32 part[2], k = 0;

  get_part (ends, i, part);
  if (!bin->keys)
    {
      want_keys (bins, bin);
      return part[0] + (part[1] - part[0]) * rank / count;
    }
  for (k = part[0]; k < part[1] && rank >= (double) bin->keys[k]; k++)
    rank -= (double) bin->keys[k];
  return k;
}

double
capra_clip_bins_get_value (CapraClipBins *bins, const guint32 ends[2], double rank)
{
  double step = 0, begin = 0, value = NAN;

  for (guint32 i = ends[0] / KEYS; i <= ends[1] / KEYS; i++)
    {
      double count = bins->bins[i].count > 0 ? add_up_bin (bins, i, ends, 0).count : 0;

      if (count == 0)
        continue;
      begin = get_scale (bins, i, &step);
      value = begin + step * find_position (bins, i, ends, MIN (rank, count - 1), count);
      if (rank < count)
        break;
      rank -= count;
    }
  return value;
}
