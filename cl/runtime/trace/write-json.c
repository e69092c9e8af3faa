/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Writes JSON with json-glib. */
#include <math.h>

#include "runtime/trace/write-json.h"

#define MAX_INTEGER 9007199254740992.0 /* 2^53: doubles represent all integers up to here */

JsonNode *
capra_json_object_node (void)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, json_object_new ());
  return node;
}

void
capra_json_set_number (JsonObject *object, const char *member, double value)
{
  if (!isfinite (value))
    json_object_set_null_member (object, member);
  else if (fabs (value) <= MAX_INTEGER && value == floor (value) && (value != 0 || !signbit (value)))
    json_object_set_int_member (object, member, (gint64) value);
  else
    json_object_set_double_member (object, member, value);
}
