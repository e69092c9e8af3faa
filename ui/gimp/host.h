/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host: what the plug-in needs of GIMP, of 2.10 (host-2.c) and 3 (host-3.c) alike.
 *
 * Drawables are known by their number. All of it is for the main thread, also the buffers: each tile of
 * them travels through GIMP's wire. GIMP ends a plug-in that touches a drawable which has gone, so ask
 * capra_host_check() first. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

#define CAPRA_HOST_ERROR (capra_host_error_quark ())
GQuark capra_host_error_quark (void);

typedef enum {
  CAPRA_HOST_ERROR_GONE,   /* the drawable is not there any more */
  CAPRA_HOST_ERROR_REFUSED /* it cannot be changed, or not by these steps */
} CapraHostError;

/* Whether the drawable is there and its pixels can be changed. */
gboolean capra_host_check (int drawable, GError **error);
/* Its name and its image's, for people (g_free). */
char *capra_host_describe (int drawable);
/* (transfer full): its pixels, from 0, 0 on. */
GeglBuffer *capra_host_get_pixels (int drawable);
/* (transfer full): where new pixels go until capra_host_merge(). */
GeglBuffer *capra_host_get_shadow (int drawable);
/* The bounds of what is selected of it; an error if that is nothing. */
gboolean capra_host_get_area (int drawable, GeglRectangle *area, GError **error);
/* Takes over @area of the shadow as far as it is selected: one step of undo. */
gboolean capra_host_merge (int drawable, const GeglRectangle *area, GError **error);

/* @steps: (element-type CapraStep): become effects of the drawable, one each, in one step of undo. */
gboolean capra_host_add_effects (int drawable, GPtrArray *steps, GError **error);
/* Whether GIMP has such effects. */
gboolean capra_host_has_effects (void);

/* In GIMP's own window, where a person can end the plug-in, too. */
void capra_host_begin_progress (const char *text);
void capra_host_set_progress (double fraction);
void capra_host_end_progress (void);
/* When the person asked for the plug-in, in the clock of the display. */
guint32 capra_host_get_user_time (void);

G_END_DECLS
