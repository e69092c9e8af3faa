/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label, the variant for many work-items: a work-group takes a block of pixels (label-blocks.clh), after the phases of
 * S. Allegretti, F. Bolelli, C. Grana, "Optimized block-based algorithms to label connected components on GPUs", 2019.
 */
#include "algorithms/label/label-params.h"
#include "algorithms/label/label-variant.h"
#include "algorithms/label/label-scratch.h"
#include "runtime/device/tuning.h"

/* Each work-item of label_blocks_scan adds up those before its own. */
#define MAX_CHUNKS 4096

/* Arrays as label-blocks.clh names them; the array of labels holds the parents until the last step. */
typedef struct {
  CapraArray *bits, *node_roots, *block_roots, *root_counts, *ranks, *sums, *area;
  guint32 columns;       /* of a block */
  guint32 across, down;  /* blocks of a row and of a column */
  guint32 words;         /* of ranks */
  guint32 chunk, chunks; /* words of a chunk, and their number */
  char *options, *local_options;
} Blocks;

static void
blocks_free (gpointer data)
{
  Blocks *blocks = data;
  CapraArray **arrays[] = { &blocks->bits,  &blocks->node_roots, &blocks->block_roots, &blocks->root_counts,
                            &blocks->ranks, &blocks->sums,       &blocks->area };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_clear_pointer (arrays[i], capra_array_unref);
  g_free (blocks->options);
  g_free (blocks->local_options);
  g_free (blocks);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Blocks, blocks_free)

static void
blocks_divide (Blocks *blocks, const CapraLabeling *labeling)
{
  int columns = capra_tuning_get_int (labeling->context->device, "label.block", 128);

  blocks->columns = CLAMP (columns / 32 * 32, 32, (int) MIN (labeling->context->info->max_group, 128));
  /* Local memory holds two words a column, and one or two numbers for each node that a block may have. */
  while (blocks->columns > 32
         && blocks->columns * (8 + 128 / labeling->span * (labeling->filter ? 2 : 1)) + 64
              > labeling->context->info->local_memory)
    blocks->columns /= 2;
  blocks->across = capra_label_divide (labeling->width, blocks->columns);
  blocks->down = capra_label_divide (labeling->height, BLOCK_ROWS);
  blocks->words = capra_label_divide ((gsize) labeling->width * labeling->height, 32);
  blocks->chunk = capra_label_divide (capra_label_divide (blocks->words, MAX_CHUNKS), SCAN_ITEMS) * SCAN_ITEMS;
  blocks->chunks = capra_label_divide (blocks->words, blocks->chunk);
  blocks->options = g_strdup_printf ("%s -DBLOCK=%u%s", labeling->options, blocks->columns,
                                     labeling->filter ? " -DFILTER" : "");
  blocks->local_options = g_strdup_printf ("%s %s", blocks->options, labeling->pack_options);
}

static gboolean
blocks_allocate (Blocks *blocks, const CapraLabeling *labeling, GError **error)
{
  gsize count = (gsize) blocks->across * blocks->down;
  gsize slots = count * blocks->columns * (BLOCK_ROWS / 2) / labeling->span;
  gsize pixels = (gsize) labeling->width * labeling->height;
  const struct {
    CapraArray **array;
    gsize count;
    CapraType type;
  } wanted[] = {
    { &blocks->bits, 2 * (gsize) blocks->down * labeling->width, CAPRA_U32 },
    { &blocks->node_roots, slots, CAPRA_U16 },
    { &blocks->block_roots, slots, CAPRA_U16 },
    { &blocks->root_counts, count, CAPRA_U32 },
    { &blocks->ranks, 2 * (gsize) blocks->words, CAPRA_U32 },
    { &blocks->sums, blocks->chunks, CAPRA_U32 },
    { &blocks->area, labeling->filter ? pixels : 1, CAPRA_U32 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      *wanted[i].array = capra_label_scratch (labeling->context, wanted[i].count, wanted[i].type, error);
      if (!*wanted[i].array)
        return FALSE;
    }
  return TRUE;
}

/* One work-group a block. */
static gboolean
blocks_run (const Blocks *blocks, CapraLaunch *launch, guint64 bytes, GError **error)
{
  return capra_launch_run_2d (launch, (gsize) blocks->across * blocks->columns, blocks->down, blocks->columns, 1, bytes,
                              error);
}

static gboolean
blocks_local (const Blocks *blocks, const CapraLabeling *labeling, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, labeling->context, "label-blocks-local", blocks->local_options, "label_blocks_local");
  capra_launch_read (&launch, labeling->input);
  capra_launch_write (&launch, blocks->bits);
  capra_launch_write (&launch, blocks->node_roots);
  capra_launch_write (&launch, blocks->block_roots);
  capra_launch_write (&launch, blocks->root_counts);
  capra_launch_write (&launch, labeling->labels);
  capra_launch_write (&launch, blocks->ranks);
  capra_launch_write (&launch, blocks->sums);
  capra_launch_write (&launch, blocks->area);
  capra_launch_uint (&launch, labeling->width);
  capra_launch_uint (&launch, labeling->height);
  capra_launch_uint (&launch, blocks->words);
  capra_launch_uint (&launch, blocks->chunks);
  return blocks_run (blocks, &launch, capra_shape_bytes (&labeling->input->shape), error);
}

