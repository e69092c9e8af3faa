/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Compute ahead: which region of a result to compute when a host requests a part of it. */
#include "plugin/compute/compute-ahead.h"

#include "plugin/buffers/first-result.h"
#include "plugin/buffers/output-format.h"
#include "plugin/properties.h"
#include "runtime/device/device-select.h"

/* The minimum number of pixels to compute at once after a change. */
#define MIN_PIXELS (256.0 * 256.0)
/* How much is computed at once later, relative to what is stored. Smaller steps cost more launches, and where chunks
 * are requested in random order, parts that are computed twice. */
#define GROWTH 64.0
/* A region is enlarged until it needs at most this many times the input of its share of the image. */
#define MAX_INPUT_RATIO 1.25
/* All that is missing is computed at once if the requested part needs at least this share of the input: after some such
 * parts the input would have been read several times. If it reads little beside its own area, only up to a block. */
#define ALL_SHARE 0.2
/* The share of what is stored of an image that is computed at once, if not all of the image is stored; and the maximum
 * for operations that read much around a block. Small blocks need little memory beside what is stored. */
#define BLOCK_SHARE (1.0 / 16.0)
#define MAX_BLOCK_SHARE 0.25
/* The same in pixels where device and host share memory, and the host alone reads the result: the memory of a block
 * serves the next one. With larger blocks, most of the time would be that of the first use of new memory, also after a
 * pause, in which the pool frees its buffers. Images of two blocks are not worth it. */
#define SHARED_BLOCK (2048.0 * 1024.0)
#define MIN_IN_BLOCKS (2.0 * SHARED_BLOCK)
/* The maximum for the first result of the process, whatever the operation reads. */
#define MAX_FIRST_BLOCK (2048.0 * 2048.0)
/* A part that is smaller than this share of what is missing, or of the image, is small. */
#define SMALL_SHARE (1.0 / 32.0)
/* What is computed alone after a change reads at most this share of the input that the tiles need. If the host requests
 * them all in the end, not more than that was in vain. */
#define ALONE_SHARE (1.0 / 3.0)

static double
area (const GeglRectangle *rect)
{
  return (double) rect->width * rect->height;
}

static double
get_input_area (GeglOperation *operation, CapraRequiredFunc get_required, const GeglRectangle *roi)
{
  GeglRectangle rect = get_required (operation, "input", roi);

  return area (&rect);
}

/* Extends the interval @begin … @begin + @length - 1 to @wanted, first to its end, within @first … @first + @size - 1.
 */
static void
extend (gint *begin, gint *length, double wanted, gint first, gint size)
{
  gint target = (gint) MIN (wanted, (double) size);
  gint end;

  if (target <= *length)
    return;
  end = MIN (*begin + target, first + size);
  *begin = MAX (first, MIN (*begin, end - target));
  *length = end - *begin;
}

/* How many pixels are computed at once if the host does not request more. */
typedef struct {
  double usual, max; /* max: for operations that read much around a block */
} Block;

/* Whether the operation's device shares memory with the host. Until the drivers are loaded, which this does not wait
 * for, it is taken to do so. */
static gboolean
is_unified (GeglOperation *operation)
{
  g_autofree char *name = capra_properties_dup_device (operation);
  CapraDevice *device = capra_device_peek_list () ? capra_device_select (name, NULL) : NULL;

  return !device || capra_device_get_info (device)->unified;
}

static Block
get_block (GeglOperation *operation, const CapraTileMap *map)
{
  double whole = area (&map->grid.extent), limit = (double) map->limit;
  guint wanted = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (operation->node), CAPRA_KEY_BLOCK_PIXELS));
  gboolean first = !capra_first_result_is_complete ();
  Block block = { whole, whole };

  if (whole > limit)
    block = (Block){ BLOCK_SHARE * limit, MAX_BLOCK_SHARE * limit };
  if (first && is_unified (operation))
    block = (Block){ MIN (block.usual, SHARED_BLOCK), MIN (block.max, MAX_FIRST_BLOCK) };
  else if (whole > MIN_IN_BLOCKS && !capra_output_format_has_device_readers (operation) && is_unified (operation))
    block.usual = MIN (block.usual, SHARED_BLOCK);
  if (wanted > 0)
    block = (Block){ MIN (block.usual, wanted), MIN (block.max, wanted) };
  return block;
}

