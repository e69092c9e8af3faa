/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON for the commands that print it. */
#include <math.h>
#include <stdio.h>

#include "ui/cli/json.h"

void
json_add_string (JsonBuilder *json, const char *member, const char *value)
{
  json_builder_set_member_name (json, member);
  json_builder_add_string_value (json, value);
}

void
json_add_integer (JsonBuilder *json, const char *member, guint64 value)
{
  json_builder_set_member_name (json, member);
  json_builder_add_int_value (json, (gint64) value);
}

void
json_add_number (JsonBuilder *json, const char *member, double value)
{
  json_builder_set_member_name (json, member);
  if (isfinite (value))
    json_builder_add_double_value (json, value);
  else
    json_builder_add_null_value (json);
}

void
json_begin_array (JsonBuilder *json, const char *member)
{
  json_builder_set_member_name (json, member);
  json_builder_begin_array (json);
}

char *
json_to_text (JsonBuilder *json)
{
  g_autoptr (JsonNode) root = json_builder_get_root (json);

  return json_to_string (root, TRUE);
}

void
json_print (JsonBuilder *json)
{
  g_autofree char *text = json_to_text (json);

  puts (text);
}
