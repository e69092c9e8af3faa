/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of devices: a real `capra check` and programs in its place that fail, on the Devices page. */
#include <errno.h>
#include <gegl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "tests/panel/shot.h"
#include "tests/support/support-caches.h"
#include "tests/support/support.h"
#include "ui/panel/monitor/device-check.h"
#include "ui/panel/monitor/devices-view.h"

static char *folder; /* the first in PATH */

/* As SHOT_WAIT_FOR, for programs that this test starts: reports what @row shows if @condition stays false. */
#define WAIT_FOR_ROW(row, condition) \
  { \
    gint64 end_ = g_get_monotonic_time () + SUPPORT_TIMEOUT; \
    while (!(condition) && g_get_monotonic_time () < end_) \
      if (!g_main_context_iteration (NULL, FALSE)) \
        g_usleep (2000); \
    if (!(condition)) \
      g_error ("%s: the row shows \"%s\"", #condition, get_text (row)); \
  }

/* Makes @script the program `capra`; %NULL for none. */
static void
set_program (const char *script)
{
  g_autofree char *path = g_build_filename (folder, "capra", NULL);
  g_autofree char *text = script ? g_strdup_printf ("#!/bin/sh\n%s\n", script) : NULL;

  g_unlink (path);
  if (!text)
    return;
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

/* A view in a window, with the row of the first device open. */
static GtkWidget *
open_view (GtkWidget **row)
{
  GtkWidget *view = capra_devices_view_new ();
  GtkWidget *window = shot_window (view, 520, 720);

  SHOT_WAIT_FOR (shot_find (view, ADW_TYPE_EXPANDER_ROW));
  *row = shot_find (view, ADW_TYPE_EXPANDER_ROW);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (*row), TRUE);
  return window;
}

/* The row of the check below @row, of a device. */
static GtkWidget *
find_check (GtkWidget *row)
{
  GtkWidget *label = shot_find_label (row, "Check of the results");

  g_assert_nonnull (label);
  return gtk_widget_get_ancestor (label, ADW_TYPE_ACTION_ROW);
}

/* The subtitle, which is markup. */
static const char *
get_text (GtkWidget *row)
{
  return adw_action_row_get_subtitle (ADW_ACTION_ROW (find_check (row)));
}

static gboolean
shows (GtkWidget *row, const char *text)
{
  return strstr (get_text (row), text) != NULL;
}

static void
click (GtkWidget *row, const char *label)
{
  GtkWidget *button = shot_find_button (row, label);

  g_assert_true (gtk_widget_get_mapped (button));
  g_signal_emit_by_name (button, "clicked");
}

/* Whether the check can be started, and not cancelled. */
static gboolean
is_idle (GtkWidget *row)
{
  return gtk_widget_get_visible (shot_find_button (row, "Chec_k"))
         && !gtk_widget_get_visible (shot_find_button (row, "Cance_l Check"));
}

/* Whether @widget shows a warning with @text. */
static gboolean
warns (GtkWidget *widget, const char *text)
{
  if (GTK_IS_IMAGE (widget) && gtk_widget_get_visible (widget)
      && g_strcmp0 (gtk_image_get_icon_name (GTK_IMAGE (widget)), "dialog-warning-symbolic") == 0)
    return strstr (gtk_widget_get_tooltip_text (widget), text) != NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    if (warns (child, text))
      return TRUE;
  return FALSE;
}

/* The program itself, with two families of kernels. */
static void
test_real (void)
{
  GtkWidget *row = NULL, *window = open_view (&row);

  set_program ("exec \"$CAPRA_PROGRAM\" \"$@\" --select fill,crop");
  g_assert_true (shows (row, "Not checked"));
  g_assert_true (is_idle (row));
  g_assert_false (warns (row, ""));
  shot_take (window, "check-none");
  click (row, "Chec_k");
  g_assert_false (is_idle (row));
  WAIT_FOR_ROW (row, is_idle (row));
  g_assert_true (shows (row, "2 passed"));
  shot_take (window, "check-passed");
  shot_close (window);
}

/* The row follows what runs, ends a check that another window began, and takes a verdict that is kept. */
static void
test_cancel (void)
{
  GtkWidget *row = NULL, *other_row = NULL, *window = open_view (&row), *other = open_view (&other_row);
  g_autoptr (CapraCheckRecord) record = capra_check_record_new (FALSE);

  set_program ("echo '[5/27] threshold-local' >&2; exec sleep 1000");
  click (row, "Chec_k");
  WAIT_FOR_ROW (row, shows (row, "5 of 27: threshold-local"));
  g_assert_true (shows (other_row, "5 of 27: threshold-local"));
  shot_take (window, "check-running");
  click (other_row, "Cance_l Check");
  WAIT_FOR_ROW (row, is_idle (row));
  g_assert_true (is_idle (other_row));
  g_assert_true (shows (row, "Not checked"));

  record->count = 27;
  record->passed = 3;
  g_assert_true (capra_check_record_save (support_device (0), record, NULL));
  shot_close (other);
  other = open_view (&other_row);
  g_assert_true (shows (other_row, "in the background so far, 3 of 27: 3 passed"));

  record->ended = TRUE;
  record->passed = 27;
  g_assert_true (capra_check_record_save (support_device (0), record, NULL));
  shot_close (other);
  other = open_view (&other_row);
  g_assert_true (shows (other_row, "27 passed"));
  shot_close (other);
  shot_close (window);
}

/* The names of wrong families; a device with them has a warning. */
static void
test_wrong (void)
{
  GtkWidget *row = NULL, *window = open_view (&row);

  set_program ("echo '{\"results\": [{\"family\": \"fill\", \"verdict\": \"passed\"},"
               " {\"family\": \"median\", \"verdict\": \"differs\"}, {\"family\": \"label\", \"verdict\": \"differs\"},"
               " {\"family\": \"otsu<\", \"verdict\": \"failed\"}]}'; exit 1");
  click (row, "Chec_k");
  WAIT_FOR_ROW (row, is_idle (row));
  g_assert_true (shows (row, "2 of 4 differ: median, label"));
  g_assert_true (shows (row, "1 of 4 failed: otsu"));
  g_assert_true (warns (row, "otsu<"));
  g_assert_false (shows (row, "Most operations"));
  capra_devices_view_set_failure (CAPRA_DEVICES_VIEW (gtk_window_get_child (GTK_WINDOW (window))), support_device (0),
                                  "Lost.");
  g_assert_true (warns (row, "Lost."));
  capra_devices_view_set_failure (CAPRA_DEVICES_VIEW (gtk_window_get_child (GTK_WINDOW (window))), support_device (0),
                                  NULL);
  g_assert_true (warns (row, "otsu<"));
  shot_take (window, "check-wrong");
  /* Basic kernels: also what to do. */
  set_program (
    "echo '{\"results\": [{\"family\": \"fill\", \"verdict\": \"differs\"}], \"unreliable\": true}'; exit 1");
  click (row, "Chec_k");
  WAIT_FOR_ROW (row, is_idle (row));
  g_assert_true (shows (row, "1 of 1 differ: fill"));
  g_assert_true (shows (row, capra_device_get_info (support_device (0))->driver));
  g_assert_true (warns (row, "another version of the driver"));
  shot_take (window, "check-unreliable");
  shot_close (window);
}

/* Programs that end without a verdict. */
static void
test_failures (void)
{
  static const struct {
    const char *script, *text;
  } cases[] = {
    { "echo '[3/27] convert' >&2; kill -SEGV $$", "signal 11" },
    { "echo '[3/27] convert' >&2; kill -SEGV $$", "convert" },
    { "kill -KILL $$", "signal 9" },
    { "exit 3", "status 3" },
    { "echo 'capra check: the device is lost' >&2; exit 1", "capra check: the device is lost" },
    { "echo '{\"results\": [{\"family\": 7}]}'", "without a report" },
    { "echo '{\"results\": 7}'", "without a report" },
    { "echo '[7]'", "without a report" },
    { "echo '{'", "without a report" },
    { "printf '\\377\\376' >&2; exit 1", "\xef\xbf\xbd" },
    { NULL, "not installed" },
  };
  GtkWidget *row = NULL, *window = open_view (&row);
  g_autofree char *path = g_strdup (g_getenv ("PATH"));

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      set_program (cases[i].script);
      if (!cases[i].script)
        g_setenv ("PATH", folder, TRUE);
      click (row, "Chec_k");
      WAIT_FOR_ROW (row, is_idle (row));
      if (!shows (row, cases[i].text))
        g_error ("case %u: \"%s\" lacks \"%s\"", i, get_text (row), cases[i].text);
      g_assert_true (warns (row, ""));
      if (i == 0)
        shot_take (window, "check-failed");
    }
  g_setenv ("PATH", path, TRUE);
  shot_close (window);
}

