/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Neighbourhood: the regions of filters that look a fixed way to each side of a pixel. */
#pragma once

#include "plugin/compute/job.h"

G_BEGIN_DECLS

/* How far a filter reaches, and what it finds beyond the image. */
typedef struct {
  int x, y;
  CapraBorder border;
} CapraReach;

/* The image on the input pad, grown to what the filter can reach unless @clip. */
GeglRectangle capra_reach_get_bounding_box (GeglOperation *operation, const CapraReach *reach, gboolean clip);

GeglRectangle capra_reach_get_required (GeglOperation *operation, const CapraReach *reach, const GeglRectangle *roi);

GeglRectangle capra_reach_get_invalidated (GeglOperation *operation, const CapraReach *reach, const GeglRectangle *roi);

/* The pixels that the job's region needs, and the window to give to the algorithm. */
gboolean capra_reach_take (CapraJob *job, const CapraReach *reach, CapraPixels *pixels, CapraWindow *window,
                           GError **error);

G_END_DECLS
