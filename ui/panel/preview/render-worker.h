/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview-worker: the thread behind a preview, and what the two share. */
#pragma once

#include "ui/pipeline/graph/graph.h"
#include "ui/panel/preview/texture-tiles.h"
#include "ui/panel/preview/preview.h"

G_BEGIN_DECLS

typedef struct {
  GPtrArray *steps;
  guint generation; /* of the steps */
  guint refreshes;
  GeglRectangle visible;
  double scale;
  gboolean probing;
  int probe_x, probe_y;
  gint64 changed_at;
} CapraWants;

/* Its owner and its thread each hold a reference: closing never waits for a slow operation. */
typedef struct {
  int refs; /* atomic */
  GMutex mutex;
  GCond cond;
  /* Under the mutex: */
  CapraWants wants;
  CapraPreviewStatus status;
  CapraProbe probe;
  GHashTable *errors;
  gboolean quit;
  guint idle;       /* pending announcement */
  guint announce;   /* what it is to say, of CapraAnnounce */
  GObject *preview; /* NULL when it is gone; only the main thread sets and uses it */

  int generation; /* atomic: the wanted one, for giving up early */
  CapraPyramid *pyramid;
  CapraPatches *patches;
} CapraWorker;

typedef enum {
  CAPRA_ANNOUNCE_UPDATED = 1 << 0,
  CAPRA_ANNOUNCE_STATUS = 1 << 1,
  CAPRA_ANNOUNCE_PROBED = 1 << 2,
} CapraAnnounce;

CapraWorker *capra_worker_new (CapraPyramid *pyramid, GObject *preview);
void capra_worker_unref (CapraWorker *worker);
void capra_worker_start (CapraWorker *worker);
/* From the worker's thread. */
void capra_worker_announce (CapraWorker *worker, CapraAnnounce what);

/* One piece of work. */
typedef struct {
  int level;          /* of its patch */
  GeglRectangle rect; /* in pixels of that level */
  CapraQuality quality;
  gboolean small;   /* whether it is computed from the pyramid's level */
  gboolean visible; /* in view */
} CapraJobPlan;

/* What surrounds a piece is computed with it, and each has its fixed costs: so many pixels more along each
 * axis, as far as the time goes. Without that, small pieces would look slow, and what looks slow is cut
 * into small pieces, for ever. */
#define CAPRA_SURROUND 64

/* How long pixels take, in nanoseconds each. */
typedef struct {
  double small, full;
} CapraCosts;

/**
 * capra_plan_next:
 * @bounds: of the result
 *
 * Returns: whether there is anything to do for @wants: then @plan is the most urgent piece of it
 */
gboolean capra_plan_next (CapraWorker *worker, const CapraWants *wants, const GeglRectangle *bounds,
                          const CapraCosts *costs, CapraJobPlan *plan);
/* The level at which the view is drawn. */
int capra_plan_get_level (double scale);
/* Fills busy, complete and progress of @status. Returns whether the view is covered by anything new. */
gboolean capra_plan_measure (CapraWorker *worker, const CapraWants *wants, const GeglRectangle *bounds,
                             CapraPreviewStatus *status);

G_END_DECLS
