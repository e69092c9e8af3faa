/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label, the variant for many work-items: tiles (kernels/label-blocks.clh), after the phases of
 * S. Allegretti, F. Bolelli, C. Grana, "Optimized block-based algorithms to label connected
 * components on GPUs", 2019. */
#include "algorithms/label/label-private.h"
#include "runtime/launch/tuning.h"

/* How high tiles are, and the group size of the kernels that count. */
#define TILE_HEIGHT 64
#define SCAN_GROUP 256

/* The blocks' arrays and shape. The parents stand where the labels come to stand. */
typedef struct {
  CapraArray *bits, *names, *roots, *counts, *ranks, *sums, *area;
  guint32 tile, tiles, tile_rows, words, piece, pieces;
  char *options, *tile_options;
} Blocks;

static void
blocks_clear (Blocks *blocks)
{
  CapraArray **arrays[] = { &blocks->bits,  &blocks->names, &blocks->roots, &blocks->counts,
                            &blocks->ranks, &blocks->sums,  &blocks->area };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_clear_pointer (arrays[i], capra_array_unref);
  g_free (blocks->options);
  g_free (blocks->tile_options);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blocks, blocks_clear)

static void
blocks_divide (Blocks *blocks, const CapraLabelWork *work)
{
  int tile = capra_tuning_get_int (work->context->device, "label.block", 128);

  blocks->tile = CLAMP (tile / 32 * 32, 32, (int) MIN (work->context->info->max_group, 128));
  /* Local memory holds two words a column, and one or two numbers for each node that a tile may have. */
  while (blocks->tile > 32
         && blocks->tile * (8 + 128 / work->span * (work->filter ? 2 : 1)) + 64 > work->context->info->local_memory)
    blocks->tile /= 2;
  blocks->tiles = capra_label_divide (work->width, blocks->tile);
  blocks->tile_rows = capra_label_divide (work->height, TILE_HEIGHT);
  blocks->words = capra_label_divide ((gsize) work->width * work->height, 32);
  /* At most 4096 pieces, so that adding up those before one's own costs little. */
  blocks->piece = capra_label_divide (capra_label_divide (blocks->words, 4096), SCAN_GROUP) * SCAN_GROUP;
  blocks->pieces = capra_label_divide (blocks->words, blocks->piece);
  blocks->options = g_strdup_printf ("%s -DTILE=%u%s", work->options, blocks->tile, work->filter ? " -DFILTER" : "");
  blocks->tile_options = g_strdup_printf ("%s %s", blocks->options, work->pack_options);
}

static gboolean
blocks_allocate (Blocks *blocks, const CapraLabelWork *work, GError **error)
{
  gsize tiles = (gsize) blocks->tiles * blocks->tile_rows;
  gsize slots = tiles * blocks->tile * (TILE_HEIGHT / 2) / work->span;
  gsize pixels = (gsize) work->width * work->height;
  const struct {
    CapraArray **array;
    gsize count;
    CapraType type;
  } wanted[] = {
    { &blocks->bits, 2 * (gsize) blocks->tile_rows * work->width, CAPRA_U32 },
    { &blocks->names, slots, CAPRA_U16 },
    { &blocks->roots, slots, CAPRA_U16 },
    { &blocks->counts, tiles, CAPRA_U32 },
    { &blocks->ranks, 2 * (gsize) blocks->words, CAPRA_U32 },
    { &blocks->sums, blocks->pieces, CAPRA_U32 },
    { &blocks->area, work->filter ? pixels : 1, CAPRA_U32 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      *wanted[i].array = capra_label_scratch (work, wanted[i].count, wanted[i].type, error);
      if (!*wanted[i].array)
        return FALSE;
    }
  return TRUE;
}

/* One work-group a tile. */
static gboolean
blocks_run_tiles (const Blocks *blocks, CapraLaunch *launch, guint64 bytes, GError **error)
{
  return capra_launch_run_2d (launch, (gsize) blocks->tiles * blocks->tile, blocks->tile_rows, blocks->tile, 1, bytes,
                              error);
}

static gboolean
blocks_tile (const Blocks *blocks, const CapraLabelWork *work, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, work->context, "label-blocks-tile", blocks->tile_options, "label_blocks_tile");
  capra_launch_read (&launch, work->input);
  capra_launch_write (&launch, blocks->bits);
  capra_launch_write (&launch, blocks->names);
  capra_launch_write (&launch, blocks->roots);
  capra_launch_write (&launch, blocks->counts);
  capra_launch_write (&launch, work->labels);
  capra_launch_write (&launch, blocks->ranks);
  capra_launch_write (&launch, blocks->sums);
  capra_launch_write (&launch, blocks->area);
  capra_launch_uint (&launch, work->width);
  capra_launch_uint (&launch, work->height);
  capra_launch_uint (&launch, blocks->words);
  capra_launch_uint (&launch, blocks->pieces);
  return blocks_run_tiles (blocks, &launch, capra_shape_bytes (&work->input->shape), error);
}

