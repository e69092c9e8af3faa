/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open-error: what a window says of a file that could not be opened. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns: (transfer full): a message with the name of the file */
char *capra_open_error_describe (GFile *file, const GError *error);

G_END_DECLS
