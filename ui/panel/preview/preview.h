/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview: renders a view of a pipeline's result in a thread and draws it. */
#pragma once

#include <gtk/gtk.h>

#include "capra.h"
#include "ui/panel/preview/preview-status.h"
#include "ui/panel/preview/profile.h"
#include "ui/panel/preview/pyramid.h"
#include "ui/panel/preview/render-numbers.h"
#include "ui/pipeline/graph/display-stretch.h"

G_BEGIN_DECLS

/**
 * CapraPreview:
 *
 * The user interface sets steps and view at any time, without waiting; a new value cancels outdated work. The preview
 * renders the view first, if needed from a reduced image, so that the first full view appears within a tenth of a
 * second. Then it renders the view at its own scale, then from the image at full size, and last the surroundings.
 *
 * Signals: "updated": there is more to draw; "status": capra_preview_get_status() has changed; "probed":
 * capra_preview_get_probe() has changed; "tables" and "labels": those of capra_preview_get_tables() and
 * capra_preview_get_labels() have changed; "profiled": capra_preview_get_profile() has changed; "sampled":
 * capra_preview_get_sample() has changed.
 */
#define CAPRA_TYPE_PREVIEW (capra_preview_get_type ())
G_DECLARE_FINAL_TYPE (CapraPreview, capra_preview, CAPRA, PREVIEW, GObject)

CapraPreview *capra_preview_new (CapraPyramid *pyramid);

/* (element-type CapraStep): copies, which must not be modified any more. */
void capra_preview_set_steps (CapraPreview *preview, GPtrArray *steps);
/* Renders everything again, because something other than the steps has changed, such as the device. */
void capra_preview_refresh (CapraPreview *preview);
/* How values are shown; results do not change. By default as capra_display_stretch_choose() without a file. */
void capra_preview_set_stretch (CapraPreview *preview, const CapraDisplayStretch *stretch);
/* @visible: in pixels of the image; @scale: pixels of the screen per pixel of the image, 0 to hide the view. */
void capra_preview_set_view (CapraPreview *preview, const GeglRectangle *visible, double scale);
/* Requests the values of a pixel of the result. The view has priority. */
void capra_preview_probe (CapraPreview *preview, int x, int y);
/* @line: (nullable): requests the values of the result along it, again after each change. The view has priority. */
void capra_preview_set_line (CapraPreview *preview, const CapraLine *line);

void capra_preview_get_status (CapraPreview *preview, CapraPreviewStatus *status);
/* The last values that were requested; their position is G_MININT if they are outdated. */
void capra_preview_get_probe (CapraPreview *preview, CapraProbe *probe);
/* (transfer full) (nullable): the last values along a line, which may be those before a change; %NULL without a line.
 */
CapraProfile *capra_preview_get_profile (CapraPreview *preview);
/* (transfer full) (element-type CapraStepError): the errors of failed steps by their ids. */
GHashTable *capra_preview_get_errors (CapraPreview *preview);
/* (transfer full): the numbers that the steps have found, as capra_graph_get_results(); of the image at full size as
 * soon as these are known. */
GHashTable *capra_preview_get_results (CapraPreview *preview);
/* (transfer full) (nullable): what devices did to render the view that was completed last. */
CapraTimelineScope *capra_preview_get_scope (CapraPreview *preview);

/**
 * capra_preview_get_tables:
 * @current: whether they are of the steps as they are now; otherwise newer ones are being computed
 * @time: when they were computed, in monotonic time
 *
 * The tables of the whole image at full size. They are computed once the view is complete.
 *
 * Returns: (transfer full) (element-type CapraStepTable): the tables of the steps that have one and did not fail
 */
GPtrArray *capra_preview_get_tables (CapraPreview *preview, gboolean *current, gint64 *time);

/* Requests the labels of the regions in view that the step @id measures, after the picture and the tables; 0 for none.
 */
void capra_preview_set_labels (CapraPreview *preview, guint id);
/* (transfer full) (nullable): the last ones, which may be those of an earlier view. */
CapraRegionLabels *capra_preview_get_labels (CapraPreview *preview);

/* @subject: (nullable): requests values of the result's own pixels, once for the present steps, after all that is seen.
 * Until the sample is complete, or again after a change of the steps, there is none. */
void capra_preview_set_sample (CapraPreview *preview, const CapraSampleSubject *subject);
/* (transfer full) (nullable): the complete sample that was requested last, if it is of the steps as they are now. */
CapraValueSample *capra_preview_get_sample (CapraPreview *preview);

/* Draws @visible (in pixels of the image) on @widget, with the image's origin at @x, @y. */
void capra_preview_snapshot (CapraPreview *preview, GtkSnapshot *snapshot, GtkWidget *widget,
                             const graphene_rect_t *visible, double scale, double x, double y);

/* Waits as capra_gegl_threads_wait(). Call it before the process ends. */
void capra_preview_wait_for_workers (void);

G_END_DECLS
