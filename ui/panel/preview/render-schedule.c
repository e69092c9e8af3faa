/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render-schedule: chooses the part of a view to render next.
 *
 * The view itself comes first. If rendering all of it would take too long, a coarser level gives a first full view;
 * then follow drafts at the view's own level, then the final pixels from the image at full size, and last an overview
 * of the whole result and the surroundings of the view, in case the view moves. */
#include "ui/panel/preview/render-schedule.h"

#include <math.h>

#define FIRST_VIEW_NS 11e6 /* time limit of the first full view: within a frame of the screen */
#define JOB_NS 60e6        /* time limit of a later job */
#define HIDDEN_JOB_NS 10e6 /* time limit of a job outside the view, for which the next first view may have to wait */
#define OVERVIEW_SIDE 512  /* largest side of the overview of the whole result, in pixels */
#define FULL_SIDE 256      /* side of a job that renders a reduced view from the image at full size, in pixels */
#define MAX_COARSER 3      /* maximum number of levels that a first view is coarser than the view */
#define MIN_SIDE 64
#define MAX_SIDE 4096

int
capra_render_schedule_get_level (double scale)
{
  int level = (int) lround (-log2 (scale));

  return CLAMP (level, CAPRA_LEVEL_MIN, CAPRA_PYRAMID_MAX_LEVEL);
}

/* Returns: @rect of the image in pixels of @level, rounded outwards */
static GeglRectangle
scale_to_level (const GeglRectangle *rect, int level)
{
  if (level >= 0)
    return capra_pyramid_scale (rect, level);
  return (GeglRectangle){ rect->x * (1 << -level), rect->y * (1 << -level), rect->width * (1 << -level),
                          rect->height * (1 << -level) };
}

static double
region_area (const cairo_region_t *region)
{
  double area = 0.0;

  for (int i = 0; i < cairo_region_num_rectangles (region); i++)
    {
      cairo_rectangle_int_t rect;

      cairo_region_get_rectangle (region, i, &rect);
      area += (double) rect.width * rect.height;
    }
  return area;
}

/* Returns: the part of @region inside one cell of a grid with cells of @side pixels: the cell nearest to the center of
 * @view */
static GeglRectangle
pick_cell (const cairo_region_t *region, int side, const GeglRectangle *view)
{
  double cx = view->x + view->width / 2.0, cy = view->y + view->height / 2.0, best = INFINITY;
  cairo_rectangle_int_t all, part;
  cairo_region_t *inside;
  GeglRectangle cell = { 0, 0, side, side };

  cairo_region_get_extents (region, &all);
  for (int y = (int) floor ((double) all.y / side) * side; y < all.y + all.height; y += side)
    for (int x = (int) floor ((double) all.x / side) * side; x < all.x + all.width; x += side)
      {
        cairo_rectangle_int_t square = { x, y, side, side };
        double distance = hypot (x + side / 2.0 - cx, y + side / 2.0 - cy);

        if (distance < best && cairo_region_contains_rectangle (region, &square) != CAIRO_REGION_OVERLAP_OUT)
          {
            best = distance;
            cell.x = x;
            cell.y = y;
          }
      }
  inside = cairo_region_copy (region);
  cairo_region_intersect_rectangle (inside, &(cairo_rectangle_int_t){ cell.x, cell.y, side, side });
  cairo_region_get_extents (inside, &part);
  cairo_region_destroy (inside);
  return (GeglRectangle){ part.x, part.y, part.width, part.height };
}

/* Returns: the part of @wanted (in pixels of the image) that is missing at @level (cairo_region_destroy) */
static cairo_region_t *
get_missing (const CapraRenderState *state, const GeglRectangle *wanted, int level, CapraQuality quality)
{
  GeglRectangle inside;

  if (!gegl_rectangle_intersect (&inside, wanted, &state->bounds))
    return cairo_region_create ();
  inside = scale_to_level (&inside, level);
  return capra_texture_tiles_get_missing (state->tiles, level, &inside, state->generation, quality);
}

/* Returns: the side of the largest square that may be computed at once, in pixels of the graph. Of few sizes, so that
 * memory of one job is used again by the next one. */
static int
get_block_side (const CapraRenderState *state, const CapraRenderJob *job)
{
  double cost = job->reduced && job->level > 0 ? state->costs.reduced.job : state->costs.full.job, limit;
  int side = MIN_SIDE;

  if (job->level < 0) /* several pixels of the screen show one pixel of the image */
    cost = MAX (cost, 2.0 * pow (4.0, -job->level));
  limit = sqrt ((job->hidden ? HIDDEN_JOB_NS : JOB_NS) / cost) - CAPRA_RENDER_OVERHEAD;
  while (side < MAX_SIDE && 2 * side <= limit)
    side *= 2;
  return side;
}

/* Returns: the side of the largest square that may be rendered as one job, in pixels of its level */
static int
get_side (const CapraRenderState *state, const CapraRenderJob *job)
{
  if (!job->reduced && job->level > 0)
    return FULL_SIDE;
  return get_block_side (state, job) << MAX (-job->level, 0);
}

/* Returns: how many pixels may be computed at once. While the view is incomplete, no more than it shows. */
static guint
get_block (const CapraRenderState *state, const CapraRenderJob *job)
{
  int side = get_block_side (state, job);

  return job->hidden || gegl_rectangle_contains (&state->visible, &state->bounds) ? (guint) (side * side) : 1;
}

/**
 * find_missing:
 * @whole: whether all that is missing may be one job
 * @job: its level, quality and source are given; its bounds are set
 *
 * Returns: whether a part of @wanted is missing
 */
