/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Direct convolution, product by product; launches convolve.cl, -small, -strided and -many. */
#include "algorithms/convolve/convolve-pass.h"
#include "algorithms/separable/taps.h"
#include "runtime/device/tuning.h"

/* Matrices with up to this many weights get programs without loops, in the vector and in the group variant. */
#define MAX_SMALL_VECTOR 100
#define MAX_SMALL_GROUP 128
/* Many matrices with up to this many weights are summed in one launch: a work-item holds all of their inputs. */
#define MAX_SMALL_MANY 49

static gboolean
is_small (const CapraStencil *stencil, gboolean vectors)
{
  return stencil->width * stencil->height <= (vectors ? MAX_SMALL_VECTOR : MAX_SMALL_GROUP);
}

/* Each work-item computes a quad of values in several rows, more of them where windows are wide. */
static gboolean
run_small (const CapraConvolution *conv, const CapraStencil *stencil, CapraArray *output, gsize plane, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (conv->input);
  gboolean line = conv->y->n_result == 1;
  gboolean wide = shape->channels == 4 && stencil->width >= 7 && stencil->height >= 7;
  gsize rows = line ? 1 : wide ? 8 : 4, local[] = { line ? 256 : 32, line ? 1 : 4, 1 };
  gsize global[] = { ((gsize) conv->x->n_result * shape->channels + 3) / 4,
                     ((gsize) conv->y->n_result + rows - 1) / rows, shape->depth };
  CapraDirect direct = capra_direct_init (conv, stencil, plane);
  g_autofree float *floats = capra_stencil_floats (stencil, 1);
  g_autofree char *quads = capra_direct_quad_options (conv, &direct, stencil->width, stencil->height);
  g_autofree char *options = g_strdup_printf ("%s -DROWS=%d -DGROUP_X=%d -DGROUP_Y=%d", quads, (int) rows,
                                              (int) local[0], (int) local[1]);
  CapraLaunch launch;

  capra_launch_begin (&launch, conv->input->context, "convolve-small", options, "convolve_small");
  capra_launch_read (&launch, conv->input);
  capra_launch_write (&launch, output);
  capra_launch_value (&launch, floats, sizeof *floats * (gsize) (stencil->width * stencil->height));
  capra_launch_value (&launch, &direct, sizeof direct);
  return capra_launch_run (&launch, 3, global, local, capra_convolution_bytes (conv, output), error);
}

gboolean
capra_direct_run (const CapraConvolution *conv, const CapraStencil *stencil, CapraArray *output, gsize plane,
                  GError **error)
{
  const CapraShape *shape = capra_array_get_shape (conv->input);
  gsize count = (gsize) (stencil->width * stencil->height);
  gsize values = (gsize) conv->x->n_result * shape->channels;
  gboolean strided = conv->x->stride > 1 || conv->y->stride > 1,
           vectors = capra_convolve_uses_vectors (conv->input->context->device);
  gsize vec = vectors && !strided ? 16 : 1, rows = strided || conv->y->n_result == 1 ? 1 : 4;
  CapraDirect direct = capra_direct_init (conv, stencil, plane);
  g_autoptr (CapraArray) long_weights = NULL;
  g_autofree float *floats = NULL;
  g_autofree char *size = NULL;
  g_autofree char *options = NULL;
  CapraLaunch launch;

  if (is_small (stencil, vectors) && !strided && !vectors)
    return run_small (conv, stencil, output, plane, error);
  if (is_small (stencil, vectors) && !strided)
    size = g_strdup_printf (" -DWIDTH=%d -DHEIGHT=%d", stencil->width, stencil->height);
  floats = capra_stencil_floats (stencil, 1);
  options = g_strdup_printf ("-DIN=%s -DCHANNELS=%u -DWEIGHTS=%s -DVEC=%d -DROWS=%d%s", capra_launch_type (shape->type),
                             shape->channels, capra_taps_space (count), (int) vec, (int) rows, size ? size : "");
  capra_launch_begin (&launch, conv->input->context, strided ? "convolve-strided" : "convolve", options,
                      strided ? "convolve_strided" : "convolve");
  capra_launch_read (&launch, conv->input);
  capra_launch_write (&launch, output);
  capra_taps_pass_weights (&launch, floats, count, &long_weights);
  capra_launch_value (&launch, &direct, sizeof direct);
  return capra_launch_run (
    &launch, 3, (gsize[]){ (values + vec - 1) / vec, ((gsize) conv->y->n_result + rows - 1) / rows, shape->depth },
    (gsize[]){ 64, 1, 1 }, capra_convolution_bytes (conv, output), error);
}

gboolean
capra_direct_is_fast (const CapraStencil *stencil)
{
  return is_small (stencil, TRUE);
}

gboolean
capra_direct_suits_many (const CapraStencil *stencil)
{
  return stencil->width * stencil->height <= MAX_SMALL_MANY;
}

gboolean
capra_direct_run_many (const CapraConvolution *conv, const CapraStencil *stencils, guint count, CapraArray *output,
                       GError **error)
{
  const CapraShape *shape = capra_array_get_shape (conv->input);
  gsize weights = (gsize) (stencils->width * stencils->height) * count;
  gsize values = (gsize) conv->x->n_result * shape->channels;
  gsize vec = capra_convolve_uses_vectors (conv->input->context->device) ? 16 : 1,
        rows = capra_convolve_uses_vectors (conv->input->context->device) ? 1 : 2;
  CapraDirect direct = capra_direct_init (conv, stencils, 0);
  g_autoptr (CapraArray) long_weights = NULL;
  g_autofree float *floats = capra_stencil_floats (stencils, count);
  g_autofree char *options = g_strdup_printf (
    "-DIN=%s -DCHANNELS=%u -DWEIGHTS=%s -DWIDTH=%d -DHEIGHT=%d -DVEC=%d -DROWS=%d", capra_launch_type (shape->type),
    shape->channels, capra_taps_space (weights), stencils->width, stencils->height, (int) vec, (int) rows);
  CapraLaunch launch;

  capra_launch_begin (&launch, conv->input->context, "convolve-many", options, "convolve_many");
  capra_launch_read (&launch, conv->input);
  capra_launch_write (&launch, output);
  capra_taps_pass_weights (&launch, floats, weights, &long_weights);
  capra_launch_value (&launch, &direct, sizeof direct);
  capra_launch_int (&launch, (int) count);
  return capra_launch_run (
    &launch, 3, (gsize[]){ (values + vec - 1) / vec, ((gsize) conv->y->n_result + rows - 1) / rows, shape->depth },
    (gsize[]){ 64, 1, 1 }, capra_convolution_bytes (conv, output), error);
}
