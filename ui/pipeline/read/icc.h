/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Icc: the color profiles of image files, for those that cannot be used. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * capra_icc_check:
 * @data: all bytes of a PNG, JPEG, WebP or TIFF
 * @reason: (out): why the profile cannot be used
 * @stripped: (out): the file without it
 *
 * Returns: TRUE if there is no color profile, or one that can be used for the image
 */
gboolean capra_icc_check (const guint8 *data, gsize length, char **reason, GByteArray **stripped);

G_END_DECLS
