/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gegl-start: initializes GEGL and finds Capra's operations. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Calls gegl_init(), for all operations of GEGL, also those under the GPL. If GEGL does not find Capra's module in its
 * own folders or in GEGL_PATH, loads the installed one, so that programs work with any installation prefix. */
void capra_gegl_start (void);

/* Whether GEGL has found Capra's module. */
gboolean capra_gegl_has_operations (void);

G_END_DECLS
