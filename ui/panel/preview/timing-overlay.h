/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing-overlay: shows the times of the host, transfers and kernels as bars over the preview. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/monitor/command-trace.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_TIMING_OVERLAY (capra_timing_overlay_get_type ())
G_DECLARE_FINAL_TYPE (CapraTimingOverlay, capra_timing_overlay, CAPRA, TIMING_OVERLAY, GtkWidget)

/* For a GtkOverlay. It does not receive pointer events, and is hidden until it has a trace. */
GtkWidget *capra_timing_overlay_new (void);

/* Shows the parts of @trace (host, transfers, kernels), its kernels, and apart from them the time for building programs
 * at their first use. @trace: (nullable): %NULL hides the overlay. */
void capra_timing_overlay_set_trace (CapraTimingOverlay *overlay, CapraCommandTrace *trace);

/* Starts timing a view. */
void capra_timing_overlay_begin (CapraTimingOverlay *overlay);
/* Shows what was recorded in @scope (nullable); @wall: milliseconds that the view took; @building: milliseconds in
 * which programs were built for it. Later calls have no effect until the next start. */
void capra_timing_overlay_end (CapraTimingOverlay *overlay, CapraTimelineScope *scope, double wall, double building);

G_END_DECLS
