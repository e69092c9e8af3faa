/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Icc: finds unusable color profiles in image files. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * capra_icc_check:
 * @data: the contents of a PNG, JPEG, WebP or TIFF file
 * @reason: (out) (nullable): why the profile is unusable
 * @stripped: (out) (nullable): the file without the profile
 *
 * Returns: TRUE if the file has no color profile, or a usable one
 */
gboolean capra_icc_check (const guint8 *data, gsize length, char **reason, GByteArray **stripped);

G_END_DECLS
