/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-description: an image's size and format, for the title of a window. */
#include "ui/panel/window/image-description.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/preview/selection-view.h"
#include "ui/pipeline/graph/layer-target.h"
#include "ui/pipeline/read/fits-keywords.h"
#include "ui/pipeline/read/raw-values.h"

/* As many as a tooltip can show. */
#define MAX_KEYWORDS 40

/* babl names palettes, and formats with a color space, by their address. */
static const char *
describe_format (const Babl *format)
{
  if (!babl_format_is_palette (format))
    return babl_format_get_encoding (format);
  return babl_format_has_alpha (format) ? _ ("indexed colors, transparency") : _ ("indexed colors");
}

static void
append_target (GString *text, const CapraLayerTarget *target)
{
  if (target->selection)
    {
      GeglRectangle area = capra_selection_get_bounds (target->selection);

      g_string_append_printf (text, _ (", selection %d × %d"), area.width, area.height);
    }
  if (target->n_effects > 0)
    g_string_append_printf (text,
                            target->with_effects
                              ? ngettext (", with its effect", ", with its %u effects", target->n_effects)
                              : ngettext (", before its effect", ", before its %u effects", target->n_effects),
                            target->n_effects);
}

char *
capra_image_description_new (GeglBuffer *image)
{
  const GeglRectangle *extent = gegl_buffer_get_extent (image);
  const CapraRawValues *raw = capra_raw_values_get (image);
  const CapraLayerTarget *target = capra_layer_target_get (image);
  GString *text = g_string_new (NULL);

  if (raw)
    g_string_append_printf (text, _ ("%d × %d, raw values (%s)"), extent->width, extent->height,
                            capra_sample_type_get_name (raw->type));
  else
    g_string_append_printf (text, _ ("%d × %d, %s"), extent->width, extent->height,
                            describe_format (gegl_buffer_get_format (image)));
  if (target)
    append_target (text, target);
  return g_string_free (text, FALSE);
}

char *
capra_image_description_new_keywords (GeglBuffer *image)
{
  CapraFitsHeader *header = capra_fits_keywords_get (image);
  g_autofree char *text = header ? capra_fits_header_to_string (header) : NULL;
  g_auto (GStrv) lines = NULL;

  if (!text)
    return NULL;
  lines = g_strsplit (g_strchomp (text), "\n", MAX_KEYWORDS + 1);
  if (g_strv_length (lines) > MAX_KEYWORDS)
    {
      g_free (lines[MAX_KEYWORDS]);
      lines[MAX_KEYWORDS] = g_strdup ("…");
    }
  return g_strjoinv ("\n", lines);
}
