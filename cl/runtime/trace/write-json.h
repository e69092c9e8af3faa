/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Writes JSON with json-glib: what timelines and tables share. Private. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A node with an empty object. */
JsonNode *capra_json_object_node (void);

/* Sets @member of @object to @value: an integer if it has no fraction and a double represents it exactly, a number with
 * up to 17 digits otherwise. JSON has no NaN or infinity: they become null. */
void capra_json_set_number (JsonObject *object, const char *member, double value);

G_END_DECLS
