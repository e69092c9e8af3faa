/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of `capra tune`: races on a simulated device, and how it is ended early. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui/cli/tune/tune-clock.h"
#include "ui/cli/tune/tune-watchdog.h"
#include "ui/cli/tune/tune-race.h"
#include "tests/support/support-files.h"
#include "tests/support/support.h"

#define WORKLOADS 3

/* The time in milliseconds of each workload with the value in use and with the candidate. With @noise, every seventh
 * run takes longer. */
typedef struct {
  double used[WORKLOADS], value[WORKLOADS];
  gboolean noise, wrong, disturbed;
  guint value_fails, used_fails, stops; /* the number of runs after which this happens; 0: never */
  guint runs[2], verified;
} Device;

static gboolean
run (gpointer data, guint workload, const char *value, double *ms, GError **error)
{
  Device *device = data;
  gboolean is_used = g_str_equal (value, "used");
  guint fails = is_used ? device->used_fails : device->value_fails;

  g_assert_cmpuint (workload, <, WORKLOADS);
  *ms = (is_used ? device->used : device->value)[workload];
  if (device->noise && (device->runs[0] + device->runs[1]) % 7 == 3)
    *ms *= 9;
  if (device->disturbed && is_used && device->runs[0] % 4 > 0)
    *ms *= 1.2;
  if (fails > 0 && device->runs[!is_used] >= fails)
    {
      g_set_error_literal (error, g_quark_from_static_string ("test"), 1, "gone");
      return FALSE;
    }
  device->runs[!is_used]++;
  return TRUE;
}

static gboolean
verify (gpointer data, const char *value)
{
  Device *device = data;

  g_assert_cmpstr (value, ==, "candidate");
  device->verified++;
  return !device->wrong;
}

static gboolean
stop (gpointer data)
{
  const Device *device = data;

  return device->stops > 0 && device->runs[0] + device->runs[1] >= device->stops;
}

static TuneVerdict
race (Device *device, double *gain)
{
  const TuneRunner runner = { device, WORKLOADS, run, verify, stop };
  g_autoptr (GError) error = NULL;
  TuneVerdict verdict = tune_race (&runner, "used", "candidate", gain, &error);

  g_assert_true ((error != NULL) == (device->used_fails > 0));
  return verdict;
}

static void
test_faster (void)
{
  for (int noise = 0; noise < 2; noise++)
    {
      Device device = { { 4, 2, 1 }, { 2, 1, 1 }, noise };
      double gain = 0;

      g_assert_cmpint (race (&device, &gain), ==, TUNE_FASTER);
      g_assert_cmpfloat_with_epsilon (gain, 1.587401, 1e-5); /* the cube root of 4 */
      g_assert_cmpuint (device.verified, ==, 1);
      g_assert_cmpuint (device.runs[0], ==, 3 * 7 * WORKLOADS);
    }
}

/* A value that differs only by noise is not adopted. Results are verified only if the candidate can win. */
static void
test_same (void)
{
  for (int noise = 0; noise < 2; noise++)
    {
      Device device = { { 4, 2, 1 }, { 3.95, 1.98, 1 }, noise };
      double gain = 0;

      g_assert_cmpint (race (&device, &gain), ==, TUNE_NOT_FASTER);
      g_assert_cmpfloat_with_epsilon (gain, 1.0076, 1e-3);
      g_assert_cmpuint (device.verified, ==, 0);
      g_assert_cmpuint (device.runs[0], ==, 7 * WORKLOADS);
    }
}

/* A slow candidate is rejected after the run that builds it and one measured run, even if it is faster on other
 * workloads. */
static void
test_slower (void)
{
  Device device = { { 1, 1, 1 }, { 50, 0.001, 1 } }, second = { { 1, 1, 1 }, { 0.9, 1.5, 1 } };
  double gain = 0;

  g_assert_cmpint (race (&device, &gain), ==, TUNE_NOT_FASTER);
  g_assert_cmpfloat_with_epsilon (gain, 0.02, 1e-9);
  g_assert_cmpuint (device.runs[0], ==, 1);
  g_assert_cmpuint (device.runs[1], ==, 2);

  g_assert_cmpint (race (&second, &gain), ==, TUNE_NOT_FASTER);
  g_assert_cmpfloat_with_epsilon (gain, 1 / 1.5, 1e-9);
  g_assert_cmpuint (second.runs[0], ==, 7 + 3);
}

