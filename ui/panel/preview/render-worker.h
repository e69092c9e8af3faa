/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render-worker: renders a view of a pipeline's result in a thread. */
#pragma once

#include "capra.h"
#include "ui/panel/preview/preview-status.h"
#include "ui/panel/preview/profile.h"
#include "ui/panel/preview/pyramid.h"
#include "ui/panel/preview/render-numbers.h"
#include "ui/panel/preview/texture-tiles.h"
#include "ui/pipeline/graph/display-stretch.h"

G_BEGIN_DECLS

typedef enum {
  CAPRA_RENDER_CHANGED_TILES = 1 << 0,
  CAPRA_RENDER_CHANGED_STATUS = 1 << 1,
  CAPRA_RENDER_CHANGED_PROBE = 1 << 2,
  CAPRA_RENDER_CHANGED_TABLES = 1 << 3,
  CAPRA_RENDER_CHANGED_LABELS = 1 << 4,
  CAPRA_RENDER_CHANGED_PROFILE = 1 << 5,
  CAPRA_RENDER_CHANGED_SAMPLE = 1 << 6,
} CapraRenderChanges;

/* Called in the main thread. */
typedef void (*CapraRenderNotify) (CapraRenderChanges changes, gpointer data);

/**
 * CapraRenderWorker:
 *
 * All functions are for the main thread. None waits for the worker's thread, which holds a reference of its own.
 */
typedef struct _CapraRenderWorker CapraRenderWorker;

CapraRenderWorker *capra_render_worker_new (CapraPyramid *pyramid, CapraRenderNotify notify, gpointer data);
/* Releases the worker. Its notification is not called any more; its thread ends after the operation that is running. */
void capra_render_worker_stop (CapraRenderWorker *worker);

/* The requests of the view. Each cancels outdated work. */
void capra_render_worker_set_steps (CapraRenderWorker *worker, GPtrArray *steps);
void capra_render_worker_refresh (CapraRenderWorker *worker);
void capra_render_worker_set_stretch (CapraRenderWorker *worker, const CapraDisplayStretch *stretch);
void capra_render_worker_set_view (CapraRenderWorker *worker, const GeglRectangle *visible, double scale);
void capra_render_worker_probe (CapraRenderWorker *worker, int x, int y);
void capra_render_worker_set_labels (CapraRenderWorker *worker, guint step);
/* @line: (nullable): along which values are read, again after each change of the steps */
void capra_render_worker_set_line (CapraRenderWorker *worker, const CapraLine *line);
/* As capra_preview_set_sample(). */
void capra_render_worker_set_sample (CapraRenderWorker *worker, const CapraSampleSubject *subject);

void capra_render_worker_get_status (CapraRenderWorker *worker, CapraPreviewStatus *status);
void capra_render_worker_get_probe (CapraRenderWorker *worker, CapraProbe *probe);
/* (transfer full): as capra_preview_get_errors(). */
GHashTable *capra_render_worker_get_errors (CapraRenderWorker *worker);
/* As capra_preview_get_tables() and capra_preview_get_labels(). */
GPtrArray *capra_render_worker_get_tables (CapraRenderWorker *worker, gboolean *current, gint64 *time);
CapraRegionLabels *capra_render_worker_get_labels (CapraRenderWorker *worker);
/* (transfer full) (nullable): as capra_preview_get_profile(). */
CapraProfile *capra_render_worker_get_profile (CapraRenderWorker *worker);
/* (transfer full) (nullable): as capra_preview_get_sample(). */
CapraValueSample *capra_render_worker_get_sample (CapraRenderWorker *worker);
/* (transfer full): as capra_preview_get_results(). */
GHashTable *capra_render_worker_get_results (CapraRenderWorker *worker);
/* (transfer full) (nullable): as capra_preview_get_scope(). */
CapraTimelineScope *capra_render_worker_get_scope (CapraRenderWorker *worker);
/* (transfer none) */
CapraTextureTiles *capra_render_worker_get_tiles (CapraRenderWorker *worker);

G_END_DECLS
