/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Detectors whose shape, pixels and gaps are known. Private. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A detector of modules with gaps between them. */
typedef struct {
  const char *name;
  double pixel; /* the size of a pixel in m */
  guint height, width;
  guint module_height, module_width, gap_height, gap_width;
  /* Columns in the middle of each module that do not count: the first one from the middle, and how many. */
  guint middle_before, middle;
} CapraDetector;

/* The detector with @name, without regard to case, spaces and underscores; NULL if it is not known. */
const CapraDetector *capra_detector_find (const char *name);

/* Sets @mask, of the detector's size, to 1 between the modules; other pixels stay. */
void capra_detector_mask (const CapraDetector *detector, guint8 *mask);

G_END_DECLS
