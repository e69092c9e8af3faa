/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start: GEGL with Capra's operations. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* gegl_init(); where GEGL does not find Capra's module in its own folders or GEGL_PATH, takes it from where it was
 * installed, so that programs work under any prefix. */
void capra_gegl_start (void);

G_END_DECLS