static gboolean
blocks_borders (const Blocks *blocks, const CapraLabelWork *work, GError **error)
{
  CapraLaunch launch;

  if (blocks->tiles == 1 && blocks->tile_rows == 1)
    return TRUE;
  capra_launch_begin (&launch, work->context, "label-blocks", blocks->options, "label_blocks_borders");
  capra_launch_read (&launch, blocks->bits);
  capra_launch_read (&launch, blocks->names);
  capra_launch_write (&launch, work->labels);
  capra_launch_uint (&launch, work->width);
  capra_launch_uint (&launch, work->height);
  return blocks_run_tiles (blocks, &launch, 0, error);
}

/* The steps on the tiles' components: "flatten", or "keep" with what is to stay. */
static gboolean
blocks_roots (const Blocks *blocks, const CapraLabelWork *work, gboolean keep, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, work->context, "label-blocks", blocks->options,
                      keep ? "label_blocks_keep" : "label_blocks_flatten");
  capra_launch_read (&launch, blocks->roots);
  capra_launch_read (&launch, blocks->counts);
  capra_launch_write (&launch, work->labels);
  capra_launch_write (&launch, blocks->ranks);
  capra_launch_write (&launch, blocks->sums);
  capra_launch_write (&launch, blocks->area);
  capra_launch_uint (&launch, work->width);
  capra_launch_uint (&launch, blocks->piece);
  if (keep)
    {
      capra_launch_uint (&launch, work->min_size);
      capra_launch_uint (&launch, work->max_size);
      capra_launch_int (&launch, work->edges);
    }
  return blocks_run_tiles (blocks, &launch, 0, error);
}

static gboolean
blocks_number (const Blocks *blocks, const CapraLabelWork *work, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, work->context, "label-blocks", blocks->options, "label_blocks_scan");
  capra_launch_write (&launch, blocks->ranks);
  capra_launch_read (&launch, blocks->sums);
  capra_launch_write (&launch, work->count);
  capra_launch_uint (&launch, blocks->words);
  capra_launch_uint (&launch, blocks->piece);
  return capra_launch_run_1d (&launch, (gsize) blocks->pieces * SCAN_GROUP, SCAN_GROUP, 0, error);
}

static gboolean
blocks_write (const Blocks *blocks, const CapraLabelWork *work, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, work->context, "label-blocks", blocks->options, "label_blocks_write");
  capra_launch_read (&launch, blocks->bits);
  capra_launch_read (&launch, blocks->names);
  capra_launch_read (&launch, blocks->roots);
  capra_launch_read (&launch, blocks->counts);
  capra_launch_read (&launch, blocks->ranks);
  capra_launch_write (&launch, work->labels);
  capra_launch_uint (&launch, work->width);
  capra_launch_uint (&launch, work->height);
  return blocks_run_tiles (blocks, &launch, capra_shape_bytes (&work->labels->shape), error);
}

gboolean
capra_label_blocks (const CapraLabelWork *work, GError **error)
{
  g_auto (Blocks) blocks = { NULL };

  blocks_divide (&blocks, work);
  return blocks_allocate (&blocks, work, error) && blocks_tile (&blocks, work, error)
         && blocks_borders (&blocks, work, error) && blocks_roots (&blocks, work, FALSE, error)
         && (!work->filter || blocks_roots (&blocks, work, TRUE, error)) && blocks_number (&blocks, work, error)
         && blocks_write (&blocks, work, error);
}
