/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A monitor beside host programs: who worked with Capra meanwhile. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A process that came while the watch lasted. */
typedef struct {
  char *name, *title;
  guint64 recorded;  /* transfers and kernels */
  char *last_kernel; /* the name of the last command that is no transfer, or NULL */
  gboolean left;
} HostsSeen;

typedef struct _HostsWatch HostsWatch;

/* Listens in a thread of its own from now on. */
HostsWatch *hosts_watch_begin (void);
/* Ends it when all that came have left: (element-type HostsSeen) (transfer full). */
GPtrArray *hosts_watch_end (HostsWatch *watch);

/* The only one of that name; fails the test if there is none. */
const HostsSeen *hosts_seen_find (const GPtrArray *seen, const char *name);

G_END_DECLS
