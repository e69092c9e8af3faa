/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files for GIMP 3 share. */
#pragma once

#include <libgimp/gimp.h>

G_BEGIN_DECLS

/* Returns: (transfer none) (nullable): the drawable with this number */
GimpDrawable *capra_host_find (int drawable);

/* Sets @error to @message. Returns: FALSE */
gboolean capra_host_refuse (GError **error, const char *message);

/* Sets @error to what GIMP says about its last call. Returns: FALSE */
gboolean capra_host_refuse_as_gimp (GError **error);

/* Merges the effects of @drawable into its pixels, whatever is selected. */
gboolean capra_host_merge_effects (GimpDrawable *drawable);

G_END_DECLS
