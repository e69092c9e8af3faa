/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview-plan: what to render next, from what is wanted, what is there, and what it costs. */
#include <math.h>

#include "ui/panel/preview/render-worker.h"

#define FIRST_NS 70e6 /* the first full view shall take no longer */
#define CHUNK_NS 60e6 /* nor any later piece of work */
#define OVERVIEW 512  /* pixels of the smallest picture, which lies below all others */
#define BLOCK 256     /* pixels of a piece that is computed from the image, seen from afar */
#define MAX_EXTRA 3   /* how many levels a first view may be coarser */

int
capra_plan_get_level (double scale)
{
  int level = (int) lround (-log2 (scale));

  return CLAMP (level, CAPRA_LEVEL_MIN, CAPRA_PYRAMID_MAX_LEVEL);
}

/* @rect of the image in pixels of @level, rounded outwards. */
static GeglRectangle
at_level (const GeglRectangle *rect, int level)
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

/* The part of @region in the cell (of a grid of @side) that is nearest to the middle of @view. */
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

typedef struct {
  CapraWorker *worker;
  const CapraWants *wants;
  const GeglRectangle *bounds;
  const CapraCosts *costs;
} Plan;

/* What is missing of @wanted (of the image) at @level. */
static cairo_region_t *
get_missing (const Plan *plan, const GeglRectangle *wanted, int level, CapraQuality quality)
{
  GeglRectangle inside;

  if (!gegl_rectangle_intersect (&inside, wanted, plan->bounds))
    return cairo_region_create ();
  inside = at_level (&inside, level);
  return capra_patches_get_missing (plan->worker->patches, level, &inside, plan->wants->generation, quality);
}

/* The side of a square of @level that may be computed at once. */
static int
get_side (const Plan *plan, const CapraJobPlan *job)
{
  double cost = job->small ? plan->costs->small : plan->costs->full;
  double side;

  if (!job->small && job->level > 0)
    return BLOCK;
  if (job->level < 0) /* many of its pixels are one of the image */
    cost = MAX (cost / pow (4.0, -job->level), 2.0);
  side = sqrt (CHUNK_NS / cost) - CAPRA_SURROUND;
  return (int) CLAMP (side, 64.0, 4096.0) / 64 * 64;
}

/* One pass over @wanted: whether anything is missing, and then which piece comes first. */
static gboolean
plan_pass (const Plan *plan, const GeglRectangle *wanted, gboolean at_once, CapraJobPlan *job)
{
  cairo_region_t *missing = get_missing (plan, wanted, job->level, job->quality);
  gboolean any = !cairo_region_is_empty (missing);

  if (any)
    {
      GeglRectangle view = at_level (&plan->wants->visible, job->level);
      cairo_rectangle_int_t all;
      GeglRectangle rect;

      cairo_region_get_extents (missing, &all);
      rect = (GeglRectangle){ all.x, all.y, all.width, all.height };
      if (job->small && job->level > 0 && !capra_pyramid_has (plan->worker->pyramid, job->level, &rect))
        at_once = FALSE; /* the pyramid has to be made on the way */
      if (!at_once)
        rect = pick_cell (missing, MAX (get_side (plan, job), 64), &view);
      job->rect = rect;
    }
  cairo_region_destroy (missing);
  return any;
}

/* How much coarser than @level the first view has to be to come in time. */
static int
get_first_level (const Plan *plan, int level)
{
  cairo_region_t *missing = get_missing (plan, &plan->wants->visible, MAX (level, 0), CAPRA_QUALITY_DRAFT);
  double cost = level > 0 ? plan->costs->small : plan->costs->full;
  double time = region_area (missing) * cost;
  int first = MAX (level, 0);

  cairo_region_destroy (missing);
  while (time > FIRST_NS && first < MAX (level, 0) + MAX_EXTRA && first < CAPRA_PYRAMID_MAX_LEVEL)
    {
      time /= 4.0;
      first++;
    }
  return first;
}

gboolean
capra_plan_next (CapraWorker *worker, const CapraWants *wants, const GeglRectangle *bounds, const CapraCosts *costs,
                 CapraJobPlan *job)
{
  Plan plan = { worker, wants, bounds, costs };
  int level = capra_plan_get_level (wants->scale), overview = MAX (level, 0);
  gboolean plain = wants->steps->len == 0; /* the pyramid itself is the result */
  GeglRectangle around = wants->visible;
  int first = level;

  if (wants->scale <= 0.0)
    return FALSE;
  job->visible = TRUE;
  job->small = TRUE;
  job->quality = CAPRA_QUALITY_DRAFT;
  if (!plain)
    {
      first = get_first_level (&plan, level);
      job->level = first;
      if (first > MAX (level, 0) && plan_pass (&plan, &wants->visible, TRUE, job))
        return TRUE;
      job->level = level;
      if (level > 0 && plan_pass (&plan, &wants->visible, first == level, job))
        return TRUE;
    }
  job->level = level;
  job->small = plain && level > 0;
  job->quality = CAPRA_QUALITY_FINAL;
  if (plan_pass (&plan, &wants->visible, level <= 0 && first <= MAX (level, 0), job))
    return TRUE;

  job->visible = FALSE;
  job->small = TRUE;
  job->quality = CAPRA_QUALITY_DRAFT;
  while (MAX (bounds->width, bounds->height) >> overview > OVERVIEW)
    overview++;
  job->level = overview = MIN (overview, CAPRA_PYRAMID_MAX_LEVEL);
  if (overview > MAX (level, 0) && plan_pass (&plan, bounds, FALSE, job))
    return TRUE;
  around.x -= around.width / 4;
  around.y -= around.height / 4;
  around.width += around.width / 2;
  around.height += around.height / 2;
  job->level = level;
  job->small = level > 0;
  job->quality = plain || level <= 0 ? CAPRA_QUALITY_FINAL : CAPRA_QUALITY_DRAFT;
  return plan_pass (&plan, &around, FALSE, job);
}

gboolean
capra_plan_measure (CapraWorker *worker, const CapraWants *wants, const GeglRectangle *bounds,
                    CapraPreviewStatus *status)
{
  Plan plan = { worker, wants, bounds, NULL };
  int level = capra_plan_get_level (wants->scale);
  cairo_region_t *missing;
  GeglRectangle inside = { 0, 0, 0, 0 };
  double whole, left;
  gboolean covered;

  if (wants->scale <= 0.0) /* nobody looks */
    {
      status->busy = status->complete = FALSE;
      return FALSE;
    }
  missing = get_missing (&plan, &wants->visible, level, CAPRA_QUALITY_FINAL);
  left = region_area (missing);
  covered = left == 0.0;
  gegl_rectangle_intersect (&inside, &wants->visible, bounds);
  inside = at_level (&inside, level);
  whole = (double) inside.width * inside.height;
  cairo_region_destroy (missing);
  for (int coarse = MAX (level, 0); !covered && coarse <= MAX (level, 0) + MAX_EXTRA; coarse++)
    {
      missing = get_missing (&plan, &wants->visible, coarse, CAPRA_QUALITY_DRAFT);
      covered = cairo_region_is_empty (missing);
      cairo_region_destroy (missing);
    }
  status->complete = left == 0.0;
  status->busy = !status->complete;
  status->progress = whole > 0.0 ? 1.0 - left / whole : 1.0;
  return covered;
}
