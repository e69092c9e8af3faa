/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur of rows by prefix and suffix sums in local memory; launches box-scan-rows.cl. The method for GPUs. */
#include "algorithms/box/box-pass.h"

/* Local memory: for each work-item two times BOX_SCAN_ITEM values, up to six sums and a tail, and for each channel
 * BOX_SCAN_ITEM values and the padding between channels. */
#define LOCAL_BYTES(items, channels) \
  (sizeof (float) * ((items) * (2 * BOX_SCAN_ITEM + 7) + BOX_SCAN_ITEM * (channels) + 72))

/* Blocks of BOX_SCAN_ITEM samples of a row for each work-group: one of few sizes, since each is a separate program.
 * Small groups wait less, but are slower for boxes that are wider than most of their outputs. The size decides the
 * order of additions, so it depends on the image's width and not on a part's. */
static gsize
blocks_of_group (const CapraDeviceInfo *info, gsize channels, const CapraBox *box)
{
  gsize count = (gsize) box->count, n = (gsize) box->length;
  gsize blocks = 32, most = channels == 1 ? (count > 96 * BOX_SCAN_ITEM ? 256 : 128) : channels == 2 ? 128 : 64;

  while (blocks < most && blocks * BOX_SCAN_ITEM < n && 2 * blocks * channels <= info->max_group
         && LOCAL_BYTES (2 * blocks * channels, channels) <= info->local_memory)
    blocks *= 2;
  return blocks;
}

gboolean
capra_box_scan_rows (const CapraBoxPass *pass, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (pass->input);
  CapraBox box = pass->box;
  gsize channels = shape->channels, blocks = blocks_of_group (pass->input->context->info, channels, &box), groups;
  g_autofree char *pixel_options = capra_box_pass_pixel_options (pass);
  g_autofree char *options = NULL;
  CapraLaunch launch;

  capra_box_align (&box, pass->axis, (int) blocks * BOX_SCAN_ITEM);
  groups = ((gsize) box.n_result + blocks * BOX_SCAN_ITEM - 1) / (blocks * BOX_SCAN_ITEM);
  options = g_strdup_printf ("%s -DGROUP=%zu%s%s", pixel_options, blocks * channels, capra_box_far_option (&box),
                             capra_box_partial_option (&box));
  capra_box_pass_begin (pass, &launch, "box-scan-rows", options, "box_scan_rows");
  capra_launch_read (&launch, pass->offsets ? pass->offsets : pass->input);
  capra_launch_value (&launch, &box, sizeof box);
  return capra_launch_run_2d (&launch, groups * blocks * channels, capra_axis_slabs (shape, pass->axis->number),
                              blocks * channels, 1, capra_box_pass_bytes (pass), error);
}
