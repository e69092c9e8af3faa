/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing overlay: where the time of a run went, as bars over the preview. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/monitor/run.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_TIMING_OVERLAY (capra_timing_overlay_get_type ())
G_DECLARE_FINAL_TYPE (CapraTimingOverlay, capra_timing_overlay, CAPRA, TIMING_OVERLAY, GtkWidget)

/* Lets pointers through; made for a GtkOverlay. Invisible until it has a run. */
GtkWidget *capra_timing_overlay_new (void);

/* @run: (nullable): NULL hides it. */
void capra_timing_overlay_set_run (CapraTimingOverlay *overlay, CapraRun *run);

G_END_DECLS
