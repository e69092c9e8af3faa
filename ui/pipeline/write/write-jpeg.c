/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write-jpeg: writes JPEG with gdk-pixbuf. gegl:jpg-save is not used: it exits the process if it cannot write. */
#include "ui/pipeline/write/save-private.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib/gi18n-lib.h>

#define MAX_SIDE 65500 /* pixels */

static gboolean
on_bytes (const char *data, gsize length, GError **error, gpointer file)
{
  return capra_output_file_write (file, data, length, error);
}

gboolean
capra_write_jpeg (CapraSaving *saving, CapraOutputFile *file, GError **error)
{
  const Babl *format = babl_format ("R'G'B' u8");
  int width = saving->bounds.width, height = saving->bounds.height, band;
  g_autoptr (GdkPixbuf) picture = NULL;

  if (width > MAX_SIDE || height > MAX_SIDE)
    return capra_saving_refuse (error, _ ("The image is too large for JPEG. Save as PNG or TIFF instead"));
  picture = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  if (!picture)
    return capra_saving_refuse (error, _ ("Not enough memory to save as JPEG. Save as PNG or TIFF instead"));
  capra_saving_set_format (saving, format);
  band = capra_saving_choose_rows (saving, (gsize) gdk_pixbuf_get_rowstride (picture));
  for (int y = 0; y < height; y += band)
    {
      int stride = gdk_pixbuf_get_rowstride (picture);

      if (!capra_saving_render (saving, y, MIN (band, height - y), format,
                                gdk_pixbuf_get_pixels (picture) + (gsize) y * stride, stride, error))
        return FALSE;
    }
  return gdk_pixbuf_save_to_callback (picture, on_bytes, file, "jpeg", error, "quality", "95", NULL);
}
