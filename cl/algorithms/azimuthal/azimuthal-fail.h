/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Errors in the arguments of an azimuthal integration. Private. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets @error to CAPRA_ERROR_ARGUMENT with the message. Returns FALSE. */
gboolean capra_azimuthal_fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