/* Enlarges @rect to at least @pixels, or to @limit: first to its full width, as hosts ask row by row. */
static GeglRectangle
enlarge (const CapraTileMap *map, GeglRectangle rect, double pixels, const GeglRectangle *limit)
{
  if (area (&rect) < pixels)
    {
      extend (&rect.x, &rect.width, pixels / rect.height + 1.0, limit->x, limit->width);
      extend (&rect.y, &rect.height, pixels / rect.width + 1.0, limit->y, limit->height);
    }
  return capra_tile_map_align (map, &rect);
}

/* Whether at least half of the tiles of @rect are missing. */
static gboolean
is_mostly_missing (const CapraTileMap *map, const GeglRectangle *rect)
{
  return (double) capra_tile_map_get_missing (map, rect, NULL) >= area (rect) / 2.0;
}

/* Whether @requested is computed alone: the first small part after a stroke, since the next stroke may change it again
 * before the host asks for more. */
static gboolean
is_stroke (const CapraTileMap *map, const GeglRectangle *requested, const GeglRectangle *missing)
{
  return map->changed && area (requested) < SMALL_SHARE * area (missing);
}

/* Whether @requested needs much of the input of all that is missing. */
static gboolean
should_compute_all (GeglOperation *operation, const CapraTileMap *map, const Block *block,
                    const GeglRectangle *requested, const GeglRectangle *missing, CapraRequiredFunc get_required)
{
  double input = get_input_area (operation, get_required, requested);
  double max = input > MAX_INPUT_RATIO * area (requested) ? block->max : block->usual;

  return area (missing) <= max && is_mostly_missing (map, missing)
         && input >= ALL_SHARE * get_input_area (operation, get_required, missing);
}

GeglRectangle
capra_compute_ahead (GeglOperation *operation, const CapraTileMap *map, const GeglRectangle *roi,
                     CapraRequiredFunc get_required)
{
  const GeglRectangle *extent = &map->grid.extent;
  double whole = area (extent), whole_input = get_input_area (operation, get_required, extent), available = 0.0;
  GeglRectangle requested, rect, missing;
  Block block;

  if (capra_tile_map_get_missing (map, roi, &requested) == 0)
    return requested;
  available = whole - (double) capra_tile_map_get_missing (map, extent, &missing);
  if (is_stroke (map, &requested, &missing))
    return requested;
  block = get_block (operation, map);
  if (should_compute_all (operation, map, &block, &requested, &missing, get_required))
    return missing;
  if (map->changed && area (&missing) < whole / 2.0)
    return requested;

  rect = enlarge (map, requested, MIN (MAX (MIN_PIXELS, GROWTH * available), block.usual), &missing);
  while (available > 0.0 && area (&rect) < MIN (area (&missing), block.max)
         && get_input_area (operation, get_required, &rect) * whole > MAX_INPUT_RATIO * whole_input * area (&rect))
    rect = enlarge (map, rect, MIN (2.0 * area (&rect), block.max), &missing);
  capra_tile_map_get_missing (map, &rect, &missing);
  return is_mostly_missing (map, &missing) ? missing : requested;
}

gboolean
capra_compute_alone (GeglOperation *operation, const CapraTileMap *map, const GeglRectangle *roi,
                     const GeglRectangle *compute, CapraRequiredFunc get_required)
{
  return map->changed && area (roi) < SMALL_SHARE * area (&map->grid.extent)
         && g_atomic_int_get (&map->alone) + get_input_area (operation, get_required, roi)
              <= ALONE_SHARE * get_input_area (operation, get_required, compute);
}

void
capra_compute_alone_add (GeglOperation *operation, CapraTileMap *map, const GeglRectangle *roi,
                         CapraRequiredFunc get_required)
{
  double pixels = get_input_area (operation, get_required, roi);

  g_atomic_int_set (&map->alone, (gint) MIN (g_atomic_int_get (&map->alone) + pixels, G_MAXINT));
}
