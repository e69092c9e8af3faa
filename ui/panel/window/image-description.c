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

/* (nullable): a component's type, %NULL for one that people do not know */
static const char *
describe_type (const Babl *type)
{
  static const struct {
    const char *name, *text;
  } types[] = { { "u8", N_ ("8 bits") },          { "u16", N_ ("16 bits") },  { "u32", N_ ("32 bits") },
                { "half", N_ ("16-bit floats") }, { "float", N_ ("floats") }, { "double", N_ ("64-bit floats") } };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (babl_get_name (type), types[i].name))
      return _ (types[i].text);
  return NULL;
}

static const char *
describe_model (const Babl *format)
{
  BablModelFlag flags = babl_get_model_flags (babl_format_get_model (format));
  gboolean alpha = babl_format_has_alpha (format);

  if (babl_format_is_palette (format))
    return alpha ? _ ("indexed colors, transparency") : _ ("indexed colors");
  if (flags & BABL_MODEL_FLAG_GRAY)
    return alpha ? _ ("gray, transparency") : _ ("gray");
  if (flags & BABL_MODEL_FLAG_CMYK)
    return _ ("CMYK");
  return alpha ? _ ("RGB, transparency") : _ ("RGB");
}

/* For people: babl names formats as "R'G'B'A u8", and palettes by their address. */
static char *
describe_format (const Babl *format)
{
  const char *model = describe_model (format), *type = describe_type (babl_format_get_type (format, 0));

  if (!type || babl_format_is_palette (format))
    return g_strdup (model);
  return g_strdup_printf ("%s, %s", model, type);
}

static const char *
describe_samples (CapraSampleType type)
{
  static const char *const texts[] = {
    [CAPRA_SAMPLE_U8] = N_ ("8-bit integers"),   [CAPRA_SAMPLE_I8] = N_ ("signed 8-bit integers"),
    [CAPRA_SAMPLE_U16] = N_ ("16-bit integers"), [CAPRA_SAMPLE_I16] = N_ ("signed 16-bit integers"),
    [CAPRA_SAMPLE_U32] = N_ ("32-bit integers"), [CAPRA_SAMPLE_I32] = N_ ("signed 32-bit integers"),
    [CAPRA_SAMPLE_U64] = N_ ("64-bit integers"), [CAPRA_SAMPLE_I64] = N_ ("signed 64-bit integers"),
    [CAPRA_SAMPLE_F16] = N_ ("16-bit floats"),   [CAPRA_SAMPLE_F32] = N_ ("floats"),
    [CAPRA_SAMPLE_F64] = N_ ("64-bit floats"),
  };

  return (gsize) type < G_N_ELEMENTS (texts) && texts[type] ? _ (texts[type]) : "";
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
  g_autofree char *format = describe_format (gegl_buffer_get_format (image));

  if (raw)
    g_string_append_printf (text, _ ("%d × %d, raw values (%s)"), extent->width, extent->height,
                            describe_samples (raw->type));
  else
    g_string_append_printf (text, _ ("%d × %d, %s"), extent->width, extent->height, format);
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
