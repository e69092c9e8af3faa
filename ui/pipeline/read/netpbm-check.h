/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Netpbm-check: whether a PGM or PPM file holds as many samples as its header says. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* FALSE with @error set if the file at @path is not a PGM or PPM, or incomplete. GEGL's loader fills what is missing
 * with arbitrary values, without a message. */
gboolean capra_netpbm_check (const char *path, GError **error);

G_END_DECLS
