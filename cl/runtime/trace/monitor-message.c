/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Messages of the monitor: packs the state of this process. */
#include "runtime/device/context.h"
#include "runtime/memory/memory.h"
#include "runtime/trace/monitor-message.h"
#include "runtime/trace/timeline-private.h"

/* All devices, in use or not, so that their indices never change. */
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
                             memory.budget, memory.allocations, memory.evictions, memory.freed);
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
pack_unified (void)
{
  const GPtrArray *devices = capra_device_list (NULL);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("ab"));
  for (guint i = 0; devices && i < devices->len; i++)
    g_variant_builder_add (&builder, "b", capra_device_get_info (devices->pdata[i])->unified);
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

/* The index of a record's statistics. */
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
  guint first = records->len - MIN (records->len, CAPRA_MONITOR_MAX_RECORDS);
  g_autofree CapraMonitorPacked *packed = g_new0 (CapraMonitorPacked, records->len - first + 1);
  gsize n = 0;

  for (guint i = first; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);
      guint timing = find_timing (timings, record);

      if (timing < timings->len) /* else the timeline was reset after the records were copied */
        packed[n++] = (CapraMonitorPacked){ timing,        record->scope, record->bytes,   record->queued,
                                            record->start, record->end,   record->enqueued };
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
  g_variant_dict_insert_value (&dict, "unified", pack_unified ());
  g_variant_dict_insert_value (&dict, "timings", pack_timings (timings));
  g_variant_dict_insert_value (&dict, "records", pack_records (timings, records));
  body = g_variant_ref_sink (g_variant_dict_end (&dict));

  header.bytes = (guint32) g_variant_get_size (body);
  g_byte_array_append (message, (const guint8 *) &header, sizeof header);
  g_byte_array_append (message, g_variant_get_data (body), header.bytes);
  return message;
}

gboolean
capra_monitor_message_is_valid (const CapraMonitorHeader *header)
{
  return header->magic == CAPRA_MONITOR_MAGIC && header->version == CAPRA_MONITOR_VERSION && header->bytes > 0
         && header->bytes <= CAPRA_MONITOR_MAX_BYTES;
}
