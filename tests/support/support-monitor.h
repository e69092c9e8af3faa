/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of the monitor: worker processes, and a separate run-time folder. */
#pragma once

#include <gio/gio.h>

#include "capra.h"

G_BEGIN_DECLS

/* Runs the tests that @add_tests adds, with an empty folder of sockets. */
int support_monitor_main (int argc, char **argv, void (*add_tests) (void));

/* The folder of sockets. */
const char *support_monitor_folder (void);

/* Starts this program with @role: "--work" for a process that uses a device, "--deaf" for a monitor that never runs its
 * main context. */
GSubprocess *support_worker_start (const char *role);

/* Sets an environment variable of processes that are started from now on. */
void support_worker_setenv (const char *name, const char *value);

/* Waits until @process has answered. */
void support_worker_expect_ok (GSubprocess *process);

/* Sends a line to a worker and waits for the answer: "N" uploads, fills and downloads an array N times, "r" resets the
 * timeline. */
void support_worker_send (GSubprocess *process, const char *line);

/* Closes the input of @process, which ends it. */
void support_worker_finish (GSubprocess *process);

/* A new monitor. */
CapraMonitor *support_monitor_new (CapraMonitorFunc func, gpointer data);

/* The entry of @process in @monitor; NULL if there is none. */
const CapraMonitorProcess *support_monitor_find (CapraMonitor *monitor, GSubprocess *process);

/* The number of records with this name; 0 if @process is NULL. */
guint64 support_monitor_count (const CapraMonitorProcess *process, const char *name);

/* Runs the main context until @condition holds. */
#define SUPPORT_WAIT_FOR(condition) \
  { \
    gint64 end_ = g_get_monotonic_time () + SUPPORT_TIMEOUT; \
    while (!(condition) && g_get_monotonic_time () < end_) \
      if (!g_main_context_iteration (NULL, FALSE)) \
        g_usleep (2000); \
    g_assert_true (condition); \
  }

G_END_DECLS
