/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements of a region by their definitions. */
#pragma once

#include "ui/cli/check/reference.h"

G_BEGIN_DECLS

/* All measurements of the region with a label in an image of @n pixels. Returns FALSE if it has no pixel. */
gboolean reference_measure (CapraRegion *r, const guint32 *labels, const double *values, gsize width, gsize n,
                            guint32 label, int origin_x, int origin_y);

G_END_DECLS
