/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probe: the values of pixels as they are, for numbers on the screen. */
#include "ui/panel/preview/probe.h"

#include <glib/gi18n-lib.h>
#include <string.h>

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

/* The format whose components are read: that of the buffer, unless they have no meaning or no C type. Colors of a
 * palette are bytes. */
static const Babl *
choose_format (const Babl *format)
{
  gboolean usable = babl_format_get_n_components (format) <= CAPRA_PROBE_MAX
                    && babl_format_get_type (format, 0) != babl_type ("half");

  if (babl_format_is_palette (format))
    return babl_format (babl_format_has_alpha (format) ? "R'G'B'A u8" : "R'G'B' u8");
  return usable ? format : babl_format ("R'G'B'A float");
}

void
capra_probe_describe (const Babl *format, CapraProbe *probe)
{
  const Babl *chosen = choose_format (format), *type = babl_format_get_type (chosen, 0);

  probe->count = (guint) babl_format_get_n_components (chosen);
  probe->label = capra_format_is_labels (format);
  probe->floats = type == babl_type ("float") || type == babl_type ("double");
}

double *
capra_probe_read (GeglBuffer *buffer, const GeglRectangle *rect)
{
  const Babl *format = choose_format (gegl_buffer_get_format (buffer)), *type = babl_format_get_type (format, 0);
  gsize components = (gsize) babl_format_get_n_components (format);
  gsize bytes = (gsize) babl_format_get_bytes_per_pixel (format);
  gsize count = (gsize) rect->width * (gsize) rect->height * components;
  g_autofree guint8 *data = g_malloc (count / components * bytes);
  double *values = g_new (double, count);

  gegl_buffer_get (buffer, rect, 1.0, format, data, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gsize i = 0; i < count; i++)
    values[i] = read_component (type, data + i * (bytes / components));
  return values;
}

void
capra_probe_buffer (GeglBuffer *buffer, int x, int y, CapraProbe *probe)
{
  GeglRectangle rect = { x, y, 1, 1 };
  g_autofree double *values = NULL;

  *probe = (CapraProbe){ .x = x, .y = y };
  if (!gegl_rectangle_contains (gegl_buffer_get_extent (buffer), &rect))
    return;
  capra_probe_describe (gegl_buffer_get_format (buffer), probe);
  values = capra_probe_read (buffer, &rect);
  memcpy (probe->values, values, probe->count * sizeof *values);
}

void
capra_probe_append_values (const CapraProbe *probe, gboolean raw, GString *text)
{
  if (probe->label)
    {
      if (probe->values[0] == 0.0)
        g_string_append (text, _ ("Background"));
      else
        g_string_append_printf (text, _ ("Region %.0f"), probe->values[0]);
      return;
    }
  for (guint i = 0; i < probe->count; i++)
    {
      const char *separator = i ? "  " : "";

      if (raw)
        g_string_append_printf (text, "%s%.8g", separator, probe->values[i]);
      else
        g_string_append_printf (text, probe->floats ? "%s%.4f" : "%s%.0f", separator, probe->values[i]);
    }
}
