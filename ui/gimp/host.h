/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host: the functions of GIMP that the plug-in needs, for GIMP 2.10 (host-2.c) and 3 (host-3.c).
 *
 * Drawables are identified by their ids. Only the main thread can call these functions and use the buffers, whose tiles
 * are transferred through GIMP's wire protocol. GIMP ends a plug-in that accesses a deleted drawable: call
 * capra_host_check() first. */
#pragma once

#include "ui/pipeline/graph/layer-target.h"

G_BEGIN_DECLS

/* The name of the parasite of kept steps. */
#define CAPRA_HOST_STEPS "capra-steps"

#define CAPRA_HOST_ERROR (capra_host_error_quark ())
GQuark capra_host_error_quark (void);

typedef enum {
  CAPRA_HOST_ERROR_GONE,   /* the drawable no longer exists */
  CAPRA_HOST_ERROR_REFUSED /* the drawable cannot be changed, or not by these steps */
} CapraHostError;

/* FALSE with @error set if the drawable no longer exists or its pixels cannot be changed. */
gboolean capra_host_check (int drawable, GError **error);
/* (transfer full): the names of the drawable and its image, for titles. */
char *capra_host_describe (int drawable);
/* (transfer full): the pixels; the origin of the drawable is 0, 0. */
GeglBuffer *capra_host_get_pixels (int drawable);
/* (transfer full): the buffer for new pixels, see capra_host_merge(). */
GeglBuffer *capra_host_get_shadow (int drawable);
/* Gets the bounds of the selection on the drawable. FALSE with @error set if it is empty. */
gboolean capra_host_get_area (int drawable, GeglRectangle *area, GError **error);
/* Merges the selected part of @area from the shadow buffer into the drawable, as one undo step. @with_effects: merges
 * the drawable's effects before, since the pixels contain them. */
gboolean capra_host_merge (int drawable, const GeglRectangle *area, gboolean with_effects, GError **error);

/* (transfer full) (nullable): the selection with the extent of the drawable; %NULL if all of it is selected. */
GeglBuffer *capra_host_get_selection (int drawable);
/* The components of the drawable that capra_host_merge() changes. */
CapraLayerComponents capra_host_get_components (int drawable);
/* (transfer full): a text that changes when the size of the drawable, the bounds of its selection, its components or
 * its effects change. */
char *capra_host_get_state (int drawable);

/* The number of effects of the drawable that are visible. */
guint capra_host_count_effects (int drawable);
/* A drawable of a hidden image, with the pixels of @drawable after its effects; -1 with @error set on failure. */
int capra_host_render_effects (int drawable, GError **error);
/* Deletes that drawable with its image. */
void capra_host_delete_rendered (int rendered);

/* (transfer full) (nullable): steps that were kept with the drawable, as XML. */
char *capra_host_get_kept_steps (int drawable);
/* Keeps steps with the drawable, also in XCF files, without an undo step. @xml: (nullable): %NULL to keep none. */
void capra_host_keep_steps (int drawable, const char *xml);

/* Adds an effect to the drawable for each of @steps (element-type CapraStep), as one undo step. */
gboolean capra_host_add_effects (int drawable, GPtrArray *steps, GError **error);
/* Whether GIMP supports effects. */
gboolean capra_host_has_effects (void);

/* Whether GIMP has windows. */
gboolean capra_host_has_display (void);

/* Progress in GIMP's window. Its Cancel button ends this process: use it only without a panel. */
void capra_host_begin_progress (const char *text);
/* @text: (nullable): the new text; %NULL keeps the present one. */
void capra_host_set_progress (double fraction, const char *text);
void capra_host_end_progress (void);

/* A procedure of this plug-in that capra_host_run() starts in another process. */
#define CAPRA_HOST_PROGRESS "plug-in-capra-progress"
#define CAPRA_HOST_PROGRESS_BLURB "Shows the progress of Capra's panel; for internal use"

/**
 * CapraHostFunc:
 * @fraction: (out): the progress, 0 to 1
 * @text: (out) (transfer none): the text of the progress bar
 *
 * Processes for a short time.
 *
 * Returns: FALSE when finished
 */
typedef gboolean (*CapraHostFunc) (double *fraction, const char **text, gpointer data);

/**
 * capra_host_run:
 *
 * Calls @func until it returns FALSE, and shows the progress in GIMP's window. GIMP kills the process whose progress
 * the user cancels, so another process shows it and calls back to this one.
 *
 * Returns: FALSE if the user canceled the progress before @func finished
 */
gboolean capra_host_run (CapraHostFunc func, gpointer data);

/* The function of the other process: calls the temporary procedure @callback until it is finished. */
void capra_host_show_progress (const char *callback);

/* The timestamp of the user event that started the plug-in. */
guint32 capra_host_get_user_time (void);

G_END_DECLS
