/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Color steps: chooses the steps of a conversion. */
#include "algorithms/common/color-steps.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "algorithms/common/convert-params.h"
#include "runtime/memory/array-buffer.h"

typedef struct {
  guint colors, channels;
  gboolean alpha, associated;
} Layout;

static const Layout layouts[] = {
  [CAPRA_COLOR_Y] = { 1, 1, FALSE, FALSE },   [CAPRA_COLOR_YA] = { 1, 2, TRUE, FALSE },
  [CAPRA_COLOR_YaA] = { 1, 2, TRUE, TRUE },   [CAPRA_COLOR_RGB] = { 3, 3, FALSE, FALSE },
  [CAPRA_COLOR_RGBA] = { 3, 4, TRUE, FALSE }, [CAPRA_COLOR_RaGaBaA] = { 3, 4, TRUE, TRUE },
};

guint
capra_color_channels (CapraColor color)
{
  g_return_val_if_fail ((guint) color < G_N_ELEMENTS (layouts), 0);

  return layouts[color].channels;
}

int
capra_color_largest (CapraType type)
{
  return type == CAPRA_F32 ? 1 : type == CAPRA_U8 ? G_MAXUINT8 : type == CAPRA_U16 ? G_MAXUINT16 : 0;
}

int
capra_color_get_steps (CapraEncoding from_encoding, CapraEncoding to_encoding)
{
  const Layout *from = &layouts[from_encoding.color], *to = &layouts[to_encoding.color];
  gboolean gray = from->colors > to->colors;
  /* Luminance is computed from linear values. */
  gboolean decode = from_encoding.perceptual && (gray || !to_encoding.perceptual);
  gboolean encode = to_encoding.perceptual && (gray || !from_encoding.perceptual);
  gboolean straight = decode || encode;

  return (from->associated && (straight || !to->associated) ? CONVERT_DIVIDE : 0) | (decode ? CONVERT_DECODE : 0)
         | (encode ? CONVERT_ENCODE : 0) | (to->associated && (straight || !from->associated) ? CONVERT_MULTIPLY : 0);
}

static double
decode (double value)
{
  return value > 0.04045 ? pow ((value + 0.055) / 1.055, 2.4) : value / 12.92;
}

const float *
capra_color_get_curve (int steps)
{
  static float curves[2][CAPRA_COLOR_CURVE_VALUES];
  static gsize filled = 0;

  if (g_once_init_enter (&filled))
    {
      for (int i = 0; i < 256; i++)
        {
          curves[FALSE][i] = curves[FALSE][256 + i] = curves[TRUE][256 + i] = (float) i / 255.0f;
          curves[TRUE][i] = (float) decode (i / 255.0);
        }
      g_once_init_leave (&filled, 1);
    }
  return curves[(steps & CONVERT_DECODE) != 0];
}

gboolean
capra_color_fuses (const CapraShape *shape, const CapraConversion *conversion)
{
  const Layout *from = &layouts[conversion->from.color], *to = &layouts[conversion->to.color];
  int steps = capra_color_get_steps (conversion->from, conversion->to);

  return from->channels == shape->channels && to->channels == shape->channels && from->colors == to->colors
         && (steps & ~(CONVERT_DECODE | CONVERT_MULTIPLY)) == 0 && capra_color_largest (shape->type) > 0;
}

gboolean
capra_color_straightens (guint channels, const CapraConversion *conversion)
{
  return conversion && layouts[conversion->from.color].channels == channels
         && layouts[conversion->to.color].channels == channels
         && capra_color_get_steps (conversion->from, conversion->to) == CONVERT_DIVIDE;
}

const char *
capra_color_rows_option (CapraType type)
{
  static const char *const options[] = {
    [CAPRA_U8] = "-DCOLORS",   [CAPRA_I8] = "-DIN=char", [CAPRA_U16] = "-DCOLORS", [CAPRA_I16] = "-DIN=short",
    [CAPRA_U32] = "-DIN=uint", [CAPRA_I32] = "-DIN=int", [CAPRA_F32] = "-DCOLORS",
  };

  return options[type];
}

void
capra_color_rows_pass (CapraLaunch *launch, CapraType type, const CapraConversion *conversion)
{
  int steps = conversion ? capra_color_get_steps (conversion->from, conversion->to) : -1;

  if (capra_color_largest (type) == 0)
    return;
  capra_launch_int (launch, type == CAPRA_U8 ? 1 : type == CAPRA_U16 ? 2 : 4);
  capra_launch_int (launch, steps);
  capra_launch_constants (launch, capra_color_get_curve (steps), CAPRA_COLOR_CURVE_VALUES * sizeof (float));
}

gboolean
capra_color_check (CapraArray *input, CapraEncoding from, CapraEncoding to, const double *luminance, CapraType type,
                   GError **error)
{
  const CapraShape *shape = &input->shape;

  if ((guint) from.color >= G_N_ELEMENTS (layouts) || (guint) to.color >= G_N_ELEMENTS (layouts))
    g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                         _ ("unknown color layout; use Y, YA, YaA, RGB, RGBA or RaGaBaA"));
  else if (capra_color_largest (shape->type) == 0 || capra_color_largest (type) == 0)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("cannot convert colors of type %s; use f32, u8 or u16"),
                 capra_type_name (capra_color_largest (type) == 0 ? type : shape->type));
  else if (shape->channels != layouts[from.color].channels)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("the color layout has %u channels, but the array has %u"),
                 layouts[from.color].channels, shape->channels);
  else if (layouts[from.color].colors > layouts[to.color].colors
           && !(luminance && isfinite (luminance[0] + luminance[1] + luminance[2])))
    g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                         _ ("luminance requires three finite weights, of red, green and blue"));
  else
    return TRUE;
  return FALSE;
}