/* If other programs delay most runs of the value in use, but not those of the candidate, the candidate does not win. */
static void
test_disturbed (void)
{
  Device device = { { 1, 1, 1 }, { 1, 1, 1 }, .disturbed = TRUE };
  double gain = 0;

  g_assert_cmpint (race (&device, &gain), ==, TUNE_NOT_FASTER);
  g_assert_cmpfloat (gain, ==, 1);
}

static void
test_wrong (void)
{
  Device device = { { 4, 2, 1 }, { 2, 1, 1 }, .wrong = TRUE };
  double gain = 0;

  g_assert_cmpint (race (&device, &gain), ==, TUNE_WRONG);
  g_assert_cmpuint (device.runs[0], ==, 7 * WORKLOADS);
}

/* A candidate that fails is rejected. If the value in use fails, it is an error. */
static void
test_failed (void)
{
  Device first = { { 1, 1, 1 }, { 0, 0, 0 }, .value_fails = 1 };
  Device late = { { 1, 1, 1 }, { 0.5, 0.5, 0.5 }, .value_fails = 30 };
  Device both = { { 1, 1, 1 }, { 0.5, 0.5, 0.5 }, .used_fails = 3 };
  double gain = 0;

  g_assert_cmpint (race (&first, &gain), ==, TUNE_FAILED);
  g_assert_cmpint (race (&late, &gain), ==, TUNE_FAILED);
  g_assert_cmpuint (late.verified, ==, 1);
  g_assert_cmpint (race (&both, &gain), ==, TUNE_FAILED);
}

/* A race that is stopped has no result. */
static void
test_stopped (void)
{
  for (guint stops = 1; stops < 80; stops += 13)
    {
      Device device = { { 1, 1, 1 }, { 0.5, 0.5, 0.5 }, .stops = stops };
      double gain = 0;

      g_assert_cmpint (race (&device, &gain), ==, TUNE_STOPPED);
      g_assert_cmpfloat (gain, ==, 1);
      g_assert_cmpuint (device.runs[0] + device.runs[1], <=, stops + 1);
    }
}

/* Time is short if another candidate is expected to take longer than the remaining time. */
static void
test_clock (void)
{
  TuneClock clock;

  tune_clock_start (&clock, 0);
  g_assert_true (tune_clock_is_over (&clock));
  tune_clock_start (&clock, 100);
  g_assert_false (tune_clock_is_over (&clock));
  g_assert_false (tune_clock_is_short (&clock, 1000));
  g_assert_cmpfloat (tune_clock_expected (&clock), ==, 100);

  clock.start -= 10 * G_USEC_PER_SEC; /* 20 runs took 10 seconds, and 90 seconds remain */
  clock.limit -= 10 * G_USEC_PER_SEC;
  clock.done = 20;
  clock.all = 40;
  g_assert_cmpfloat_with_epsilon (tune_clock_expected (&clock), 20, 1);
  g_assert_false (tune_clock_is_short (&clock, 170));
  g_assert_true (tune_clock_is_short (&clock, 190));
  g_assert_false (tune_clock_is_over (&clock));
  clock.all = 1000;
  g_assert_cmpfloat_with_epsilon (tune_clock_expected (&clock), 100, 1e-9);

  tune_clock_start (&clock, G_MAXINT - 1); /* more microseconds than an int has */
  g_assert_cmpfloat (tune_clock_expected (&clock), ==, G_MAXINT - 1);
}

/* The watchdog ends the program when a driver hangs. */
static void
test_watchdog (void)
{
  if (g_test_subprocess ())
    {
      TuneWatchdog watchdog;

      tune_watchdog_start (&watchdog, g_get_monotonic_time () + G_USEC_PER_SEC / 20);
      tune_watchdog_set (&watchdog, "box-blur.variant", "endless");
      g_usleep (60 * G_USEC_PER_SEC);
      tune_watchdog_stop (&watchdog);
      return;
    }
  g_test_trap_subprocess (NULL, 30 * G_USEC_PER_SEC, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*box-blur.variant=endless*");
}

static char **environment; /* saved at the start, since loaders of OpenCL change it */

/* Stores a value other than the default for threshold.vector on the second device. Returns the key and the value. */
static char *
store_other_value (void)
{
  CapraDevice *device = support_device (1);
  g_autofree char *shipped = capra_tuning_get (device, "threshold.vector");
  g_auto (GStrv) values = g_key_file_get_string_list (capra_tuning_candidates (), "threshold.vector",
                                                      capra_tuning_kind (device), NULL, NULL);
  g_autoptr (GHashTable) kept = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;
  const char *other = values[g_str_equal (values[0], shipped) ? 1 : 0];

  g_hash_table_insert (kept, (gpointer) "threshold.vector", (gpointer) other);
  g_assert_true (capra_tuning_save (device, kept, &error));
  g_assert_no_error (error);
  return g_strconcat ("threshold.vector=", other, NULL);
}

static void
assert_stored (const char *pair)
{
  g_autofree char *path = capra_tuning_path (), *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, pair));
}

