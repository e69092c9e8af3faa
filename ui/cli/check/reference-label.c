/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels by flood fill: regions in raster order, those that the options exclude removed afterwards. */
#include "ui/cli/check/reference-label.h"

/* Fills the region of the pixel @start. Returns its size and whether it touches the edge. */
static gsize
flood (const guint8 *mask, gsize width, gsize height, const CapraLabelOptions *options, guint32 *labels, gsize *stack,
       gsize start, guint32 number, gboolean *edge)
{
  gsize n = 0, done = 0;

  labels[start] = number;
  stack[n++] = start;
  while (done < n)
    {
      gsize i = stack[done++], x = i % width, y = i / width;

      if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        *edge = TRUE;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          {
            gsize j = i + dy * (gssize) width + dx;

            if ((options->connectivity == 4 && dx && dy) || x + dx >= width || y + dy >= height || !mask[j]
                || labels[j])
              continue;
            labels[j] = number;
            stack[n++] = j;
          }
    }
  return n;
}

guint32 *
reference_label (const guint8 *mask, gsize width, gsize height, const CapraLabelOptions *options, guint32 *count)
{
  guint32 *labels = g_new0 (guint32, width * height);
  g_autofree gsize *stack = g_new (gsize, width * height);

  *count = 0;
  for (gsize i = 0; i < width * height; i++)
    if (mask[i] && !labels[i])
      {
        gboolean edge = FALSE;
        gsize n = flood (mask, width, height, options, labels, stack, i, *count + 1, &edge);

        if (n < options->min_size || (options->max_size && n > options->max_size) || (edge && options->exclude_edges))
          for (gsize j = 0; j < n; j++)
            labels[stack[j]] = G_MAXUINT32;
        else
          ++*count;
      }
  for (gsize i = 0; i < width * height; i++)
    if (labels[i] == G_MAXUINT32)
      labels[i] = 0;
  return labels;
}
