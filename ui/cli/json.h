/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON for the commands that print it, built with json-glib. */
#pragma once

#include <json-glib/json-glib.h>

void json_add_string (JsonBuilder *json, const char *member, const char *value);
void json_add_integer (JsonBuilder *json, const char *member, guint64 value);

/* NaN and infinities, which JSON does not have, become null. */
void json_add_number (JsonBuilder *json, const char *member, double value);

/* Begins an array that is the value of @member. */
void json_begin_array (JsonBuilder *json, const char *member);

/* The root that was built, as text. */
char *json_to_text (JsonBuilder *json);

/* Prints it. */
void json_print (JsonBuilder *json);
