/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the render worker share. */
#pragma once

#include "ui/panel/preview/render-worker.h"
#include "ui/panel/preview/renderer.h"

G_BEGIN_DECLS

/* What the view asks for. */
typedef struct {
  GPtrArray *steps;
  guint generation; /* incremented by each change of the steps or of the stretch, and each refresh */
  guint refreshes;
  CapraDisplayStretch stretch;
  GeglRectangle visible;
  double scale;
  gboolean probe; /* whether the values of a pixel are requested */
  int probe_x, probe_y;
  guint labels;      /* the step whose regions are shown; 0 for none */
  gboolean has_line; /* whether values along a line are requested */
  CapraLine line;
  CapraSampleSubject sampled; /* of which values are requested; its format is NULL for none */
  guint n_samples;            /* incremented by each request of values */
  gint64 changed_at;          /* time of the last new generation */
} CapraRenderRequest;

typedef struct _CapraRenderThread CapraRenderThread;

struct _CapraRenderWorker {
  int refs; /* atomic */
  GMutex mutex;
  GCond cond;
  /* Protected by the mutex: */
  CapraRenderRequest request;
  CapraPreviewStatus status;
  CapraProbe probe;
  GHashTable *errors, *results;
  CapraTimelineScope *scope; /* of the view that was completed last; NULL before the first one */
  GPtrArray *tables;
  guint tables_generation;
  gint64 tables_time;
  CapraRegionLabels *labels; /* NULL without them */
  CapraProfile *profile;     /* the last one; NULL without a line */
  guint profile_generation;
  CapraValueSample *sample; /* the complete one that is requested, or NULL */
  guint sample_generation;
  gboolean quit;
  CapraRenderThread *thread; /* the one that renders; those before it end after their operation */
  guint n_replaced;          /* number of those that have not ended */
  guint taken;               /* generation that the thread renders */
  gint64 working_since;      /* time at which it took the request; 0 while it waits */
  guint idle;                /* source that will call the notification */
  CapraRenderChanges changes;

  int generation;           /* atomic: that of the request, to stop outdated work early */
  CapraRenderNotify notify; /* NULL once stopped; for the main thread only, like its data */
  gpointer data;
  CapraPyramid *pyramid;
  CapraTextureTiles *tiles;
  guint watch; /* source that replaces the thread; for the main thread only */
};

/* State of the thread. */
struct _CapraRenderThread {
  CapraRenderWorker *worker;
  CapraRenderer *renderer;
  CapraRenderRequest request; /* a copy of the worker's */
  guint measured_generation;  /* that the times in the status belong to */
  guint found_generation;     /* for which the results of the image at full size are known */
  CapraTimelineScope *scope;  /* of the renders of one kind, until the view is complete; then NULL */
  gint64 rendering;           /* microseconds of these renders */
  double building;            /* milliseconds, for the renders since the last change that are in no scope any more */
  guint tables_generation;    /* that the tables belong to */
  CapraRenderJob job;         /* the last one of the request */
  CapraRenderRequest labels;  /* that the labels belong to; its steps are not referenced */
  CapraValueSample *sample;   /* the one that is taken; NULL for none */
  guint sample_generation, n_samples; /* that it belongs to */
};

/* @worker: a CapraRenderWorker */
void capra_render_worker_unref (gpointer worker);

/* Starts a thread, which becomes the one that renders. It holds a reference of the worker. With the mutex locked if
 * there is another thread. */
void capra_render_thread_start (CapraRenderWorker *worker);

/* With the mutex locked: whether another thread renders. Then the results of @thread are not wanted. */
static inline gboolean
capra_render_thread_is_replaced (const CapraRenderThread *thread)
{
  return thread->worker->thread != thread;
}

/* Calls the worker's notification in the main thread. */
void capra_render_worker_notify (CapraRenderWorker *worker, CapraRenderChanges changes);

/* Publishes the status after a job. @errors and @results: (transfer full) (nullable): %NULL for no change. */
void capra_render_thread_publish (CapraRenderThread *thread, GHashTable *errors, GHashTable *results);

/* With the mutex locked: whether the profile is that of the requested line and steps. A hidden view
 * needs none. */
gboolean capra_render_worker_has_profile (CapraRenderWorker *worker);

/* Adds a square to the sample of values that is requested. Returns: whether any was left */
gboolean capra_render_thread_take_sample (CapraRenderThread *thread);

/* Once the view is complete, computes the profile, then the tables, the labels and the sample of values, unless they
 * are those of the request. Returns whether anything was left to compute. */
gboolean capra_render_thread_compute_numbers (CapraRenderThread *thread, const CapraRenderState *state);

G_END_DECLS
