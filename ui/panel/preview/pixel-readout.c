/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixel-readout: the values of a pixel, before and after the steps, as text. */
#include "ui/panel/preview/pixel-readout.h"

#include "ui/pipeline/read/raw-values.h"

static void
append_result (CapraPreview *preview, gboolean raw, int x, int y, GString *text)
{
  CapraProbe result;

  capra_preview_get_probe (preview, &result);
  if (result.x != x || result.y != y)
    {
      capra_preview_probe (preview, x, y);
      return;
    }
  if (result.count == 0)
    return;
  g_string_append (text, "→  ");
  capra_probe_append_values (&result, raw, text);
}

char *
capra_pixel_readout_describe (GeglBuffer *image, CapraPreview *preview, int x, int y)
{
  gboolean raw = capra_raw_values_get (image) != NULL;
  GString *text = g_string_new (NULL);
  CapraProbe before;

  capra_probe_buffer (image, x, y, &before);
  g_string_append_printf (text, "%d, %d    ", x, y);
  capra_probe_append_values (&before, raw, text);
  g_string_append (text, "\n");
  if (preview)
    append_result (preview, raw, x, y, text);
  return g_string_free (text, FALSE);
}
