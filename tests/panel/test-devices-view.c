/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page Devices in a real window: devices are chosen, made the default, and missing. */
#include "panel-resources.h"
#include "tests/panel/shot.h"
#include "tests/support/support.h"
#include "ui/panel/monitor/devices-view.h"

static void
test_chosen (void)
{
  GtkWidget *view = capra_devices_view_new ();
  GtkWidget *window = shot_window (view, 520, 620);
  const char *first = capra_device_get_info (support_device (0))->id;
  g_autofree char *stored = NULL, *gone = NULL;
  GtkWidget *row = NULL;

  SHOT_WAIT_FOR (shot_find (view, ADW_TYPE_EXPANDER_ROW));
  g_assert_cmpstr (capra_devices_view_get_device (CAPRA_DEVICES_VIEW (view)), ==, "");
  capra_devices_view_set_device (CAPRA_DEVICES_VIEW (view), "1");
  row = shot_find (view, ADW_TYPE_EXPANDER_ROW);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  g_signal_emit_by_name (shot_find_button (row, "_Measure"), "clicked");
  SHOT_WAIT_FOR (shot_find_label (row, "GB/s"));
  capra_devices_view_set_failure (CAPRA_DEVICES_VIEW (view), support_device (1), "The device was lost.");
  g_assert_nonnull (shot_find_label (view, "The device was lost."));

  g_signal_emit_by_name (shot_find_button (row, "Make _Default"), "clicked");
  stored = capra_settings_get_common ("device");
  g_assert_cmpstr (stored, ==, first);
  shot_take (window, "devices");
  g_signal_emit_by_name (shot_find_button (view, "_Clear Default"), "clicked");
  g_assert_null (gone = capra_settings_get_common ("device"));

  gtk_check_button_set_active (GTK_CHECK_BUTTON (shot_find (row, GTK_TYPE_CHECK_BUTTON)), TRUE);
  g_assert_cmpstr (capra_devices_view_get_device (CAPRA_DEVICES_VIEW (view)), ==, first);
  g_assert_true (capra_device_select (NULL, NULL) == support_device (0));
  capra_devices_view_set_device (CAPRA_DEVICES_VIEW (view), "1");
  g_assert_true (capra_device_select (NULL, NULL) == support_device (1));
  capra_devices_view_set_device (CAPRA_DEVICES_VIEW (view), NULL);
  shot_close (window);
}

/* The default in the settings is a device that is missing. */
static void
test_missing_default (void)
{
  GtkWidget *view = NULL, *window = NULL;
  g_autofree char *stored = NULL;
  gboolean missing = FALSE;

  g_assert_true (capra_settings_set ("device", "no such card", NULL));
  view = capra_devices_view_new ();
  window = shot_window (view, 520, 620);
  SHOT_WAIT_FOR (shot_find_label (view, "“no such card” is missing"));
  g_object_get (view, "missing", &missing, NULL);
  g_assert_true (missing);
  shot_take (window, "missing-default");
  g_signal_emit_by_name (shot_find_button (view, "_Clear Default"), "clicked");
  g_assert_null (stored = capra_settings_get_common ("device"));
  g_object_get (view, "missing", &missing, NULL);
  g_assert_false (missing);
  g_assert_null (shot_find_label (view, "is missing"));
  shot_close (window);
}

/* The device that was chosen at an earlier start is missing: another one is used until the user forgets it. */
static void
test_missing_chosen (void)
{
  GtkWidget *view = capra_devices_view_new (), *window = shot_window (view, 520, 620);
  gboolean missing = FALSE;

  capra_devices_view_set_device (CAPRA_DEVICES_VIEW (view), "gone #0");
  SHOT_WAIT_FOR (shot_find_label (view, "“gone #0” is missing"));
  g_object_get (view, "missing", &missing, NULL);
  g_assert_true (missing);
  g_assert_nonnull (capra_device_select (NULL, NULL));
  g_assert_cmpstr (capra_devices_view_get_device (CAPRA_DEVICES_VIEW (view)), ==, "gone #0"); /* it may return */
  shot_take (window, "missing-chosen");
  g_signal_emit_by_name (shot_find_button (view, "_Forget"), "clicked");
  g_assert_cmpstr (capra_devices_view_get_device (CAPRA_DEVICES_VIEW (view)), ==, "");
  g_object_get (view, "missing", &missing, NULL);
  g_assert_false (missing);
  g_assert_null (shot_find_label (view, "is missing"));
  shot_close (window);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL), *config = g_build_filename (folder, "config", NULL);
  int status = 0;

  g_setenv ("XDG_RUNTIME_DIR", folder, TRUE);
  g_setenv ("XDG_CONFIG_HOME", config, TRUE);
  g_unsetenv ("CAPRA_DEVICE");
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  adw_init ();
  g_resources_register (capra_panel_get_resource ());
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add_func ("/devices-view/chosen", test_chosen);
  g_test_add_func ("/devices-view/missing-default", test_missing_default);
  g_test_add_func ("/devices-view/missing-chosen", test_missing_chosen);
  status = g_test_run ();
  shot_remove (folder);
  return status;
}
