/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the methods of the box blur share: options of the kernels, alignment and the first arguments. */
#include "algorithms/box/box-pass.h"

static const char *
offsets_option (const CapraBoxPass *pass)
{
  return pass->offsets ? " -DOFFSETS" : "";
}

char *
capra_box_pass_pixel_options (const CapraBoxPass *pass)
{
  const CapraShape *shape = capra_array_get_shape (pass->input);

  return g_strdup_printf ("-DIN=%s -DCHANNELS=%u%s", capra_launch_type (shape->type), shape->channels,
                          offsets_option (pass));
}

char *
capra_box_pass_vector_options (const CapraBoxPass *pass, int vec, gboolean offsets)
{
  return g_strdup_printf ("-DIN=%s -DVEC=%d%s", capra_launch_type (capra_array_get_shape (pass->input)->type), vec,
                          offsets ? offsets_option (pass) : "");
}

const char *
capra_box_partial_option (const CapraBox *box)
{
  return box->skip > 0 ? " -DPARTIAL" : "";
}

const char *
capra_box_far_option (const CapraBox *box)
{
  gint64 end = (gint64) box->first + box->n_result + box->count - 1;
  gboolean repeats = box->border == CAPRA_BORDER_MIRROR || box->border == CAPRA_BORDER_WRAP;

  return repeats && (box->first < -box->length || end > 2 * (gint64) box->length) ? " -DFAR" : "";
}

void
capra_box_align (CapraBox *box, const CapraAxis *axis, int grid)
{
  box->skip = ((axis->result % grid) + grid) % grid;
  box->first -= box->skip;
  box->n_result += box->skip;
}

void
capra_box_pass_begin (const CapraBoxPass *pass, CapraLaunch *launch, const char *program, const char *options,
                      const char *kernel)
{
  capra_launch_begin (launch, pass->input->context, program, options, kernel);
  capra_launch_read (launch, pass->input);
  capra_launch_write (launch, pass->output);
}

guint64
capra_box_pass_bytes (const CapraBoxPass *pass)
{
  return capra_shape_bytes (capra_array_get_shape (pass->input))
         + capra_shape_bytes (capra_array_get_shape (pass->output));
}
