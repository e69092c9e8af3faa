/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Renderer: renders tiles of a pipeline's result. For one thread. */
#pragma once

#include "ui/panel/preview/profile.h"
#include "ui/panel/preview/render-numbers.h"
#include "ui/panel/preview/render-schedule.h"
#include "ui/pipeline/graph/display-stretch.h"

G_BEGIN_DECLS

typedef struct _CapraRenderer CapraRenderer;

/* @generation: atomic; rendering stops when its value differs from that of capra_renderer_set_steps(). */
CapraRenderer *capra_renderer_new (CapraPyramid *pyramid, const int *generation);
void capra_renderer_free (CapraRenderer *renderer);

/* Pixels of the screen per pixel of the image; set it before the steps. */
void capra_renderer_set_scale (CapraRenderer *renderer, double scale);
/* How values are shown. Set it before the steps; a change needs a new generation of them. */
void capra_renderer_set_stretch (CapraRenderer *renderer, const CapraDisplayStretch *stretch);
/**
 * capra_renderer_set_steps:
 * @steps: (element-type CapraStep)
 * @generation: number of this change
 * @rebuild: whether to discard all cached results, because something other than the steps has changed
 */
void capra_renderer_set_steps (CapraRenderer *renderer, GPtrArray *steps, guint generation, gboolean rebuild);

/* Bounds of the result, in pixels of the image. */
const GeglRectangle *capra_renderer_get_bounds (CapraRenderer *renderer);
/* Measured by the jobs rendered so far. */
const CapraRenderCosts *capra_renderer_get_costs (CapraRenderer *renderer);

/**
 * capra_renderer_render:
 *
 * Returns: (nullable): the pixels, as capra_texture_tiles_add() takes them; %NULL if rendering was stopped
 */
GBytes *capra_renderer_render (CapraRenderer *renderer, const CapraRenderJob *job);
/* (transfer full) (nullable): as capra_graph_get_errors(), of the graph that rendered @job; @numbers: also of the one
 * whose tables were computed. */
GHashTable *capra_renderer_get_errors (CapraRenderer *renderer, const CapraRenderJob *job, gboolean numbers);
/* (transfer full) (nullable): as capra_graph_get_results(), of the graph that rendered @job. */
GHashTable *capra_renderer_get_results (CapraRenderer *renderer, const CapraRenderJob *job);
/* Whether @job is rendered from a level of the pyramid. */
gboolean capra_renderer_is_reduced (const CapraRenderJob *job);
/* Computes the values of one pixel of the result. */
void capra_renderer_probe (CapraRenderer *renderer, int x, int y, CapraProbe *probe);
/* Computes the values of the result along a line. Returns: (nullable): %NULL if rendering was stopped */
CapraProfile *capra_renderer_get_profile (CapraRenderer *renderer, const CapraLine *line);

/* (transfer full) (nullable): the tables of all steps that have one; %NULL if computing them was stopped. */
GPtrArray *capra_renderer_compute_tables (CapraRenderer *renderer);
/* (transfer full) (nullable): the labels of the regions that @step measures in the part @visible of the image, at
 * @scale; %NULL if reading them was stopped. */
CapraRegionLabels *capra_renderer_read_labels (CapraRenderer *renderer, guint step, const GeglRectangle *visible,
                                               double scale);

/* A sample of the image at full size, empty. */
CapraValueSample *capra_renderer_begin_sample (CapraRenderer *renderer, const CapraSampleSubject *subject);
/* Adds a square. Returns: whether there was one left */
gboolean capra_renderer_take_sample (CapraRenderer *renderer, const CapraSampleSubject *subject,
                                     CapraValueSample *sample);

G_END_DECLS
