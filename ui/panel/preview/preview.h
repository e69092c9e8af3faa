/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview: renders what is in view of a pipeline's result, in a thread of its own. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/preview/pyramid.h"

G_BEGIN_DECLS

/**
 * CapraPreview:
 *
 * Wants are set by the interface at any time and never wait. What is in view comes first: if it would
 * take long, from a smaller source, so that it is there within a tenth of a second; then in its own
 * scale, then from the image itself; what lies around it last. New values end what became stale.
 *
 * Signals: "updated": there is more to draw; "status": what capra_preview_get_status() tells has
 * changed; "probed": the values under the pointer are known.
 */
#define CAPRA_TYPE_PREVIEW (capra_preview_get_type ())
G_DECLARE_FINAL_TYPE (CapraPreview, capra_preview, CAPRA, PREVIEW, GObject)

/**
 * CapraPreviewStatus:
 * @bounds: where the result lies, in pixels of the image; empty if not known yet
 * @busy: whether anything in view is still to be computed
 * @complete: whether all that is in view was computed from the image itself
 * @first_ms: from the last change to its first full view, in milliseconds; negative if not there yet
 * @final_ms: likewise, until it was complete
 * @progress: how much of the view is final, 0 to 1
 */
typedef struct {
  GeglRectangle bounds;
  gboolean busy, complete;
  double first_ms, final_ms, progress;
} CapraPreviewStatus;

/**
 * CapraProbe:
 * @values: of the pixel, in the result's own format; as they stand for whole numbers and floats
 * @count: how many; 0 outside of the result
 * @label: whether the value is the number of a region
 * @floats: whether the values are fractions
 */
typedef struct {
  int x, y;
  double values[5];
  guint count;
  gboolean label, floats;
} CapraProbe;

CapraPreview *capra_preview_new (CapraPyramid *pyramid);

/* (element-type CapraStep): copies, never modified afterwards. */
void capra_preview_set_steps (CapraPreview *preview, GPtrArray *steps);
/* Renders all again: something that the steps do not tell has changed, such as the device. */
void capra_preview_refresh (CapraPreview *preview);
/* @visible: in pixels of the image; @scale: pixels of the screen for one of the image; 0: nothing. */
void capra_preview_set_view (CapraPreview *preview, const GeglRectangle *visible, double scale);
/* Asks for the values of a pixel, when there is nothing more urgent. */
void capra_preview_probe (CapraPreview *preview, int x, int y);

void capra_preview_get_status (CapraPreview *preview, CapraPreviewStatus *status);
void capra_preview_get_probe (CapraPreview *preview, CapraProbe *probe);
/* Of the steps that failed: id -> message (g_hash_table_unref). */
GHashTable *capra_preview_get_errors (CapraPreview *preview);

/* Draws the image that begins at @x, @y with @scale. */
void capra_preview_snapshot (CapraPreview *preview, GtkSnapshot *snapshot, const graphene_rect_t *visible, double scale,
                             double x, double y);

/* Reads the values of one pixel of @buffer, for images without a pipeline. */
void capra_probe_buffer (GeglBuffer *buffer, int x, int y, CapraProbe *probe);

/* Before the process ends: waits (a little) until no worker is within GEGL. */
void capra_preview_wait_for_workers (void);

G_END_DECLS
