/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the methods of convolution share: kernel parameters, results, weights and the variant. */
#include "algorithms/convolve/convolve-pass.h"
#include "runtime/device/tuning.h"

gboolean
capra_convolve_uses_vectors (CapraDevice *device)
{
  return g_str_equal (capra_tuning_get_word (device, "convolve.variant", "group"), "vector");
}

CapraDirect
capra_direct_init (const CapraConvolution *conv, const CapraStencil *stencil, gsize plane)
{
  const CapraAxis *x = conv->x, *y = conv->y;

  return (CapraDirect){
    stencil->width, stencil->height,
    x->length,      x->source,
    x->n_source,    x->result - stencil->left,
    x->n_result,    x->stride,
    y->length,      y->source,
    y->n_source,    y->result - stencil->top,
    y->n_result,    y->stride,
    x->border,      (float) stencil->offset,
    (cl_int) plane,
  };
}

CapraArray *
capra_convolution_alloc (const CapraConvolution *conv, gsize count, GError **error)
{
  CapraShape shape = capra_axis_shape (capra_array_get_shape (conv->input), 0, conv->x->n_result);

  shape.height = (gsize) conv->y->n_result;
  shape.depth *= count;
  return capra_array_new_uninitialized (conv->input->context, &shape, error);
}

float *
capra_stencil_floats (const CapraStencil *stencils, guint count)
{
  guint size = (guint) (stencils->width * stencils->height);
  float *floats = g_new (float, (gsize) count * size);

  for (guint m = 0; m < count; m++)
    for (guint i = 0; i < size; i++)
      floats[m * size + i] = (float) stencils[m].weights[i];
  return floats;
}

guint64
capra_convolution_bytes (const CapraConvolution *conv, CapraArray *output)
{
  return capra_shape_bytes (capra_array_get_shape (conv->input)) + capra_shape_bytes (capra_array_get_shape (output));
}

static gboolean
is_aligned (const CapraConvolution *conv, const CapraDirect *direct)
{
  return (gsize) direct->n_source_x * capra_array_get_shape (conv->input)->channels % 4 == 0;
}

int
capra_direct_quad_shift (const CapraConvolution *conv, const CapraDirect *direct)
{
  int channels = (int) capra_array_get_shape (conv->input)->channels;

  return is_aligned (conv, direct) ? (direct->first_x - direct->source_x) * channels & 3 : 0;
}

char *
capra_direct_quad_options (const CapraConvolution *conv, const CapraDirect *direct, int width, int height)
{
  const CapraShape *shape = capra_array_get_shape (conv->input);

  return g_strdup_printf ("-DIN=%s -DCHANNELS=%u -DWIDTH=%d -DHEIGHT=%d -DSHIFT=%d%s", capra_launch_type (shape->type),
                          shape->channels, width, height, capra_direct_quad_shift (conv, direct),
                          is_aligned (conv, direct) ? " -DALIGNED" : "");
}
