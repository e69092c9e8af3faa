/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Monitor: where its two sides meet, and the message that a process sends about itself. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* struct ucred */
#endif
#include <errno.h>
#include <glib/gstdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/device/error.h"
#include "runtime/device/file.h"
#include "runtime/trace/monitor-message.h"
#include "runtime/trace/timeline-private.h"

char *
capra_monitor_folder (GError **error)
{
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "capra", "monitor", NULL);
  struct stat found = { 0 };

  if (!capra_file_make_folder (folder) || lstat (folder, &found) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "cannot make the folder %s: %s", folder,
                   g_strerror (errno));
      return NULL;
    }
  if (!S_ISDIR (found.st_mode) || found.st_uid != geteuid () || (found.st_mode & 077) != 0)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM,
                   "%s must be a folder of this user, closed to others: remove it", folder);
      return NULL;
    }
  return g_steal_pointer (&folder);
}

gboolean
capra_monitor_peer (int fd, gint64 *pid)
{
  struct ucred peer = { 0 };
  socklen_t length = sizeof peer;

  if (getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
    return FALSE;
  if (pid)
    *pid = peer.pid;
  return peer.uid == geteuid ();
}

/* All devices, so that their places never change. */
static GVariant *
pack_devices (void)
{
  const GPtrArray *devices = capra_device_list (NULL);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a" CAPRA_MONITOR_DEVICE));
  for (guint i = 0; devices && i < devices->len; i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);
      CapraMemory memory = { 0 };

      if (capra_context_peek (devices->pdata[i]))
        capra_memory_query (devices->pdata[i], &memory);
      g_variant_builder_add (&builder, CAPRA_MONITOR_DEVICE, info->id, info->name, (guint32) info->type,
                             memory.bytes[CAPRA_MEMORY_ARRAYS], memory.bytes[CAPRA_MEMORY_RESIDENT],
                             memory.bytes[CAPRA_MEMORY_STAGING], memory.bytes[CAPRA_MEMORY_POOL], memory.peak,
                             memory.budget, memory.allocations);
    }
  return g_variant_builder_end (&builder);
}

/* What came to the memory later than the type of a device, in the same order. */
static GVariant *
pack_yielded (void)
{
  const GPtrArray *devices = capra_device_list (NULL);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a" CAPRA_MONITOR_YIELDED));
  for (guint i = 0; devices && i < devices->len; i++)
    {
      CapraMemory memory = { 0 };

      if (capra_context_peek (devices->pdata[i]))
        capra_memory_query (devices->pdata[i], &memory);
      g_variant_builder_add (&builder, CAPRA_MONITOR_YIELDED, memory.evictions, memory.freed);
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
pack_timings (const GArray *timings)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a" CAPRA_MONITOR_TIMING));
  for (guint i = 0; i < timings->len; i++)
    {
      const CapraTiming *timing = &g_array_index (timings, CapraTiming, i);
      guint32 device = capra_device_get_info (timing->device)->index;

      g_variant_builder_add (&builder, CAPRA_MONITOR_TIMING, device, timing->name, timing->count, timing->bytes,
                             timing->min, timing->median, timing->max, timing->mean, timing->std, timing->total);
    }
  return g_variant_builder_end (&builder);
}

/* The place of a record's statistics. */
static guint
find_timing (const GArray *timings, const CapraRecord *record)
{
  guint i = 0;

  for (; i < timings->len; i++)
    {
      const CapraTiming *timing = &g_array_index (timings, CapraTiming, i);

      if (timing->device == record->device && g_str_equal (timing->name, record->name))
        break;
    }
  return i;
}

static GVariant *
pack_records (const GArray *timings, const GArray *records)
{
  guint first = records->len - MIN (records->len, CAPRA_MONITOR_MOST_RECORDS);
  g_autofree CapraMonitorPacked *packed = g_new0 (CapraMonitorPacked, records->len - first + 1);
  gsize n = 0;

  for (guint i = first; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);
      guint timing = find_timing (timings, record);

      if (timing < timings->len) /* else the timeline was reset in between */
        packed[n++] = (CapraMonitorPacked){ timing, 0, record->bytes, record->queued, record->start, record->end };
    }
  return g_variant_new_fixed_array (G_VARIANT_TYPE (CAPRA_MONITOR_RECORD), packed, n, sizeof *packed);
}

GByteArray *
capra_monitor_message_new (guint64 *since)
{
  g_autoptr (GArray) records = capra_timeline_finished_records (since);
  g_autoptr (GArray) timings = capra_timeline_finished_statistics ();
  g_autoptr (GVariant) body = NULL;
  GByteArray *message = g_byte_array_new ();
  const char *name = g_get_prgname ();
  const char *title = g_get_application_name ();
  CapraMonitorHeader header = { CAPRA_MONITOR_MAGIC, CAPRA_MONITOR_VERSION, 0 };
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "name", "s", name ? name : "");
  g_variant_dict_insert (&dict, "title", "s", title ? title : "");
  g_variant_dict_insert (&dict, "version", "s", CAPRA_VERSION);
  g_variant_dict_insert (&dict, "recorded", "t", *since);
  g_variant_dict_insert_value (&dict, "devices", pack_devices ());
  g_variant_dict_insert_value (&dict, "yielded", pack_yielded ());
  g_variant_dict_insert_value (&dict, "timings", pack_timings (timings));
  g_variant_dict_insert_value (&dict, "records", pack_records (timings, records));
  body = g_variant_ref_sink (g_variant_dict_end (&dict));

  header.bytes = (guint32) g_variant_get_size (body);
  g_byte_array_append (message, (const guint8 *) &header, sizeof header);
  g_byte_array_append (message, g_variant_get_data (body), header.bytes);
  return message;
}
