/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write-netpbm: writes binary PPM (RGB) and PGM (gray) with 8 or 16 bits. */
#include "ui/pipeline/write/save-private.h"

#include "ui/pipeline/graph/display.h"

static void
swap_bytes (guint16 *values, gsize count)
{
  for (gsize i = 0; i < count; i++)
    values[i] = GUINT16_TO_BE (values[i]);
}

static gboolean
write_rows (CapraSaving *saving, CapraOutputFile *file, gboolean gray, GError **error)
{
  gboolean labels = gray && capra_format_is_labels (capra_graph_get_format (saving->graph));
  int bits = labels ? 16 : saving->bits, width = saving->bounds.width, height = saving->bounds.height;
  gsize samples = (gsize) width * (gray ? 1 : 3), bytes = samples * (gsize) bits / 8;
  int band = capra_saving_choose_rows (saving, bytes);
  g_autofree char *name = g_strdup_printf ("%s u%d", gray ? "Y'" : "R'G'B'", bits);
  g_autofree char *head = g_strdup_printf ("P%d\n%d %d\n%d\n", gray ? 5 : 6, width, height, (1 << bits) - 1);
  g_autofree gpointer pixels = g_malloc (bytes * (gsize) band);

  if (!capra_output_file_write (file, head, strlen (head), error))
    return FALSE;
  for (int y = 0; y < height; y += band)
    {
      int rows = MIN (band, height - y);
      gboolean good = labels
                        ? capra_saving_render_labels (saving, y, rows, pixels, error)
                        : capra_saving_render (saving, y, rows, babl_format (name), pixels, GEGL_AUTO_ROWSTRIDE, error);

      if (good && bits == 16)
        swap_bytes (pixels, samples * (gsize) rows);
      if (!good || !capra_output_file_write (file, pixels, bytes * (gsize) rows, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
capra_write_ppm (CapraSaving *saving, CapraOutputFile *file, GError **error)
{
  return write_rows (saving, file, FALSE, error);
}

gboolean
capra_write_pgm (CapraSaving *saving, CapraOutputFile *file, GError **error)
{
  return write_rows (saving, file, TRUE, error);
}
