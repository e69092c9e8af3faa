/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value-text: converts values of properties to and from the text in command lines and XML. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/* (nullable) (transfer full): %NULL for types without a text form, such as buffers. */
char *capra_value_to_text (const GValue *value);

/* (transfer full): the valid values of a number: "from 0 to 100", "at least 0". */
char *capra_value_describe_range (GParamSpec *property);

/* Initializes @value. FALSE with @error set if @text is invalid or out of range. */
gboolean capra_value_from_text (GParamSpec *property, const char *text, GValue *value, GError **error);

G_END_DECLS
