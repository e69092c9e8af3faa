/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: joins the regions of an image's bands, on the host. */
#include "algorithms/label/label-seams.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/base/error.h"

struct _CapraLabelSeams {
  CapraLabelOptions options;
  gsize width;
  guint32 *above;  /* labels of the last row so far, as parts + 1; 0 is background */
  GArray *begins;  /* of guint32: the first part of each band, and the end of the last one */
  GArray *parents; /* of guint32, for each part: one of the same region, not behind it; in the end its number */
  GArray *sizes;   /* of CapraLabelSize, for each part; empty if all regions are kept */
};

CapraLabelSeams *
capra_label_seams_new (const CapraLabelOptions *options, gsize width)
{
  CapraLabelSeams *seams = g_new (CapraLabelSeams, 1);
  guint32 none = 0;

  *seams = (CapraLabelSeams){ *options, width, g_new0 (guint32, width) };
  seams->begins = g_array_new (FALSE, FALSE, sizeof (guint32));
  seams->parents = g_array_new (FALSE, FALSE, sizeof (guint32));
  seams->sizes = g_array_new (FALSE, TRUE, sizeof (CapraLabelSize));
  g_array_append_val (seams->begins, none);
  return seams;
}

void
capra_label_seams_free (CapraLabelSeams *seams)
{
  g_free (seams->above);
  g_array_unref (seams->begins);
  g_array_unref (seams->parents);
  g_array_unref (seams->sizes);
  g_free (seams);
}

/* The first part of the region of @part, as far as it is known. Shortens the way to it. */
static guint32
find_first (CapraLabelSeams *seams, guint32 part)
{
  guint32 *parents = (guint32 *) (gpointer) seams->parents->data;

  while (parents[part] != part)
    part = parents[part] = parents[parents[part]];
  return part;
}

static void
join (CapraLabelSeams *seams, guint32 one, guint32 other)
{
  guint32 a = find_first (seams, one), b = find_first (seams, other);

  ((guint32 *) (gpointer) seams->parents->data)[MAX (a, b)] = MIN (a, b);
}

/* Joins the part at @x of a band's first row with those above it that it touches. */
static void
join_above (CapraLabelSeams *seams, gsize x, guint32 part)
{
  gsize reach = seams->options.connectivity == 8 ? 1 : 0;
  gsize first = x - MIN (x, reach), last = MIN (x + reach, seams->width - 1);

  for (gsize i = first; i <= last; i++)
    if (seams->above[i])
      join (seams, seams->above[i] - 1, part);
}

gboolean
capra_label_seams_add_band (CapraLabelSeams *seams, guint32 count, const guint32 *first, const guint32 *last,
                            GError **error)
{
  guint32 begin = seams->parents->len, end = begin + count;

  /* The largest number of elements of an array. */
  if (count > G_MAXINT32 - begin)
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                           _ ("the image has more regions than can be labeled in bands of rows: increase the memory "
                              "budget, blur the image, or label it in parts"));
      return FALSE;
    }
  for (guint32 part = begin; part < end; part++)
    g_array_append_val (seams->parents, part);
  for (gsize x = 0; x < seams->width; x++)
    if (first[x])
      join_above (seams, x, begin + first[x] - 1);
  for (gsize x = 0; x < seams->width; x++)
    seams->above[x] = last[x] ? begin + last[x] : 0;
  g_array_append_val (seams->begins, end);
  return TRUE;
}

void
capra_label_seams_add_sizes (CapraLabelSeams *seams, const GArray *sizes)
{
  guint32 begin = g_array_index (seams->begins, guint32, seams->begins->len - 2);

  g_array_set_size (seams->sizes, seams->parents->len);
  if (sizes->len > 0)
    memcpy (&g_array_index (seams->sizes, CapraLabelSize, begin), sizes->data, sizes->len * sizeof (CapraLabelSize));
}

static gboolean
keeps (const CapraLabelSeams *seams, guint32 part)
{
  const CapraLabelOptions *options = &seams->options;
  const CapraLabelSize *size = seams->sizes->len > 0 ? &g_array_index (seams->sizes, CapraLabelSize, part) : NULL;

  return !size
         || (size->pixels >= options->min_size && (options->max_size == 0 || size->pixels <= options->max_size)
             && !(options->exclude_edges && size->edge));
}

guint32
capra_label_seams_number (CapraLabelSeams *seams)
{
  guint32 *parents = (guint32 *) (gpointer) seams->parents->data, regions = 0;
  guint32 n = seams->parents->len;

  for (guint32 part = 0; part < n && seams->sizes->len > 0; part++)
    {
      const CapraLabelSize *own = &g_array_index (seams->sizes, CapraLabelSize, part);
      CapraLabelSize *all = &g_array_index (seams->sizes, CapraLabelSize, find_first (seams, part));

      if (own == all)
        continue;
      all->pixels += own->pixels;
      all->edge |= own->edge;
    }
  /* Parents are before their children, and have their numbers already. */
  for (guint32 part = 0; part < n; part++)
    if (parents[part] != part)
      parents[part] = parents[parents[part]];
    else
      parents[part] = keeps (seams, part) ? ++regions : 0;
  return regions;
}

guint32 *
capra_label_seams_get_numbers (const CapraLabelSeams *seams, gsize i, gsize *count)
{
  guint32 begin = g_array_index (seams->begins, guint32, i), end = g_array_index (seams->begins, guint32, i + 1);
  guint32 *numbers = g_new0 (guint32, (gsize) (end - begin) + 1);

  if (end > begin)
    memcpy (numbers + 1, &g_array_index (seams->parents, guint32, begin), (gsize) (end - begin) * sizeof *numbers);
  *count = (gsize) (end - begin) + 1;
  return numbers;
}
