/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the check that a program's first use of a device starts in the background. Programs run as children of this
 * test, which also is the parent of what they leave; the records of this test leave two families to check. */
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/background-start.h"
#include "tests/cli/fill-kernel.h"
#include "tests/cli/kept-record.h"
#include "tests/support/support-caches.h"
#include "tests/support/support-files.h"
#include "tests/support/support-load.h"
#include "tests/support/support.h"
#include "ui/cli/remove-folder.h"

/* In programs that this test starts from its own file. */
#define SEED "seed"   /* writes a record in which all families but those to check have passed, as of another process */
#define ENDED "ended" /* writes one of a check that has ended */
#define USE "use"     /* uses a device, and ends at the end of its standard input */

static const char *self;
static char *caches;
static guint n_families;

/* The names of the families; the first two are those to check. */
static char **
list_families (void)
{
  const char *command[] = { g_getenv ("CAPRA_PROGRAM"), "check", "--list", NULL };
  g_autofree char *output = NULL;
  char **names = NULL;

  g_assert_true (g_spawn_sync (NULL, (char **) command, NULL, 0, NULL, NULL, &output, NULL, NULL, NULL));
  names = g_strsplit (g_strstrip (output), "\n", -1);
  g_assert_cmpuint (g_strv_length (names), >, 20);
  g_assert_cmpstr (names[0], ==, "fill");
  g_assert_cmpstr (names[1], ==, "crop");
  return names;
}

static int
seed (gboolean ended)
{
  g_autoptr (CapraCheckRecord) record = capra_check_record_new (FALSE);
  g_auto (GStrv) names = list_families ();

  g_strfreev (record->done);
  record->done = g_strdupv (names + 2);
  record->passed = g_strv_length (record->done);
  record->count = g_strv_length (names);
  record->ended = ended;
  return capra_check_record_save (support_device (0), record, NULL) ? 0 : 1;
}

/* PoCL's kernels are built in the background only. */
static int
use (void)
{
  const float value = 1;
  g_autoptr (CapraArray) array = support_array (support_device (0), 1, 1, 1, 1, &value);
  char byte = 0;

  g_assert_nonnull (array);
  while (read (STDIN_FILENO, &byte, 1) > 0)
    ;
  return 0;
}

/* Fails the test if @done() does not become TRUE. */
static void
wait_until (const char *what, gboolean (*done) (gconstpointer data), gconstpointer data)
{
  gint64 end = g_get_monotonic_time () + SUPPORT_TIMEOUT;

  while (!done (data))
    {
      if (g_get_monotonic_time () > end)
        {
          g_autoptr (GKeyFile) file = kept_record_load ();
          g_autofree char *text = file ? g_key_file_to_data (file, NULL, NULL) : g_strdup ("no record");

          g_error ("waited for %s: %s", what, text);
        }
      g_usleep (20000);
    }
}

static gboolean
is_ended (gconstpointer data)
{
  return kept_record_get_boolean ("ended");
}

static gboolean
runs (gconstpointer names)
{
  g_autofree char *running = kept_record_dup_names ("running");

  return g_str_equal (running, names);
}

/* Whether the child @pid has ended. */
static gboolean
is_reaped (gconstpointer pid)
{
  return waitpid (*(const pid_t *) pid, NULL, WNOHANG) == *(const pid_t *) pid;
}

static gboolean
is_without_children (gconstpointer data)
{
  return waitpid (-1, NULL, WNOHANG) < 0;
}

typedef struct {
  GPid pid;
  int input; /* of the program */
  int errors;
} Host;

static Host
start_host (void)
{
  const char *command[] = { self, USE, NULL };
  g_autoptr (GError) error = NULL;
  Host host;

  g_spawn_async_with_pipes (NULL, (char **) command, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &host.pid,
                            &host.input, NULL, &host.errors, &error);
  g_assert_no_error (error);
  return host;
}

