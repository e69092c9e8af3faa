/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Messages of the monitor: what a process sends about itself, and what a monitor answers. Private.
 *
 * A message is a CapraMonitorHeader and a GVariant of type CAPRA_MONITOR_TYPE, serialized in the machine's byte order.
 * A reader ignores keys that it does not know; a change that older readers cannot ignore raises the version. A monitor
 * answers with single bytes: CAPRA_MONITOR_FREE asks to free unused memory, all others are ignored. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CAPRA_MONITOR_MAGIC 0x41525043u /* "CPRA" */
#define CAPRA_MONITOR_VERSION 1u
#define CAPRA_MONITOR_MAX_BYTES (4u << 20)
#define CAPRA_MONITOR_MAX_RECORDS 4096u
#define CAPRA_MONITOR_FREE 'f'

typedef struct {
  guint32 magic, version, bytes;
} CapraMonitorHeader;

/* The keys: name, title, version (s); recorded (t); devices, timings and records, arrays of the following types;
 * unified (ab), a field of CapraMonitorDevice. */
#define CAPRA_MONITOR_TYPE "a{sv}"
#define CAPRA_MONITOR_DEVICE "(ssuttttttttt)" /* id, name, type, the fields of CapraMemory */
#define CAPRA_MONITOR_TIMING "(usttdddddd)"   /* the fields of CapraMonitorTiming */
#define CAPRA_MONITOR_RECORD "(uuttttx)"      /* CapraMonitorPacked */

/* A record in a message; @timing is an index into the timings of the same message. */
typedef struct {
  guint32 timing, scope;
  guint64 bytes, queued, start, end;
  gint64 enqueued;
} CapraMonitorPacked;

/* A message with the records from number *@since on, or the latest ones if there are more than fit. *@since becomes the
 * number of the next record. */
GByteArray *capra_monitor_message_new (guint64 *since);

/* Whether @header begins a message that can be read. */
gboolean capra_monitor_message_is_valid (const CapraMonitorHeader *header);

G_END_DECLS
