/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that are lost during a preview, no devices, and kernels that take long to build. This program replaces
 * clBuildProgram() of the OpenCL loader by a function that can wait. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include <CL/cl.h>
#include <dlfcn.h>
#include <gegl.h>
#include <string.h>

#include "ui/panel/window/application.h"
#include "capra.h"
#include "tests/panel/lost-devices.h"
#include "tests/panel/shot.h"
#include "tests/support/support-caches.h"
#include "tests/support/support-files.h"
#include "ui/pipeline/text/value-text.h"
#include "ui/panel/window/window.h"

#define WIDTH 301
#define HEIGHT 203

static int block; /* atomic: whether builds of programs wait */

cl_int
clBuildProgram (cl_program program, cl_uint n_devices, const cl_device_id *devices, const char *options,
                void (CL_CALLBACK *notify) (cl_program program, void *data), void *data)
{
  cl_int (*next) (cl_program, cl_uint, const cl_device_id *, const char *, void (CL_CALLBACK *) (cl_program, void *),
                  void *)
    = dlsym (RTLD_NEXT, "clBuildProgram");

  while (g_atomic_int_get (&block))
    g_usleep (10000);
  return next (program, n_devices, devices, options, notify, data);
}

static CapraPanelWindow *
open_window (const char *operation)
{
  g_autoptr (GeglBuffer) image = gegl_buffer_new (GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format ("R'G'B'A u8"));
  g_autoptr (CapraStep) step = capra_step_new (operation);
  GeglColor *color = gegl_color_new ("#3a7");
  CapraPanelWindow *window = NULL;

  gegl_buffer_set_color (image, NULL, color);
  g_object_unref (color);
  window = capra_panel_window_new (NULL, image, "image", NULL, NULL);
  capra_step_model_insert (capra_panel_window_get_pipeline (window), step, -1);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static void
set_radius (CapraPanelWindow *window, const char *text)
{
  CapraStep *step = capra_step_model_get_step (capra_panel_window_get_pipeline (window), 0);
  GParamSpec *property = capra_operation_find_property ("capra:box-blur", "radius");
  g_auto (GValue) value = G_VALUE_INIT;

  g_assert_true (capra_value_from_text (property, text, &value, NULL));
  capra_step_set (step, property, &value);
}

static const char *
get_error (CapraPanelWindow *window)
{
  return capra_step_get_error (capra_step_model_get_step (capra_panel_window_get_pipeline (window), 0));
}

static const char *
get_failed_device (CapraPanelWindow *window)
{
  return capra_step_get_failed_device (capra_step_model_get_step (capra_panel_window_get_pipeline (window), 0));
}

/* If all devices are lost, the step and the page of the device show the error, and the preview shows the input of the
 * step. When the devices work again, the preview shows the result. */
static void
test_lost (void)
{
  CapraPanelWindow *window = open_window ("capra:box-blur");

  SHOT_WAIT_FOR (shot_is_complete (window));
  g_assert_null (get_error (window));

  lost_devices_set (2);
  set_radius (window, "7");
  SHOT_WAIT_FOR (get_error (window) != NULL);
  g_assert_nonnull (strstr (get_error (window), "CL_DEVICE_NOT_AVAILABLE"));
  SHOT_WAIT_FOR (shot_shows (window, "has failed")); /* in the status bar, as the page may be another one */
  g_assert_nonnull (get_failed_device (window));
  g_assert_nonnull (shot_find_label (GTK_WIDGET (window), "CL_DEVICE_NOT_AVAILABLE"));
  g_assert_cmpint (lost_devices_count_hits (), >, 0);
  SHOT_WAIT_FOR (shot_is_complete (window)); /* the input of the step is shown */
  shot_take (GTK_WIDGET (window), "panel-lost");

  lost_devices_set (0);
  set_radius (window, "8");
  SHOT_WAIT_FOR (shot_is_complete (window) && get_error (window) == NULL);
  SHOT_WAIT_FOR (!shot_shows (window, "has failed"));
  g_assert_null (get_failed_device (window));
  shot_close (GTK_WIDGET (window));
}

/* If one of two devices is lost, the step uses the other. */
static void
test_moved (void)
{
  CapraPanelWindow *window = open_window ("capra:box-blur");

  SHOT_WAIT_FOR (shot_is_complete (window));
  lost_devices_set (1);
  set_radius (window, "9");
  SHOT_WAIT_FOR (shot_is_complete (window));
  g_assert_null (get_error (window));
  lost_devices_set (0);
  shot_close (GTK_WIDGET (window));
}

/* With an empty cache the first use waits for kernels, and a message is shown. */
static void
test_first_use (void)
{
  CapraPanelWindow *window = NULL;

  capra_device_list (NULL); /* tests the devices, which builds other kernels */
  g_atomic_int_set (&block, TRUE);
  window = open_window ("capra:box-blur");
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (window), "Preparing kernels (first use)"));
  shot_take (GTK_WIDGET (window), "panel-first-use");
  g_atomic_int_set (&block, FALSE);
  SHOT_WAIT_FOR (shot_is_complete (window));
  SHOT_WAIT_FOR (!shot_find_label (GTK_WIDGET (window), "Preparing kernels"));
  shot_close (GTK_WIDGET (window));
}

static void
test_none (void)
{
  CapraPanelWindow *window = open_window ("capra:box-blur");

  SHOT_WAIT_FOR (get_error (window) != NULL);
  g_assert_null (get_failed_device (window));
  g_assert_nonnull (shot_find_label (GTK_WIDGET (window), "no OpenCL device"));
  g_assert_nonnull (shot_find_label (GTK_WIDGET (window), "No Device"));
  SHOT_WAIT_FOR (shot_is_complete (window));
  shot_close (GTK_WIDGET (window));
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = support_folder_make ("capra-cache-XXXXXX");

  support_keep_driver_caches ();
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_log_set_always_fatal (G_LOG_FATAL_MASK); /* failed operations log warnings */
  if (g_getenv ("OCL_ICD_VENDORS"))
    g_test_add_func ("/lost/none", test_none);
  else
    {
      g_test_add_func ("/lost/first-use", test_first_use);
      g_test_add_func ("/lost/all", test_lost);
      g_test_add_func ("/lost/one", test_moved);
    }
  return g_test_run ();
}
