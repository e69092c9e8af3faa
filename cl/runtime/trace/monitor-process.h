/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* A process seen by the monitor. Private. */
#pragma once

#include "runtime/trace/monitor-types.h"

G_BEGIN_DECLS

CapraMonitorProcess *capra_monitor_process_new (gint64 pid);
void capra_monitor_process_free (CapraMonitorProcess *process);

/* Updates @process from a message. Fields that are missing from it, or of another type, keep their values. */
void capra_monitor_process_update (CapraMonitorProcess *process, GVariant *message);

/* Removes records and statistics, and starts to count again. */
void capra_monitor_process_reset (CapraMonitorProcess *process);

G_END_DECLS
