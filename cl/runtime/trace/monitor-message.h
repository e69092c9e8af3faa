/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the two sides of the monitor share: where they meet and the form of messages. Private.
 *
 * Every monitor listens on a Unix socket "*.socket" in the user's run-time folder, capra/monitor. A
 * process connects to all of them and sends messages: a CapraMonitorHeader, then as many bytes as it
 * says, a GVariant of type CAPRA_MONITOR_TYPE in the machine's byte order. Unknown keys are to be
 * ignored; a change that older readers cannot ignore raises the version. A monitor answers with
 * single bytes: 't' asks to free what can be freed, others are ignored. */
#pragma once

#include "runtime/trace/monitor.h"

G_BEGIN_DECLS

#define CAPRA_MONITOR_MAGIC 0x41525043u /* "CPRA" */
#define CAPRA_MONITOR_VERSION 1u
#define CAPRA_MONITOR_MOST_BYTES (4u << 20)
#define CAPRA_MONITOR_MOST_RECORDS 4096u
#define CAPRA_MONITOR_SUFFIX ".socket"
#define CAPRA_MONITOR_FREE 't'

typedef struct {
  guint32 magic, version, bytes;
} CapraMonitorHeader;

/* The keys: name, title, version (s); recorded (t); devices, yielded, timings and records of these types;
 * yielded has an entry for each device. */
#define CAPRA_MONITOR_TYPE "a{sv}"
#define CAPRA_MONITOR_DEVICE "(ssuttttttt)" /* id, name, type, bytes by kind, peak, budget, allocations */
#define CAPRA_MONITOR_YIELDED "(tt)"        /* evictions, bytes freed */
#define CAPRA_MONITOR_TIMING "(usttdddddd)" /* the fields of CapraMonitorTiming */
#define CAPRA_MONITOR_RECORD "(utttt)"      /* CapraMonitorPacked */

/* A record on its way; @timing is an index into the timings of the same message. */
typedef struct {
  guint32 timing, unused;
  guint64 bytes, queued, start, end;
} CapraMonitorPacked;

/* The folder of the sockets, made if needed: the user's own, closed to others. */
char *capra_monitor_folder (GError **error);

/* Whether the other end of a connection is of this user; @pid gets its process. */
gboolean capra_monitor_peer (int fd, gint64 *pid);

/* A whole message with the records from number *@since on (the latest, if they are too many); *@since
 * becomes their end. */
GByteArray *capra_monitor_message_new (guint64 *since);

/* Starts publishing. Called once, at the first context. */
void capra_monitor_publish (void);

G_END_DECLS
