/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A monitor that records which programs use Capra while a test runs. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A process that connected to the monitor. */
typedef struct {
  char *name, *title;
  guint64 recorded;  /* transfers and kernels */
  char *last_kernel; /* the name of the last kernel, or NULL */
  gboolean left;
} HostsSeen;

typedef struct _HostsWatch HostsWatch;

/* Starts to listen, in a thread of its own. */
HostsWatch *hosts_watch_begin (void);
/* Ends when all processes that connected have ended. Returns: (element-type HostsSeen) (transfer full) */
GPtrArray *hosts_watch_end (HostsWatch *watch);

/* The process of that name; fails the test unless there is exactly one. */
const HostsSeen *hosts_seen_find (const GPtrArray *seen, const char *name);

G_END_DECLS
