/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gif-frames: counts the frames of GIF files, whose loader does not return their number before it has decoded one, and
 * reads a file that is cut between two frames as if it were whole. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The number of frames; those that follow damage are not counted. 0 with @error set if the file cannot be read or has
 * no frame. */
guint64 capra_gif_count_frames (const char *path, GError **error);
/* (transfer full) (nullable): a warning, if the mark at the end of the file is missing or follows damage. */
char *capra_gif_describe_cut (const char *path);

G_END_DECLS
