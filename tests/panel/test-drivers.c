/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel beside OpenCL drivers that hang, crash or lie, and with such drivers only. */
#include <gegl.h>
#include <string.h>

#include "capra.h"
#include "tests/panel/shot.h"
#include "tests/support/support-caches.h"
#include "tests/support/support-drivers.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/window.h"

#define FAULTY "crash build platforms devices names empty"

static CapraPanelWindow *
open_window (void)
{
  g_autoptr (GeglBuffer) image = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 101, 67), babl_format ("R'G'B'A u8"));
  g_autoptr (CapraStep) step = capra_step_new ("capra:box-blur");
  GeglColor *color = gegl_color_new ("#3a7");
  CapraPanelWindow *window = NULL;

  gegl_buffer_set_color (image, NULL, color);
  g_object_unref (color);
  window = capra_panel_window_new (NULL, image, "image", NULL, NULL);
  capra_step_model_insert (capra_panel_window_get_pipeline (window), step, -1);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static const char *
get_error (CapraPanelWindow *window)
{
  return capra_step_get_error (capra_step_model_get_step (capra_panel_window_get_pipeline (window), 0));
}

static gboolean
is_complete (CapraPanelWindow *window)
{
  CapraPreviewStatus status;

  capra_preview_get_status (capra_panel_window_get_preview (window), &status);
  return status.complete;
}

static void
close_window (CapraPanelWindow *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
  shot_rest (0.1);
  capra_preview_wait_for_workers ();
}

/* The preview is rendered by a good device, and the page of devices lists those only. */
static void
test_beside (void)
{
  CapraPanelWindow *window = open_window ();

  SHOT_WAIT_FOR (is_complete (window));
  g_assert_null (get_error (window));
  g_assert_nonnull (shot_find_label (GTK_WIDGET (window), capra_device_get_info (capra_device_get_best (NULL))->name));
  g_assert_null (shot_find_label (GTK_WIDGET (window), "Fake"));
  close_window (window);
}

/* Where the panel says that no device was found, it says why. */
static void
test_alone (void)
{
  CapraPanelWindow *window = open_window ();

  SHOT_WAIT_FOR (get_error (window) != NULL);
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (window), "No Device"));
  g_assert_nonnull (shot_find_label (GTK_WIDGET (window), "fake-crash.so): refused: it crashed in clGetPlatformIDs"));
  SHOT_WAIT_FOR (is_complete (window));
  shot_take (GTK_WIDGET (window), "panel-drivers");
  close_window (window);
}

/* In a process of its own: drivers are loaded once. @names: of the drivers beside those of the system */
static void
test_elsewhere (gconstpointer names)
{
  g_autofree char *drivers = NULL, *remove = NULL, *before = NULL;
  gboolean alone = g_str_equal (names, "");

  if (g_test_subprocess ())
    {
      (alone ? test_alone : test_beside) ();
      return;
    }
  if (alone)
    {
      before = g_strdup (g_getenv ("OCL_ICD_VENDORS"));
      g_setenv ("OCL_ICD_VENDORS", "/nowhere", TRUE);
    }
  drivers = support_drivers_new (alone ? FAULTY : names);
  g_setenv ("OCL_ICD_VENDORS", drivers, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
  if (before)
    g_setenv ("OCL_ICD_VENDORS", before, TRUE);
  else
    g_unsetenv ("OCL_ICD_VENDORS");
  remove = g_strdup_printf ("rm -rf '%s'", drivers);
  g_assert_true (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = NULL;
  int status = 0;

  support_keep_driver_caches ();
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("CAPRA_PROBE"); /* "off" in the environment of the tests */
  if (g_test_subprocess ())
    {
      gegl_init (NULL, NULL);
      adw_init ();
      capra_panel_init ();
      g_log_set_always_fatal (G_LOG_FATAL_MASK); /* failed operations log warnings */
    }
  else
    {
      cache = g_dir_make_tmp ("capra-cache-XXXXXX", NULL);
      g_setenv ("XDG_CACHE_HOME", cache, TRUE);
    }
  g_test_add_data_func ("/panel/drivers/hang", "hang", test_elsewhere);
  g_test_add_data_func ("/panel/drivers/beside", FAULTY, test_elsewhere);
  g_test_add_data_func ("/panel/drivers/alone", "", test_elsewhere);
  status = g_test_run ();
  if (cache)
    shot_remove (cache);
  return status;
}
