/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels by flood fill. */
#pragma once

#include "ui/cli/check/reference.h"

G_BEGIN_DECLS

/* The labels of a mask of bytes, and their number. Free with g_free(). */
guint32 *reference_label (const guint8 *mask, gsize width, gsize height, const CapraLabelOptions *options,
                          guint32 *count);

G_END_DECLS
