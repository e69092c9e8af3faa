/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory view: the memory that Capra uses on each device, in all processes of the user. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/monitor/processes.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_MEMORY_VIEW (capra_memory_view_get_type ())
G_DECLARE_FINAL_TYPE (CapraMemoryView, capra_memory_view, CAPRA, MEMORY_VIEW, GtkWidget)

GtkWidget *capra_memory_view_new (CapraProcesses *processes);

G_END_DECLS
