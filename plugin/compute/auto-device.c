/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Auto device: what a job costs on a device, for device=auto. */
#include "plugin/compute/auto-device.h"

#include <string.h>

#include "plugin/buffers/resident.h"
#include "plugin/buffers/upload-cache.h"
#include "plugin/properties.h"

/* The device that holds the pixels of @buffer; NULL for the host. */
static CapraDevice *
find_holder (GeglBuffer *buffer)
{
  const CapraTileMap *map = capra_resident_get_map (buffer);
  CapraDevice *device = NULL;

  for (guint i = 0; map && i < map->parts->len && !device; i++)
    {
      g_autoptr (GArray) bands = capra_device_tiles_get_bands (map->parts->pdata[i]);

      if (bands && bands->len > 0)
        device = capra_array_get_device (g_array_index (bands, CapraPixels, 0).array);
    }
  return device ? device : capra_upload_cache_find_device (buffer);
}

/* The bytes of @job's region in @format. */
static double
get_bytes (const CapraJob *job, const Babl *format)
{
  return format ? (double) job->roi.width * job->roi.height * babl_format_get_bytes_per_pixel (format) : 0.0;
}

/* GEGL's own operation of the same name; NULL if it has none. */
static const char *
find_host_alternative (const char *operation)
{
  g_autofree char *name = g_strconcat ("gegl:", operation + strlen ("capra:"), NULL);

  return gegl_has_operation (name) ? g_intern_string (name) : NULL;
}

void
capra_auto_device_get_work (CapraJob *job, CapraDeviceWork *work)
{
  static const char *const pads[CAPRA_DEVICE_WORK_INPUTS] = { "input", "aux" };

  *work = (CapraDeviceWork){ .operation = gegl_operation_get_name (job->operation),
                             .pixels = (double) job->roi.width * job->roi.height,
                             .bytes = get_bytes (job, gegl_operation_get_format (job->operation, "output")) };
  for (guint i = 0; i < CAPRA_DEVICE_WORK_INPUTS; i++)
    {
      GeglBuffer *buffer = gegl_node_has_pad (job->operation->node, pads[i]) ? capra_job_get_buffer (job, pads[i])
                                                                             : NULL;

      if (!buffer)
        continue;
      work->inputs[i].bytes = get_bytes (job, gegl_buffer_get_format (buffer));
      work->inputs[i].holder = find_holder (buffer);
      work->bytes += work->inputs[i].bytes;
    }
  work->host_alternative = find_host_alternative (work->operation);
}
