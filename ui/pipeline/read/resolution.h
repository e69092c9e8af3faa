/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolution: how large the pixels of an image are, as its file says, attached to its buffer. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/**
 * CapraResolution:
 * @per_meter: pixels per meter along x and y
 */
typedef struct {
  double per_meter[2];
} CapraResolution;

/* Attaches the resolution that a PNG, JPEG or TIFF file contains. @frame: of the file, from 0 */
void capra_resolution_attach (GeglBuffer *buffer, const char *path, gint64 frame);
void capra_resolution_set (GeglBuffer *buffer, const CapraResolution *resolution);
/* (nullable): %NULL if it is unknown. */
const CapraResolution *capra_resolution_get (GeglBuffer *buffer);

G_END_DECLS
