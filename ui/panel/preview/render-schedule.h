/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render-schedule: chooses the part of a view to render next. */
#pragma once

#include "ui/panel/preview/pyramid.h"
#include "ui/panel/preview/texture-tiles.h"

G_BEGIN_DECLS

/**
 * CapraRenderCost:
 * @job: of the last jobs; of operations that compute the whole image, only the first job after a change takes long
 * @view: of all jobs for the view since a change
 *
 * Estimated nanoseconds per source pixel.
 */
typedef struct {
  double job, view;
} CapraRenderCost;

typedef struct {
  CapraRenderCost reduced; /* from a level of the pyramid */
  CapraRenderCost full;    /* from the image at full size */
} CapraRenderCosts;

/* Many operations also read a border around the pixels that they compute, and each call has a fixed cost. Both are
 * modeled as this number of additional pixels along each axis. Otherwise small jobs would appear slow, slow jobs
 * would be divided into smaller ones, and the size of jobs would never grow again. */
#define CAPRA_RENDER_OVERHEAD 64

/**
 * CapraRenderState:
 * @generation: number of the last change of the steps
 * @has_steps: whether there are any; otherwise levels of the pyramid are the final result
 * @bounds: bounds of the result, in pixels of the image
 * @visible: the part in view, in pixels of the image
 * @scale: pixels of the screen per pixel of the image; 0 if the view is hidden
 */
typedef struct {
  CapraTextureTiles *tiles;
  CapraPyramid *pyramid;
  guint generation;
  gboolean has_steps;
  GeglRectangle bounds, visible;
  double scale;
  CapraRenderCosts costs;
} CapraRenderState;

/**
 * CapraRenderJob:
 * @level: level of the tile to render
 * @rect: its bounds, in pixels of @level
 * @reduced: whether it is rendered from the pyramid's level instead of the image at full size
 * @hidden: whether it is outside the view: it can wait until the user pauses
 * @block: about how many pixels operations may compute at once beyond those of the job
 */
typedef struct {
  int level;
  GeglRectangle rect;
  CapraQuality quality;
  gboolean reduced;
  gboolean hidden;
  guint block;
} CapraRenderJob;

/**
 * CapraRenderProgress:
 * @busy: whether a part of the view is not final
 * @covered: whether every part of the view was rendered at least as a draft
 * @complete: whether the whole view is final
 * @fraction: fraction of the view that is final, 0 to 1
 */
typedef struct {
  gboolean busy, covered, complete;
  double fraction;
} CapraRenderProgress;

/* Returns: the level whose scale is nearest to @scale */
int capra_render_schedule_get_level (double scale);
/* Returns: whether anything is left to render; then @job is the most urgent part */
gboolean capra_render_schedule_next (const CapraRenderState *state, CapraRenderJob *job);
void capra_render_schedule_measure (const CapraRenderState *state, CapraRenderProgress *progress);

G_END_DECLS
