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

/* In GIMP's own window. Its Cancel ends this process, so this is for work without a panel. */
void capra_host_begin_progress (const char *text);
/* @text: (nullable): replaces the text; %NULL leaves it. */
void capra_host_set_progress (double fraction, const char *text);
void capra_host_end_progress (void);

/* A procedure of this plug-in, which capra_host_work() runs in a process of its own. */
#define CAPRA_HOST_PROGRESS "plug-in-capra-progress"
#define CAPRA_HOST_PROGRESS_BLURB "Shows the progress of Capra's panel; for internal use"

/**
 * CapraHostWork:
 * @fraction: (out): 0 to 1
 * @text: (out) (transfer none): what is shown beside it
 *
 * Works for some time.
 *
 * Returns: whether there is more to do
 */
typedef gboolean (*CapraHostWork) (double *fraction, const char **text, gpointer data);

/**
 * capra_host_work:
 *
 * Calls @work until it returns %FALSE, and shows the progress in GIMP's own window. GIMP kills the process whose
 * progress a person cancels there, so another process shows it, which calls back here.
 *
 * Returns: %FALSE if a person cancelled the progress; @work was not called to its end then
 */
gboolean capra_host_work (CapraHostWork work, gpointer data);

/* What that other process does: calls the temporary procedure @callback until it says that the work is done. */
void capra_host_show_progress (const char *callback);

/* When the person asked for the plug-in, in the clock of the display. */
guint32 capra_host_get_user_time (void);

G_END_DECLS
