/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host-private: what host.c, for both versions of GIMP, needs from host-2.c and host-3.c. */
#pragma once

#include <libgimp/gimp.h>

#include "ui/gimp/host.h"

G_BEGIN_DECLS

/* An image or an item of it: a number in GIMP 2.10, an object in GIMP 3. Functions of libgimp with the same name in
 * both versions take it. */
#if GIMP_MAJOR_VERSION >= 3
typedef gpointer CapraHostObject;
#else
typedef gint32 CapraHostObject;
#endif

/* Whether a drawable with this number exists. */
gboolean capra_host_exists (int drawable);
/* (transfer none) */
CapraHostObject capra_host_find (int drawable);
/* Where the drawable is in its image. */
GeglRectangle capra_host_get_place (CapraHostObject drawable);
/* (transfer full): the text in a parasite. */
char *capra_host_get_text (const GimpParasite *parasite);
/* Appends what capra_host_get_state() contains of only this version: palettes and effects. */
void capra_host_append_state (GString *text, CapraHostObject drawable);

/* Merges the effects of @drawable into its pixels, whatever is selected. */
gboolean capra_host_merge_effects (CapraHostObject drawable);

/* Calls the procedure of capra_host_run(). @text: (out) (transfer full).
 * Returns: FALSE when it has finished or failed */
gboolean capra_host_call_worker (const char *callback, double *fraction, char **text);

/* What GIMP says about its last call. */
const char *capra_host_get_failure (void);
/* Sets @error to @message. Returns: FALSE */
gboolean capra_host_refuse (GError **error, const char *message);
/* Sets @error to capra_host_get_failure(). Returns: FALSE */
gboolean capra_host_refuse_as_gimp (GError **error);

G_END_DECLS