/* Ends a program. (transfer full): what it wrote to its standard error. */
static char *
close_host (Host host)
{
  GString *text = g_string_new (NULL);
  char bytes[4096];
  gssize n = 0;

  close (host.input);
  while ((n = read (host.errors, bytes, sizeof bytes)) > 0)
    g_string_append_len (text, bytes, n);
  close (host.errors);
  return g_string_free (text, FALSE);
}

/* Ends a program, and waits for all that it has left. */
static char *
end_host (Host host)
{
  char *text = close_host (host);

  wait_until ("the end of all processes", is_without_children, NULL);
  return text;
}

static gboolean
is_closed (gconstpointer end)
{
  struct pollfd event = { .fd = *(const int *) end, .events = POLLIN };
  char byte = 0;

  return poll (&event, 1, 0) > 0 && recv (event.fd, &byte, 1, MSG_DONTWAIT) <= 0;
}

static void
wait_for_background (int end)
{
  wait_until ("the end of the check", is_closed, &end);
  close (end);
}

static gboolean
has_checker (gconstpointer data)
{
  return kept_record_get_checker () > 0;
}

static gboolean
has_checker_other_than (gconstpointer pid)
{
  pid_t checker = kept_record_get_checker ();

  return checker > 0 && checker != *(const pid_t *) pid;
}

static void
kill_checker (void)
{
  pid_t pid = kept_record_get_checker ();

  g_assert_cmpint (pid, >, 1);
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  wait_until ("the end of the killed process", is_reaped, &pid);
}

