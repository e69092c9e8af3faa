/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Formats: the babl format in which an operation works, and its equivalent in libcapra. */
#include "plugin/buffers/format.h"

/* babl's names of the encodings. "'" stands for the transfer curve of the color space, "~" for that of sRGB. */
static const struct {
  const char *name;
  CapraColor color;
  char curve;
} encodings[] = {
  { "Y float", CAPRA_COLOR_Y, 0 },
  { "YA float", CAPRA_COLOR_YA, 0 },
  { "YaA float", CAPRA_COLOR_YaA, 0 },
  { "RGB float", CAPRA_COLOR_RGB, 0 },
  { "RGBA float", CAPRA_COLOR_RGBA, 0 },
  { "RaGaBaA float", CAPRA_COLOR_RaGaBaA, 0 },
  { "Y' float", CAPRA_COLOR_Y, '\'' },
  { "Y'A float", CAPRA_COLOR_YA, '\'' },
  { "R'G'B' float", CAPRA_COLOR_RGB, '\'' },
  { "R'G'B'A float", CAPRA_COLOR_RGBA, '\'' },
  { "Y~ float", CAPRA_COLOR_Y, '~' },
  { "Y~A float", CAPRA_COLOR_YA, '~' },
  { "R~G~B~ float", CAPRA_COLOR_RGB, '~' },
  { "R~G~B~A float", CAPRA_COLOR_RGBA, '~' },
  { "Y' u8", CAPRA_COLOR_Y, '\'' },
  { "Y'A u8", CAPRA_COLOR_YA, '\'' },
  { "R'G'B' u8", CAPRA_COLOR_RGB, '\'' },
  { "R'G'B'A u8", CAPRA_COLOR_RGBA, '\'' },
  { "Y' u16", CAPRA_COLOR_Y, '\'' },
  { "Y'A u16", CAPRA_COLOR_YA, '\'' },
  { "R'G'B' u16", CAPRA_COLOR_RGB, '\'' },
  { "R'G'B'A u16", CAPRA_COLOR_RGBA, '\'' },
  { "Y u16", CAPRA_COLOR_Y, 0 },
  { "YA u16", CAPRA_COLOR_YA, 0 },
  { "RGB u16", CAPRA_COLOR_RGB, 0 },
  { "RGBA u16", CAPRA_COLOR_RGBA, 0 },
};

gboolean
capra_format_has_alpha (const Babl *format)
{
  return format && babl_format_has_alpha (format);
}

/* The number of channels does not determine the model: CMYK has four without alpha, palettes have one. The model's
 * flags do. Models that are neither gray nor RGB are converted to RGB with alpha. */
const Babl *
capra_format_working (const Babl *source, CapraWork work)
{
  const Babl *space = source ? babl_format_get_space (source) : NULL;
  gboolean palette = source && babl_format_is_palette (source);
  int flags = source && !palette ? babl_get_model_flags (babl_format_get_model (source)) : 0;
  gboolean gray = (flags & BABL_MODEL_FLAG_GRAY) != 0;
  gboolean known = gray || (flags & BABL_MODEL_FLAG_RGB) != 0;
  gboolean alpha = !known || (flags & BABL_MODEL_FLAG_ALPHA) != 0;
  const char *name = NULL;

  switch (work)
    {
    case CAPRA_WORK_AVERAGE:
      name = gray ? (alpha ? "YaA float" : "Y float") : (alpha ? "RaGaBaA float" : "RGB float");
      break;
    case CAPRA_WORK_LUMINANCE: name = "Y float"; break;
    case CAPRA_WORK_LUMA: name = "Y' float"; break;
    case CAPRA_WORK_VALUES: name = gray ? "Y float" : "RGB float"; break;
    case CAPRA_WORK_ALL: name = gray ? (alpha ? "YA float" : "Y float") : (alpha ? "RGBA float" : "RGB float"); break;
    }
  return babl_format_with_space (name, space);
}

static gboolean
space_is_srgb_curve (const Babl *space)
{
  const Babl *red = NULL, *green = NULL, *blue = NULL;
  const Babl *srgb = babl_trc ("sRGB");

  babl_space_get (space, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &red, &green, &blue);
  return red == srgb && (!green || green == srgb) && (!blue || blue == srgb);
}

/* The index of @format in the table of encodings, whatever its color space; -1 if it is not there. */
static gint
find_encoding (const Babl *format)
{
  const Babl *space = babl_format_get_space (format);

  for (guint i = 0; i < G_N_ELEMENTS (encodings); i++)
    if (format == babl_format_with_space (encodings[i].name, space))
      return (gint) i;
  return -1;
}

gboolean
capra_format_get_color (const Babl *format, CapraColor *color)
{
  gint index = find_encoding (format);

  if (index >= 0)
    *color = encodings[index].color;
  return index >= 0;
}

gboolean
capra_format_get_encoding (const Babl *format, CapraEncoding *encoding)
{
  gint index = find_encoding (format);

  if (index < 0)
    return FALSE;
  encoding->color = encodings[index].color;
  encoding->perceptual = encodings[index].curve != 0;
  return encodings[index].curve != '\'' || space_is_srgb_curve (babl_format_get_space (format));
}

gboolean
capra_format_get_shape (const Babl *format, gsize width, gsize height, CapraShape *shape)
{
  static const char *const types[] = { "u8", NULL, "u16", NULL, "u32", NULL, "float" };
  int channels = babl_format_get_n_components (format);
  const Babl *type = babl_format_get_type (format, 0);

  if (channels < 1 || channels > 4)
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i] && type == babl_type (types[i]))
      {
        *shape = (CapraShape){ width, height, 1, (guint) channels, (CapraType) i };
        return TRUE;
      }
  return FALSE;
}

gboolean
capra_format_get_conversion (const Babl *from, const Babl *to, CapraConversion *conversion)
{
  return babl_format_get_type (to, 0) == babl_type ("float") && capra_format_get_tile_conversion (from, to, conversion);
}

gboolean
capra_format_get_tile_conversion (const Babl *from, const Babl *to, CapraConversion *conversion)
{
  const Babl *space = babl_format_get_space (from);

  if (space != babl_format_get_space (to) || !capra_format_get_encoding (from, &conversion->from)
      || !capra_format_get_encoding (to, &conversion->to))
    return FALSE;
  babl_space_get_rgb_luminance (space, &conversion->luminance[0], &conversion->luminance[1], &conversion->luminance[2]);
  return TRUE;
}

const Babl *
capra_format_for_upload (const Babl *source, const Babl *wanted)
{
  const Babl *all = capra_format_working (source, CAPRA_WORK_ALL);
  CapraConversion conversion;

  if (source == wanted || capra_format_get_conversion (source, wanted, &conversion))
    return source;
  return capra_format_get_conversion (all, wanted, &conversion) ? all : wanted;
}
