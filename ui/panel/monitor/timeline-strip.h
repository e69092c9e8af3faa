/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timeline strip: a run along time, a lane each for transfers in, kernels and transfers out. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/monitor/command-trace.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_TIMELINE_STRIP (capra_timeline_strip_get_type ())
G_DECLARE_FINAL_TYPE (CapraTimelineStrip, capra_timeline_strip, CAPRA, TIMELINE_STRIP, GtkWidget)

GtkWidget *capra_timeline_strip_new (void);

/* @run: (nullable): NULL for nothing yet. */
void capra_timeline_strip_set_run (CapraTimelineStrip *strip, CapraRun *run);

G_END_DECLS