/* Runs this program with @role. */
static void
run_self (const char *role)
{
  const char *command[] = { self, role, NULL };
  int status = 1;

  g_assert_true (g_spawn_sync (NULL, (char **) command, NULL, 0, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

/* Removes what was kept, and writes a record. */
static void
begin (const char *role)
{
  g_autofree char *folder = g_build_filename (caches, "capra", NULL);

  remove_folder (folder);
  if (role)
    run_self (role);
}

/* The check continues with the families that are left, and its verdict is kept. */
static void
test_completes (void)
{
  g_autofree char *errors = NULL, *kernels = g_build_filename (caches, "capra", "checks", "kernels", NULL);
  Host host;

  begin (SEED);
  host = start_host ();
  wait_until ("the verdict", is_ended, NULL);
  errors = end_host (host);
  g_assert_cmpuint (kept_record_get_number ("passed"), ==, n_families);
  kept_record_assert_names ("failed", "");
  kept_record_assert_names ("differ", "");
  kept_record_assert_names ("done", "");
  kept_record_assert_names ("running", "");
  g_assert_null (strstr (errors, "kernels failed"));
  g_assert_false (g_file_test (kernels, G_FILE_TEST_EXISTS));
}

/* After the program that wanted the check has ended, no second family begins; the next process goes on. */
static void
test_ends (void)
{
  g_autofree char *done = NULL;
  int end = -1;

  begin (SEED);
  end = background_start ("");
  g_assert_cmpint (shutdown (end, SHUT_WR), ==, 0);
  wait_for_background (end);
  done = kept_record_dup_names ("done");
  g_assert_true (g_str_has_suffix (done, ",fill"));
  g_assert_false (is_ended (NULL));
  g_assert_cmpuint (kept_record_get_number ("passed"), ==, n_families - 1);
  kept_record_assert_names ("running", "");

  end = background_start ("");
  g_assert_cmpint (shutdown (end, SHUT_WR), ==, 0);
  wait_for_background (end);
  g_assert_true (is_ended (NULL));
  g_assert_cmpuint (kept_record_get_number ("passed"), ==, n_families);
  wait_until ("the end of all processes", is_without_children, NULL);
}

static gboolean
skip_hanging (void)
{
  if (capra_device_get_info (support_device (0))->type == CAPRA_DEVICE_CPU)
    return FALSE;
  g_test_skip ("it would keep the device from displaying");
  return TRUE;
}

/* While a process checks, no second one does. A check that was killed is resumed, however often; a family during which
 * the system stopped twice has failed. */
static void
test_resumed (void)
{
  char *folder = NULL;
  pid_t first = 0;
  int ends[5];

  if (skip_hanging ())
    return;
  folder = fill_kernel_replace ("for (volatile int k = 0; k == 0;) out[i] = (uint4) (word);");
  begin (SEED);
  ends[0] = background_start ("");
  wait_until ("the first family", runs, "fill");
  first = kept_record_get_checker ();
  wait_for_background (background_start (""));
  g_assert_cmpint (kept_record_get_checker (), ==, first);
  kept_record_assert_names ("running", "fill");
  kill_checker ();

  for (guint i = 1; i < G_N_ELEMENTS (ends); i++)
    {
      if (i == 3)
        kept_record_restart_system ();
      ends[i] = background_start ("");
      wait_until ("the process that checks", has_checker_other_than, &first);
      wait_until ("the first family again", runs, i < 3 ? "fill" : "fill,fill");
      first = kept_record_get_checker ();
      kill_checker ();
    }
  kept_record_restart_system ();

  wait_for_background (background_start (""));
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    close (ends[i]);
  fill_kernel_restore (folder);
  g_assert_true (is_ended (NULL));
  kept_record_assert_names ("failed", "fill");
  g_assert_cmpuint (kept_record_get_number ("passed"), ==, n_families - 1);
  wait_until ("the end of all processes", is_without_children, NULL);
}

/* A kernel that takes longer than the time limit. */
static void
test_hang (void)
{
  g_autofree char *failed = NULL;
  char *folder = NULL;

  if (skip_hanging ())
    return;
  folder = fill_kernel_replace ("for (volatile int k = 0; k == 0;) out[i] = (uint4) (word);");
  begin (SEED);
  wait_for_background (background_start ("--time-limit 3"));
  fill_kernel_restore (folder);
  failed = kept_record_dup_names ("failed");
  g_assert_true (is_ended (NULL));
  g_assert_true (kept_record_get_boolean ("unreliable"));
  g_assert_true (g_str_has_prefix (failed, "fill")); /* on a busy machine, the next one takes longer, too */
  wait_until ("the end of all processes", is_without_children, NULL);
}

/* A kernel that ends the process, on CPUs at least. The next program writes it to the log. */
static void
test_crash (void)
{
  char *folder = fill_kernel_replace ("out[i + ((ulong) 1 << 44)] = (uint4) (word);");
  g_autofree char *errors = NULL, *later = NULL;
  Host host;

  begin (SEED);
  host = start_host ();
  wait_until ("the verdict", is_ended, NULL);
  errors = end_host (host);
  later = end_host (start_host ());
  fill_kernel_restore (folder);
  kept_record_assert_names ("failed", "fill");
  g_assert_true (kept_record_get_boolean ("unreliable"));
  g_assert_cmpuint (kept_record_get_number ("passed"), ==, n_families - 1);
  g_assert_null (strstr (errors, "kernels failed"));
  g_assert_nonnull (strstr (later, "kernels failed their check: fill"));
}

/* No process where the device has a verdict, or where the setting turns the check off. */
static void
test_none (void)
{
  begin (ENDED);
  g_free (end_host (start_host ()));
  g_assert_cmpint (kept_record_get_checker (), ==, 0);
  g_assert_cmpuint (kept_record_get_number ("passed"), ==, n_families - 2);

  begin (NULL);
  g_setenv ("CAPRA_CHECK", "off", TRUE);
  g_free (end_host (start_host ()));
  g_setenv ("CAPRA_CHECK", "now", TRUE);
  g_assert_cmpint (kept_record_get_checker (), ==, 0);
  g_assert_null (kept_record_load ());
}

/* No family begins on a busy machine, for which the check waits only a few seconds after the program has ended. */
static void
test_busy (void)
{
  g_autofree char *path = NULL, *session = NULL;
  Host host;
  pid_t checker = 0;

  begin (SEED);
  g_setenv ("CAPRA_CHECK", "on", TRUE);
  if (!support_load_begin ())
    return;
  host = start_host ();
  wait_until ("the process that checks", has_checker, NULL);
  checker = kept_record_get_checker ();
  g_assert_cmpint (getpriority (PRIO_PROCESS, (id_t) checker), ==, 19);
  path = g_strdup_printf ("/proc/%d/autogroup", (int) checker);
  if (g_file_get_contents (path, &session, NULL, NULL))
    g_assert_true (g_str_has_suffix (session, " nice 19\n"));
  g_free (close_host (host));
  wait_until ("the end of the check", is_reaped, &checker);
  support_load_end ();
  wait_until ("the end of all processes", is_without_children, NULL);
  g_setenv ("CAPRA_CHECK", "now", TRUE);
  g_assert_cmpuint (kept_record_get_number ("passed"), ==, n_families - 2);
  kept_record_assert_names ("running", "");
}

/* The program may be removed while it checks, by an update for example: that says nothing about the device. */
static void
test_removed (void)
{
  const char *program = g_getenv ("CAPRA_PROGRAM");
  g_autofree char *copy = g_strdup_printf ("%s-%d", program, (int) getpid ()); /* in its folder: it finds libcapra */
  int end = 0;

  begin (SEED);
  g_assert_cmpint (link (program, copy), ==, 0);
  end = background_spawn (copy, "");
  wait_until ("the process that checks", has_checker, NULL);
  g_assert_cmpint (unlink (copy), ==, 0);
  background_send_device (end);
  wait_for_background (end);
  wait_until ("the end of all processes", is_without_children, NULL);
  kept_record_assert_names ("failed", "");
  kept_record_assert_names ("running", "");
  g_assert_false (kept_record_get_boolean ("unreliable"));
  g_assert_false (kept_record_get_boolean ("ended"));
  g_assert_cmpuint (kept_record_get_number ("passed"), ==, n_families - 2);
}

/* Not where the verdict cannot be kept. */
static void
test_unwritable (void)
{
  g_autofree char *checks = g_build_filename (caches, "capra", "checks", NULL), *errors = NULL;

  begin (NULL);
  support_file_write (caches, "capra/checks", "a file");
  errors = end_host (start_host ());
  g_assert_true (g_file_test (checks, G_FILE_TEST_IS_REGULAR));
  g_assert_cmpstr (errors, ==, "");
}

int
main (int argc, char **argv)
{
  g_auto (GStrv) names = NULL;
  int status = 0;

  if (argc == 2 && g_str_equal (argv[1], USE))
    return use ();
  if (argc == 2 && (g_str_equal (argv[1], SEED) || g_str_equal (argv[1], ENDED)))
    return seed (g_str_equal (argv[1], ENDED));
  self = argv[0];
  caches = g_dir_make_tmp ("capra-background-XXXXXX", NULL);
  support_keep_driver_caches ();
  g_setenv ("XDG_CACHE_HOME", caches, TRUE);
  g_setenv ("CAPRA_CHECK", "now", TRUE); /* also on a busy machine */
  g_assert_cmpint (prctl (PR_SET_CHILD_SUBREAPER, 1), ==, 0);
  g_test_init (&argc, &argv, NULL);
  names = list_families ();
  n_families = g_strv_length (names);
  g_test_add_func ("/check-background/completes", test_completes);
  g_test_add_func ("/check-background/ends", test_ends);
  g_test_add_func ("/check-background/resumed", test_resumed);
  g_test_add_func ("/check-background/hang", test_hang);
  g_test_add_func ("/check-background/crash", test_crash);
  g_test_add_func ("/check-background/none", test_none);
  g_test_add_func ("/check-background/busy", test_busy);
  g_test_add_func ("/check-background/removed", test_removed);
  g_test_add_func ("/check-background/unwritable", test_unwritable);
  status = g_test_run ();
  remove_folder (caches);
  g_free (caches);
  return status;
}
