/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Join: the results of several processes as one HDF5 file, whose virtual data sets refer to theirs. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * capra_join:
 * @parts: (array length=count): NeXus files; their order is that of their frames, whatever their order here
 * @incomplete: whether frames may be missing
 * @missing: (out) (nullable): the frames that no part has, as a text
 *
 * Creates a file with the groups of the first part. In each group of the class NXdata whose first axis is "frame", the
 * data sets with one row for each frame become virtual data sets of all parts; the others are copied from the first
 * part. No frame is copied: the parts must stay where they are, relative to @path.
 *
 * Returns: FALSE with @error set if a part is missing or damaged, if the parts do not fit together, or if frames are
 * missing or in two parts; @path is unchanged then
 */
gboolean capra_join (const char *path, char **parts, guint count, gboolean incomplete, char **missing, GError **error);

G_END_DECLS
