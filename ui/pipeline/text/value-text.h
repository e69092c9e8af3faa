/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value-text: values of properties as the text of GEGL's command line and XML. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/* %NULL for values that have no text, such as a buffer (g_free). */
char *capra_value_to_text (const GValue *value);

/* Fills @value (uninitialised); a number out of its range is an error, too. */
gboolean capra_value_from_text (GParamSpec *property, const char *text, GValue *value, GError **error);

G_END_DECLS
