/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What a monitor knows of a process, from the messages it sent. Private. */
#pragma once

#include "runtime/trace/monitor.h"

G_BEGIN_DECLS

CapraMonitorProcess *capra_monitor_process_new (gint64 pid);
void capra_monitor_process_free (CapraMonitorProcess *process);

/* Takes over what a message tells. What it leaves out, or what is of another type, stays. */
void capra_monitor_process_update (CapraMonitorProcess *process, GVariant *message);

/* Counts from now on. */
void capra_monitor_process_reset (CapraMonitorProcess *process);

G_END_DECLS
