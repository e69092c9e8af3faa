/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timings view: statistics by process, device and command, and the timeline of the last run. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/monitor/processes.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_TIMINGS_VIEW (capra_timings_view_get_type ())
G_DECLARE_FINAL_TYPE (CapraTimingsView, capra_timings_view, CAPRA, TIMINGS_VIEW, GtkWidget)

GtkWidget *capra_timings_view_new (CapraProcesses *processes);

/* The rows that are shown, in their order, as CSV (g_free). */
char *capra_timings_view_to_csv (CapraTimingsView *view);

G_END_DECLS
