/* SPDX-License-Identifier: GPL-3.0-or-later */
/* With given rates, the device that finishes first is chosen, and the reasons have the numbers. */
#include <string.h>

#include <json-glib/json-glib.h>

#include "tests/support/support.h"

/* Pixels per millisecond, and bytes per millisecond of transfers. */
static void
set_rates (const char *operation, double first, double second, double transfer)
{
  capra_device_set_rate (support_device (0), operation, first);
  capra_device_set_rate (support_device (1), operation, second);
  for (guint i = 0; i < 2; i++)
    capra_device_set_rate (support_device (i), NULL, transfer);
}

static guint
choose (const CapraDeviceWork *work)
{
  g_autoptr (GPtrArray) devices = g_ptr_array_new ();

  g_ptr_array_add (devices, support_device (0));
  g_ptr_array_add (devices, support_device (1));
  return capra_device_choose (work, devices);
}

/* 1000 pixels take 10 ms on the first device and 5 ms on the second one; 4000 bytes are transferred in 4 ms. */
static void
test_transfer (void)
{
  CapraDeviceWork work = { "test:transfer", 1000, 8000, { { 4000 } } };

  if (support_skip_alone ())
    return;
  set_rates ("test:transfer", 100, 200, 1000);
  g_assert_cmpuint (choose (&work), ==, 1); /* 4 + 10, 4 + 5 */
  work.inputs[0].holder = support_device (0);
  g_assert_cmpuint (choose (&work), ==, 0); /* 10, 4 + 4 + 5 */
  work.inputs[0].holder = support_device (1);
  g_assert_cmpuint (choose (&work), ==, 1); /* 4 + 4 + 10, 5 */
  work.inputs[0].holder = support_device (0);
  work.inputs[1].bytes = 4000; /* on the host: the same for both */
  g_assert_cmpuint (choose (&work), ==, 0);
  work.inputs[1].holder = support_device (1);
  g_assert_cmpuint (choose (&work), ==, 1); /* 8 + 10, 8 + 5 */
}

/* What is queued on a device makes it finish later, until a run that failed ends. */
static void
test_queue (void)
{
  CapraDeviceWork work = { "test:queue", 1e6, 1e6 }, small = { "test:queue", 1, 1 };
  CapraDeviceRun run;

  if (support_skip_alone ())
    return;
  set_rates ("test:queue", 1, 2, 1000);
  g_assert_cmpuint (choose (&small), ==, 1);
  capra_device_run_begin (&run, &work, support_device (1)); /* 500 seconds */
  g_assert_cmpuint (choose (&small), ==, 0);
  capra_device_run_end (&run, FALSE);
  g_assert_cmpuint (choose (&small), ==, 1);
}

/* Equal devices: the first. */
static void
test_equal (void)
{
  CapraDeviceWork work = { "test:equal", 1000, 8000, { { 4000 } } };

  set_rates ("test:equal", 100, 100, 1000);
  g_assert_cmpuint (choose (&work), ==, 0);
}

static void
test_description (void)
{
  CapraDeviceWork work = { "test:description", 1000, 8000, { { 4000 } }, "gegl:description" };
  g_autofree char *text = NULL, *all = NULL, *json = NULL, *none = capra_device_choice_describe ("test:none");
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *choices = NULL;
  JsonObject *choice = NULL, *second = NULL;
  g_autofree char *chosen = NULL;

  if (support_skip_alone ())
    return;
  chosen = g_strdup_printf ("→ %u: ", capra_device_get_info (support_device (1))->index);
  g_assert_null (none);
  set_rates ("test:description", 100, 200, 1000);
  g_assert_cmpuint (choose (&work), ==, 1);
  text = capra_device_choice_describe ("test:description");
  g_assert_nonnull (strstr (text, "transfer 4.000 + computation 10.000 = 14.000 (measured)"));
  g_assert_nonnull (strstr (text, "transfer 4.000 + computation 5.000 = 9.000 (measured)"));
  g_assert_nonnull (strstr (text, chosen));
  g_assert_nonnull (strstr (text, "gegl:description"));
  all = capra_timeline_to_text ();
  g_assert_nonnull (strstr (all, text));

  json = capra_timeline_to_json ();
  g_assert_true (json_parser_load_from_data (parser, json, -1, NULL));
  choices = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "choices");
  choice = json_array_get_object_element (choices, json_array_get_length (choices) - 1);
  g_assert_cmpstr (json_object_get_string_member (choice, "operation"), ==, "test:description");
  g_assert_cmpstr (json_object_get_string_member (choice, "chosen"), ==,
                   capra_device_get_info (support_device (1))->id);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (choice, "estimates")), ==, 3);
  second = json_array_get_object_element (json_object_get_array_member (choice, "estimates"), 1);
  g_assert_cmpfloat (json_object_get_double_member (second, "total"), ==, 9);
}

/* The first run of an operation on a device measures its rate. */
static void
test_measured (void)
{
  CapraDevice *device = support_device (0);
  CapraDeviceWork work = { "test:measured", 1000, 8000 };
  g_autofree char *before = NULL, *after = NULL;
  CapraDeviceRun run;

  choose (&work);
  before = capra_device_choice_describe ("test:measured");
  g_assert_null (strstr (before, "(measured)"));
  capra_device_run_begin (&run, &work, device);
  g_assert_true (capra_device_keep_busy (device, NULL));
  capra_device_run_end (&run, TRUE);
  choose (&work);
  after = capra_device_choice_describe ("test:measured");
  g_assert_nonnull (strstr (after, "(measured)"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/device-choice/transfer", test_transfer);
  g_test_add_func ("/device-choice/queue", test_queue);
  g_test_add_func ("/device-choice/equal", test_equal);
  g_test_add_func ("/device-choice/description", test_description);
  g_test_add_func ("/device-choice/measured", test_measured);
  return g_test_run ();
}