/* Runs `capra tune` on the second device with @argument. Sends the signal @number, unless it is 0, after the first
 * line of output. */
static char *
tune (const char *argument, int number, int *status)
{
  const char *id = capra_device_get_info (support_device (1))->id;
  char *words[] = {
    (char *) g_getenv ("CAPRA_PROGRAM"), (char *) "tune", (char *) "--device", (char *) id, (char *) argument, NULL
  };
  g_autoptr (GString) output = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  GPid child = 0;
  int from = -1;
  char byte = 0;

  g_spawn_async_with_pipes (NULL, words, environment, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &child, NULL, &from, NULL,
                            &error);
  g_assert_no_error (error);
  while (read (from, &byte, 1) == 1)
    {
      g_string_append_c (output, byte);
      if (byte == '\n' && number)
        {
          kill (child, number);
          kill (child, number); /* as `timeout` does */
          number = 0;
        }
    }
  close (from);
  g_assert_cmpint (waitpid (child, status, 0), ==, child);
  return g_string_free (g_steal_pointer (&output), FALSE);
}

/* Keys that were not measured keep their values and are listed. The exit status shows the signal. */
static void
test_interrupted (void)
{
  static const int numbers[] = { SIGINT, SIGTERM };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *pair = store_other_value (), *output = NULL;
      int status = 0;

      output = tune ("--time=100", numbers[i], &status);
      g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == numbers[i]);
      g_assert_nonnull (strstr (output, "Stopped after "));
      g_assert_nonnull (strstr (output, pair));
      g_assert_nonnull (strstr (output, "Stored in "));
      assert_stored (pair);
    }
}

static void
test_time_up (void)
{
  g_autofree char *pair = store_other_value (), *output = NULL;
  int status = 0;

  output = tune ("--time=0", 0, &status);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  g_assert_nonnull (strstr (output, "Time limit reached after "));
  g_assert_nonnull (strstr (output, pair));
  assert_stored (pair);
}

/* The result of a selected key is stored, also if the value does not change, and --rest does not measure it again. The
 * other keys keep their values. */
static void
test_selected (void)
{
  g_autofree char *pair = store_other_value (), *output = NULL, *again = NULL;
  int status = 0;

  output = tune ("--select=measure.carry", 0, &status);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  g_assert_nonnull (strstr (output, " 1/1 "));
  g_assert_nonnull (strstr (output, "measure.carry"));
  g_assert_null (strstr (output, "threshold.vector"));
  assert_stored (pair);
  assert_stored ("measure.carry=");

  again = tune ("--rest", SIGINT, &status);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGINT);
  g_assert_nonnull (strstr (again, "reduction.groups="));
  g_assert_null (strstr (again, "measure.carry="));
  g_assert_null (strstr (again, pair));
}

static void
test_forced (void)
{
  g_autofree char *output = NULL;
  int status = 0;

  environment = g_environ_setenv (environment, "CAPRA_TUNING", "threshold.vector=4", TRUE);
  output = tune ("--select=threshold.vector", 0, &status);
  environment = g_environ_unsetenv (environment, "CAPRA_TUNING");
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  g_assert_nonnull (strstr (output, "CAPRA_TUNING"));
}

int
main (int argc, char **argv)
{
  g_autofree char *data = support_folder_make ("capra-tune-XXXXXX");
  int status = 0;

  g_setenv ("XDG_DATA_HOME", data, TRUE);
  environment = g_get_environ ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tune/faster", test_faster);
  g_test_add_func ("/tune/same", test_same);
  g_test_add_func ("/tune/slower", test_slower);
  g_test_add_func ("/tune/disturbed", test_disturbed);
  g_test_add_func ("/tune/wrong", test_wrong);
  g_test_add_func ("/tune/failed", test_failed);
  g_test_add_func ("/tune/stopped", test_stopped);
  g_test_add_func ("/tune/clock", test_clock);
  g_test_add_func ("/tune/watchdog", test_watchdog);
  g_test_add_func ("/tune/interrupted", test_interrupted);
  g_test_add_func ("/tune/time-up", test_time_up);
  g_test_add_func ("/tune/selected", test_selected);
  g_test_add_func ("/tune/forced", test_forced);
  status = g_test_run ();
  g_strfreev (environment);
  return status;
}
