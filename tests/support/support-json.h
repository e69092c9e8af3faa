/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the JSON that the library and the programs write. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Parses @text, which must be valid. */
JsonNode *support_json_parse (const char *text);

/* The first object of @array whose @member is the string @value; there must be one. */
JsonObject *support_json_find (JsonArray *array, const char *member, const char *value);

G_END_DECLS
