/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probe: the values of one pixel as text. */
#include "ui/panel/preview/probe.h"

#include "ui/pipeline/graph/display.h"

/* One component of a pixel, not converted. */
static double
read_component (const Babl *type, const guint8 *data)
{
  if (type == babl_type ("u8"))
    return *data;
  if (type == babl_type ("u16"))
    return *(const guint16 *) data;
  if (type == babl_type ("u32"))
    return *(const guint32 *) data;
  if (type == babl_type ("double"))
    return *(const double *) data;
  return *(const float *) data;
}

void
capra_probe_buffer (GeglBuffer *buffer, int x, int y, CapraProbe *probe)
{
  const Babl *format = gegl_buffer_get_format (buffer);
  const Babl *type = babl_format_get_type (format, 0);
  GeglRectangle rect = { x, y, 1, 1 };
  guint count = (guint) babl_format_get_n_components (format);
  guint8 data[5 * sizeof (double)];
  gsize size;

  *probe = (CapraProbe){ .x = x, .y = y };
  if (!gegl_rectangle_contains (gegl_buffer_get_extent (buffer), &rect))
    return;
  if (babl_format_is_palette (format) || count > 5 || type == babl_type ("half"))
    {
      format = babl_format ("R'G'B'A float");
      type = babl_type ("float");
      count = 4;
    }
  gegl_buffer_get (buffer, &rect, 1.0, format, data, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  size = (gsize) babl_format_get_bytes_per_pixel (format) / count;
  for (guint i = 0; i < count; i++)
    probe->values[i] = read_component (type, data + i * size);
  probe->count = count;
  probe->label = capra_format_is_labels (format);
  probe->floats = type == babl_type ("float") || type == babl_type ("double");
}
