/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convert: chooses the steps from one color layout to another, which one kernel carries out. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "algorithms/common/convert-params.h"
#include "algorithms/common/convert.h"
#include "runtime/device/tuning.h"
#include "runtime/launch/launch.h"

#define LOCAL 256
/* The vector of the kernel for CPUs. */
#define VECTOR 16

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

static int
convert_steps (CapraEncoding from_encoding, CapraEncoding to_encoding)
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

/* The value that stands for 1, or 0 for types that are not supported. */
static int
largest (CapraType type)
{
  return type == CAPRA_F32 ? 1 : type == CAPRA_U8 ? G_MAXUINT8 : type == CAPRA_U16 ? G_MAXUINT16 : 0;
}

static gboolean
convert_check (CapraArray *input, CapraEncoding from, CapraEncoding to, const double *luminance, CapraType type,
               GError **error)
{
  const CapraShape *shape = &input->shape;

  if ((guint) from.color >= G_N_ELEMENTS (layouts) || (guint) to.color >= G_N_ELEMENTS (layouts))
    g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                         _ ("unknown color layout; use Y, YA, YaA, RGB, RGBA or RaGaBaA"));
  else if (largest (shape->type) == 0 || largest (type) == 0)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("cannot convert colors of type %s; use f32, u8 or u16"),
                 capra_type_name (largest (type) == 0 ? type : shape->type));
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

/* The linear value of each perceptual 8-bit value. */
static void
fill_curve (float curve[256])
{
  for (int i = 0; i < 256; i++)
    curve[i] = (float) (i > 0.04045 * 255 ? pow ((i / 255.0 + 0.055) / 1.055, 2.4) : i / 255.0 / 12.92);
}

/* The pixels that a work-item converts. Values are read from a table one by one. */
static int
convert_vector (CapraArray *input, gsize count, gboolean curved)
{
  int vector = capra_tuning_get_int (input->context->device, "convert.vector", 1);

  return count >= VECTOR && vector == VECTOR && !curved ? VECTOR : 1;
}

static gboolean
convert_run (CapraArray *input, CapraArray *output, int steps, const double *luminance, GError **error)
{
  const CapraShape *from = &input->shape, *to = &output->shape;
  gboolean curved = from->type == CAPRA_U8 && (steps & CONVERT_DECODE) && !(steps & CONVERT_DIVIDE);
  gsize count = from->width * from->height * from->depth;
  int vector = convert_vector (input, count, curved);
  g_autofree char *known = curved ? g_strdup_printf (" -DCURVED=%d", steps & ~CONVERT_DECODE) : NULL;
  g_autofree char *options = g_strdup_printf ("-DFROM=%u -DTO=%u -DIN=%s -DLARGEST=%d -DOUT=%s -DOUT_LARGEST=%d "
                                              "-DVEC=%d%s",
                                              from->channels, to->channels, capra_launch_type (from->type),
                                              largest (from->type), capra_launch_type (to->type), largest (to->type),
                                              vector, known ? known : "");
  float curve[256] = { 0 };
  CapraLaunch launch;

  if (curved)
    fill_curve (curve);
  capra_launch_begin (&launch, input->context, "convert", options, "convert");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_launch_constants (&launch, curve, sizeof curve);
  capra_launch_ulong (&launch, count);
  capra_launch_int (&launch, steps);
  for (int i = 0; i < 3; i++)
    capra_launch_float (&launch, luminance ? (float) luminance[i] : 0);
  return capra_launch_run_1d (&launch, (count + vector - 1) / vector, LOCAL,
                              capra_shape_bytes (from) + capra_shape_bytes (to), error);
}

CapraArray *
capra_convert (CapraArray *input, CapraEncoding from, CapraEncoding to, const double luminance[3], GError **error)
{
  return capra_convert_to_type (input, from, to, luminance, CAPRA_F32, error);
}

CapraArray *
capra_convert_to_type (CapraArray *input, CapraEncoding from, CapraEncoding to, const double luminance[3],
                       CapraType type, GError **error)
{
  g_autoptr (CapraArray) output = NULL;
  CapraShape shape;

  g_return_val_if_fail (input, NULL);

  if (!convert_check (input, from, to, luminance, type, error))
    return NULL;
  if (from.color == to.color && !from.perceptual == !to.perceptual && input->shape.type == type)
    return capra_array_ref (input);

  shape = input->shape;
  shape.channels = layouts[to.color].channels;
  shape.type = type;
  output = capra_array_new_uninitialized (input->context, &shape, error);
  if (!output || !convert_run (input, output, convert_steps (from, to), luminance, error))
    return NULL;
  return g_steal_pointer (&output);
}