static gboolean
find_missing (const CapraRenderState *state, const GeglRectangle *wanted, gboolean whole, CapraRenderJob *job)
{
  cairo_region_t *missing = get_missing (state, wanted, job->level, job->quality);
  gboolean any = !cairo_region_is_empty (missing);

  if (any)
    {
      GeglRectangle view = scale_to_level (&state->visible, job->level);
      cairo_rectangle_int_t all;
      GeglRectangle rect;

      cairo_region_get_extents (missing, &all);
      rect = (GeglRectangle){ all.x, all.y, all.width, all.height };
      if (job->reduced && job->level > 0 && !capra_pyramid_has (state->pyramid, job->level, &rect))
        whole = FALSE; /* the level of the pyramid must be computed first, which takes longer */
      if (!whole || cairo_region_num_rectangles (missing) > 1)
        rect = pick_cell (missing, get_side (state, job), &view);
      job->rect = rect;
      job->block = get_block (state, job);
    }
  cairo_region_destroy (missing);
  return any;
}

/* Returns: the estimated time for what is missing of the view at @level */
static double
estimate (const CapraRenderState *state, int level)
{
  cairo_region_t *missing = get_missing (state, &state->visible, level, CAPRA_QUALITY_DRAFT);
  double time = region_area (missing) * (level > 0 ? state->costs.reduced.view : state->costs.full.view);

  cairo_region_destroy (missing);
  return time;
}

/* Returns: the level at which the whole view can be rendered within FIRST_VIEW_NS; @level if that is fast enough */
static int
get_first_level (const CapraRenderState *state, int level)
{
  int least = MAX (level, 0), first = least;

  while (first < least + MAX_COARSER && first < CAPRA_PYRAMID_MAX_LEVEL && estimate (state, first) > FIRST_VIEW_NS)
    first++;
  return first;
}

/* Returns: whether the view is covered at its level or at a coarser one that a first view may have */
static gboolean
is_covered (const CapraRenderState *state, int level)
{
  gboolean covered = FALSE;

  for (int coarse = MAX (level, 0); !covered && coarse <= MAX (level, 0) + MAX_COARSER; coarse++)
    {
      cairo_region_t *missing = get_missing (state, &state->visible, coarse, CAPRA_QUALITY_DRAFT);

      covered = cairo_region_is_empty (missing);
      cairo_region_destroy (missing);
    }
  return covered;
}

/* What is in view. */
static gboolean
find_visible (const CapraRenderState *state, int level, CapraRenderJob *job)
{
  gboolean has_steps = state->has_steps;
  int first = level;

  job->hidden = FALSE;
  job->reduced = TRUE;
  job->quality = CAPRA_QUALITY_DRAFT;
  if (has_steps)
    {
      /* The costs may change while the view is rendered; one first view is enough. */
      first = is_covered (state, level) ? level : get_first_level (state, level);
      job->level = first;
      if (first > MAX (level, 0) && find_missing (state, &state->visible, TRUE, job))
        return TRUE;
      job->level = level;
      if (level > 0 && find_missing (state, &state->visible, first == level, job))
        return TRUE;
    }
  job->level = level;
  job->reduced = !has_steps && level > 0;
  job->quality = CAPRA_QUALITY_FINAL;
  return find_missing (state, &state->visible, level <= 0 && estimate (state, 0) <= JOB_NS, job);
}

/* What is outside the view: an overview of all, then a quarter of the view's size on each side. */
static gboolean
find_hidden (const CapraRenderState *state, int level, CapraRenderJob *job)
{
  GeglRectangle around = state->visible;
  int overview = MAX (level, 0);

  job->hidden = TRUE;
  job->reduced = TRUE;
  job->quality = CAPRA_QUALITY_DRAFT;
  while (MAX (state->bounds.width, state->bounds.height) >> overview > OVERVIEW_SIDE)
    overview++;
  job->level = overview = MIN (overview, CAPRA_PYRAMID_MAX_LEVEL);
  if (overview > MAX (level, 0) && find_missing (state, &state->bounds, FALSE, job))
    return TRUE;
  around.x -= around.width / 4;
  around.y -= around.height / 4;
  around.width += around.width / 2;
  around.height += around.height / 2;
  job->level = level;
  job->reduced = level > 0;
  job->quality = !state->has_steps || level <= 0 ? CAPRA_QUALITY_FINAL : CAPRA_QUALITY_DRAFT;
  return find_missing (state, &around, FALSE, job);
}

gboolean
capra_render_schedule_next (const CapraRenderState *state, CapraRenderJob *job)
{
  int level;

  if (state->scale <= 0.0)
    return FALSE;
  level = capra_render_schedule_get_level (state->scale);
  return find_visible (state, level, job) || find_hidden (state, level, job);
}

void
capra_render_schedule_measure (const CapraRenderState *state, CapraRenderProgress *progress)
{
  int level;
  cairo_region_t *missing;
  GeglRectangle inside = { 0, 0, 0, 0 };
  double total, left;

  *progress = (CapraRenderProgress){ .fraction = 0.0 };
  if (state->scale <= 0.0)
    return;
  level = capra_render_schedule_get_level (state->scale);
  missing = get_missing (state, &state->visible, level, CAPRA_QUALITY_FINAL);
  left = region_area (missing);
  cairo_region_destroy (missing);
  gegl_rectangle_intersect (&inside, &state->visible, &state->bounds);
  inside = scale_to_level (&inside, level);
  total = (double) inside.width * inside.height;
  progress->complete = left == 0.0;
  progress->busy = !progress->complete;
  progress->covered = progress->complete || is_covered (state, level);
  progress->fraction = total > 0.0 ? 1.0 - left / total : 1.0;
}