/* The process ends with the last window. */
static void
test_close (void)
{
  GtkWidget *row = NULL, *window = open_view (&row);
  g_autofree char *file = g_build_filename (folder, "pid", NULL), *text = NULL;
  gint64 end = 0;
  int pid = 0;

  set_program ("echo $$ >\"${0%/*}/pid\"; echo '[1/27] fill' >&2; exec sleep 1000");
  click (row, "Chec_k");
  WAIT_FOR_ROW (row, shows (row, "1 of 27"));
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  pid = (int) g_ascii_strtoll (text, NULL, 10);
  g_assert_cmpint (pid, >, 0);
  g_assert_cmpint (kill (pid, 0), ==, 0);
  shot_close (window);
  end = g_get_monotonic_time () + SUPPORT_TIMEOUT;
  while (kill (pid, 0) == 0 && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (2000);
  g_assert_cmpint (kill (pid, 0), ==, -1);
  g_assert_cmpint (errno, ==, ESRCH);
}

static const char *
get_subtitle (GtkWidget *row, const char *title)
{
  GtkWidget *label = shot_find_label (row, title);

  return adw_action_row_get_subtitle (ADW_ACTION_ROW (gtk_widget_get_ancestor (label, ADW_TYPE_ACTION_ROW)));
}

/* What is avoided is said in words that need no knowledge of kernels, with how to lift it. */
static void
test_limits (void)
{
  const GPtrArray *devices = capra_device_list (NULL);
  g_autoptr (GError) error = NULL;
  GtkWidget *row = NULL, *window = NULL;
  const char *text = NULL;

  g_setenv ("CAPRA_QUARANTINE", "on", TRUE);
  g_assert_true (capra_quarantine_add (devices->pdata[0], "taps.variant=group", "box", &error));
  g_assert_no_error (error);
  window = open_view (&row);
  text = get_subtitle (row, "Known errors of the driver");
  g_assert_nonnull (strstr (text, "compute in another way, which may be slower: a <reason>. [test-variant]"));
  g_assert_nonnull (strstr (text, "run on another device: another reason (report). [test-kernels]"));
  g_assert_nonnull (strstr (text, "quirks.ini"));
  g_assert_null (strstr (text, "taps.variant"));
  text = get_subtitle (row, "Set aside after failures");
  g_assert_nonnull (strstr (text, "“box” computes in another way than taps.variant=group"));
  shot_take (window, "check-limits");
  click (row, "Use A_gain");
  g_assert_false (gtk_widget_get_mapped (shot_find_label (row, "Set aside after failures")));
  shot_close (window);
  window = open_view (&row);
  g_assert_false (gtk_widget_get_mapped (shot_find_label (row, "Set aside after failures")));
  shot_close (window);
  g_setenv ("CAPRA_QUARANTINE", "off", TRUE);
}

/* Entries that hold for all devices. */
static void
write_quirks (const char *home)
{
  g_autofree char *path = g_build_filename (home, "capra", "quirks.ini", NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  const char *text = "[test-variant]\nplatform=*\naction=avoid-variant\nvariant=taps.variant=none\n"
                     "reason=a <reason>\n"
                     "[test-kernels]\nplatform=*\naction=refuse-kernels\nkernels=none\nreason=another reason\n"
                     "link=https://localhost/report\n";

  g_assert_cmpint (g_mkdir (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

int
main (int argc, char **argv)
{
  g_autofree char *home = NULL, *path = NULL, *caches = NULL;
  int status = 0;

  support_keep_driver_caches ();
  home = g_dir_make_tmp ("capra-checks-XXXXXX", NULL);
  caches = g_build_filename (home, "cache", NULL);
  folder = g_build_filename (home, "programs", NULL);
  path = g_strdup_printf ("%s:%s", folder, g_getenv ("PATH"));
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_setenv ("XDG_CACHE_HOME", caches, TRUE);
  g_setenv ("XDG_CONFIG_HOME", home, TRUE);
  g_setenv ("XDG_STATE_HOME", home, TRUE);
  g_setenv ("PATH", path, TRUE);
  g_test_init (&argc, &argv, NULL);
  /* GEGL and GTK's theme warn of what they miss on this machine. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  write_quirks (home);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add_func ("/panel/checks/real", test_real);
  g_test_add_func ("/panel/checks/wrong", test_wrong);
  g_test_add_func ("/panel/checks/failures", test_failures);
  g_test_add_func ("/panel/checks/close", test_close);
  g_test_add_func ("/panel/checks/cancel", test_cancel);
  g_test_add_func ("/panel/checks/limits", test_limits);
  status = g_test_run ();
  shot_remove (home);
  g_free (folder);
  return status;
}
