/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolution: how large the pixels of an image are, as its file says, attached to its buffer. */
#include "ui/pipeline/read/resolution.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "ui/pipeline/read/jpeg-reader.h"
#include "ui/pipeline/read/png-chunks.h"
#include "ui/pipeline/read/tiff-reader.h"
#include "ui/pipeline/regular-file.h"

#define KEY "capra-resolution"

void
capra_resolution_set (GeglBuffer *buffer, const CapraResolution *resolution)
{
  g_object_set_data_full (G_OBJECT (buffer), KEY, g_memdup2 (resolution, sizeof *resolution), g_free);
}

const CapraResolution *
capra_resolution_get (GeglBuffer *buffer)
{
  return g_object_get_data (G_OBJECT (buffer), KEY);
}

/* By the first bytes of the file. */
static gboolean
read_file (const char *path, guint page, double per_meter[2])
{
  int descriptor = capra_open_regular (path, NULL);
  guint8 start[4] = { 0 };
  gssize length = descriptor >= 0 ? read (descriptor, start, sizeof start) : -1;

  if (descriptor >= 0)
    close (descriptor);
  if (length < (gssize) sizeof start)
    return FALSE;
  if (memcmp (start, "\x89PNG", 4) == 0)
    return capra_png_read_resolution (path, per_meter);
  if (memcmp (start, "\xff\xd8\xff", 3) == 0)
    return capra_jpeg_read_resolution (path, per_meter);
  if (memcmp (start, "II", 2) == 0 || memcmp (start, "MM", 2) == 0)
    return capra_tiff_read_resolution (path, page, per_meter);
  return FALSE;
}

void
capra_resolution_attach (GeglBuffer *buffer, const char *path, gint64 frame)
{
  CapraResolution resolution;
  const double *per_meter = resolution.per_meter;

  if (read_file (path, (guint) frame + 1, resolution.per_meter) && isfinite (per_meter[0]) && per_meter[0] > 0.0
      && isfinite (per_meter[1]) && per_meter[1] > 0.0)
    capra_resolution_set (buffer, &resolution);
}