static gboolean
blocks_borders (const Blocks *blocks, const CapraLabeling *labeling, GError **error)
{
  CapraLaunch launch;

  if (blocks->across == 1 && blocks->down == 1)
    return TRUE;
  capra_launch_begin (&launch, labeling->context, "label-blocks", blocks->options, "label_blocks_borders");
  capra_launch_read (&launch, blocks->bits);
  capra_launch_read (&launch, blocks->node_roots);
  capra_launch_write (&launch, labeling->labels);
  capra_launch_uint (&launch, labeling->width);
  capra_launch_uint (&launch, labeling->height);
  return blocks_run (blocks, &launch, 0, error);
}

/* The steps on the components of the blocks: label_blocks_flatten, or with @keep label_blocks_keep. */
static gboolean
blocks_roots (const Blocks *blocks, const CapraLabeling *labeling, gboolean keep, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, labeling->context, "label-blocks", blocks->options,
                      keep ? "label_blocks_keep" : "label_blocks_flatten");
  capra_launch_read (&launch, blocks->block_roots);
  capra_launch_read (&launch, blocks->root_counts);
  capra_launch_write (&launch, labeling->labels);
  capra_launch_write (&launch, blocks->ranks);
  capra_launch_write (&launch, blocks->sums);
  capra_launch_write (&launch, blocks->area);
  capra_launch_uint (&launch, labeling->width);
  capra_launch_uint (&launch, blocks->chunk);
  if (keep)
    {
      capra_launch_uint (&launch, labeling->min_size);
      capra_launch_uint (&launch, labeling->max_size);
      capra_launch_int (&launch, labeling->exclude_edges);
    }
  return blocks_run (blocks, &launch, 0, error);
}

static gboolean
blocks_number (const Blocks *blocks, const CapraLabeling *labeling, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, labeling->context, "label-blocks", blocks->options, "label_blocks_scan");
  capra_launch_write (&launch, blocks->ranks);
  capra_launch_read (&launch, blocks->sums);
  capra_launch_write (&launch, labeling->count);
  capra_launch_uint (&launch, blocks->words);
  capra_launch_uint (&launch, blocks->chunk);
  return capra_launch_run_1d (&launch, (gsize) blocks->chunks * SCAN_ITEMS, SCAN_ITEMS, 0, error);
}

static gboolean
blocks_edges (const Blocks *blocks, const CapraLabeling *labeling, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, labeling->context, "label-blocks", blocks->options, "label_blocks_edges");
  capra_launch_read (&launch, blocks->bits);
  capra_launch_read (&launch, blocks->node_roots);
  capra_launch_read (&launch, labeling->labels);
  capra_launch_read (&launch, blocks->ranks);
  capra_launch_write (&launch, labeling->count);
  capra_launch_uint (&launch, labeling->width);
  capra_launch_uint (&launch, labeling->height);
  return capra_launch_run_2d (&launch, (gsize) blocks->across * blocks->columns, 2, blocks->columns, 1, 0, error);
}

static gpointer
blocks_find (const CapraLabeling *labeling, GError **error)
{
  g_autoptr (Blocks) blocks = g_new0 (Blocks, 1);

  blocks_divide (blocks, labeling);
  if (!blocks_allocate (blocks, labeling, error) || !blocks_local (blocks, labeling, error)
      || !blocks_borders (blocks, labeling, error) || !blocks_roots (blocks, labeling, FALSE, error)
      || (labeling->filter && !blocks_roots (blocks, labeling, TRUE, error)) || !blocks_number (blocks, labeling, error)
      || (labeling->edges && !blocks_edges (blocks, labeling, error)))
    return NULL;
  return g_steal_pointer (&blocks);
}

static gboolean
blocks_write (const CapraLabeling *labeling, gpointer found, const CapraLabelNumbering *numbering, GError **error)
{
  const Blocks *blocks = found;
  CapraLaunch launch;

  capra_launch_begin (&launch, labeling->context, "label-blocks", blocks->options, "label_blocks_write");
  capra_launch_read (&launch, blocks->bits);
  capra_launch_read (&launch, blocks->node_roots);
  capra_launch_read (&launch, blocks->block_roots);
  capra_launch_read (&launch, blocks->root_counts);
  capra_launch_read (&launch, blocks->ranks);
  capra_launch_write (&launch, labeling->labels);
  capra_launch_uint (&launch, labeling->width);
  capra_launch_uint (&launch, labeling->height);
  capra_launch_int (&launch, labeling->colors);
  capra_label_launch_numbering (&launch, numbering);
  return blocks_run (blocks, &launch, capra_shape_bytes (&labeling->labels->shape), error);
}

const CapraLabelVariant capra_label_blocks = { "blocks", blocks_find, blocks_write, blocks_free };
