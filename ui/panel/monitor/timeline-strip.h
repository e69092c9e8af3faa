/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timeline strip: a command trace along time, with lanes for uploads, kernels and downloads of each device. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/monitor/command-trace.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_TIMELINE_STRIP (capra_timeline_strip_get_type ())
G_DECLARE_FINAL_TYPE (CapraTimelineStrip, capra_timeline_strip, CAPRA, TIMELINE_STRIP, GtkWidget)

GtkWidget *capra_timeline_strip_new (void);

/* @trace: (nullable): NULL if there is none yet. */
void capra_timeline_strip_set_trace (CapraTimelineStrip *strip, CapraCommandTrace *trace);

G_END_DECLS
