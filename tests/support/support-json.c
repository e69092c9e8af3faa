/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the JSON that the library and the programs write. */
#include "tests/support/support-json.h"

JsonNode *
support_json_parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonNode *root = json_from_string (text, &error);

  g_assert_no_error (error);
  g_assert_nonnull (root);
  return root;
}

JsonObject *
support_json_find (JsonArray *array, const char *member, const char *value)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *object = json_array_get_object_element (array, i);

      if (g_strcmp0 (json_object_get_string_member (object, member), value) == 0)
        return object;
    }
  g_error ("no object has %s %s", member, value);
}
