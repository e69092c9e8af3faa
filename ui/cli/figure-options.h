/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure-options: what the options of figures in several commands share. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Parses "WIDTHxHEIGHT" in pixels; without @text (nullable), leaves the default. FALSE with @error set. */
gboolean figure_options_parse_size (const char *text, double *width, double *height, GError **error);

G_END_DECLS
