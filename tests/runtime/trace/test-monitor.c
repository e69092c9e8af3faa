/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The monitor: real processes come, tell what they do and go; nothing that a panel or a process does
 * wrong harms the other. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/support.h"

static const char *program;
static char **environment; /* of the processes */

/* Pushes, fills and pulls once for each repeat. */
static void
work (guint repeats)
{
  CapraShape shape = CAPRA_SHAPE_2D (256, 64, CAPRA_F32);
  g_autofree float *data = support_noise (256 * 64, 0, 1, 1);

  for (guint i = 0; i < repeats; i++)
    {
      g_autoptr (CapraArray) array = capra_array_new_from_data (support_device (1), &shape, data, NULL);

      capra_array_fill (array, i, NULL);
      capra_array_download (array, data, NULL);
    }
}

/* The second process: "N" works, "r" forgets its timeline, each line answered by "ok"; ends with its
 * input. */
static int
child (const char *name)
{
  char line[32];

  g_set_prgname (name);
  g_set_application_name ("A worker");
  while (fgets (line, sizeof line, stdin))
    {
      if (line[0] == 'r')
        capra_timeline_reset ();
      else
        work ((guint) g_ascii_strtoull (line, NULL, 10));
      puts ("ok");
      fflush (stdout);
    }
  return 0;
}

/* A panel that never comes to its main loop. */
static int
deaf_child (void)
{
  g_autoptr (CapraMonitor) monitor = capra_monitor_new (NULL, NULL, NULL);

  puts (monitor ? "ok" : "failed");
  fflush (stdout);
  while (getchar () != EOF)
    ;
  return 0;
}

static GSubprocess *
start (const char *role)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE
                                                                        | G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  GSubprocess *process = NULL;

  g_subprocess_launcher_set_environ (launcher, environment);
  process = g_subprocess_launcher_spawn (launcher, &error, program, role, NULL);
  g_assert_no_error (error);
  return process;
}

static void
expect_ok (GSubprocess *process)
{
  char answer[3] = "";
  gsize got = 0;

  g_input_stream_read_all (g_subprocess_get_stdout_pipe (process), answer, 3, &got, NULL, NULL);
  g_assert_cmpuint (got, ==, 3);
  g_assert_true (memcmp (answer, "ok\n", 3) == 0);
}

static void
tell (GSubprocess *process, const char *line)
{
  g_output_stream_write_all (g_subprocess_get_stdin_pipe (process), line, strlen (line), NULL, NULL, NULL);
  expect_ok (process);
}

static void
finish (GSubprocess *process)
{
  g_output_stream_close (g_subprocess_get_stdin_pipe (process), NULL, NULL);
  g_subprocess_wait (process, NULL, NULL);
  g_assert_true (g_subprocess_get_successful (process));
}

static const CapraMonitorProcess *
find (CapraMonitor *monitor, GSubprocess *process)
{
  const GPtrArray *all = capra_monitor_get_processes (monitor);
  gint64 pid = g_ascii_strtoll (g_subprocess_get_identifier (process), NULL, 10);

  for (guint i = 0; i < all->len; i++)
    if (((const CapraMonitorProcess *) all->pdata[i])->pid == pid)
      return all->pdata[i];
  return NULL;
}

/* Runs the main context until @condition holds. */
#define WAIT_FOR(condition) \
  { \
    gint64 end_ = g_get_monotonic_time () + SUPPORT_TIMEOUT; \
    while (!(condition) && g_get_monotonic_time () < end_) \
      if (!g_main_context_iteration (NULL, FALSE)) \
        g_usleep (2000); \
    g_assert_true (condition); \
  }

static CapraMonitor *
listen_now (CapraMonitorFunc func, gpointer data)
{
  g_autoptr (GError) error = NULL;
  CapraMonitor *monitor = capra_monitor_new (func, data, &error);

  g_assert_no_error (error);
  return monitor;
}

static guint64
count_of (const CapraMonitorProcess *process, const char *name)
{
  for (guint i = 0; process && i < process->timings->len; i++)
    if (g_str_equal (g_array_index (process->timings, CapraMonitorTiming, i).name, name))
      return g_array_index (process->timings, CapraMonitorTiming, i).count;
  return 0;
}

typedef struct {
  guint appeared, changed, left;
  guint64 fills; /* of the process that left last */
} Events;

static void
on_event (CapraMonitor *monitor, const CapraMonitorProcess *process, CapraMonitorEvent event, gpointer data)
{
  Events *events = data;

  events->appeared += event == CAPRA_MONITOR_APPEARED;
  events->changed += event == CAPRA_MONITOR_CHANGED;
  events->left += event == CAPRA_MONITOR_LEFT;
  if (event == CAPRA_MONITOR_LEFT)
    events->fills = count_of (process, "fill");
}

/* A process that starts while a monitor listens appears by name and leaves; its last work, done just
 * before its end, is counted. */
static void
test_come_and_go (void)
{
  Events events = { 0 };
  g_autoptr (CapraMonitor) monitor = listen_now (on_event, &events);
  g_autoptr (GSubprocess) worker = start ("--work");
  const CapraMonitorProcess *seen = NULL;
  const CapraMonitorTiming *timing = NULL;

  tell (worker, "7\n");
  WAIT_FOR ((seen = find (monitor, worker)) && count_of (seen, "download") == 7);
  g_assert_cmpstr (seen->name, ==, "worker");
  g_assert_cmpstr (seen->title, ==, "A worker");
  g_assert_cmpstr (seen->version, ==, CAPRA_VERSION);
  g_assert_cmpuint (seen->timings->len, ==, 3);
  g_assert_cmpuint (seen->records->len, ==, 21);
  g_assert_cmpuint (seen->recorded, ==, 21);
  timing = &g_array_index (seen->timings, CapraMonitorTiming, 0);
  g_assert_cmpstr (timing->name, ==, "upload");
  g_assert_cmpuint (timing->device, ==, 1);
  g_assert_cmpuint (timing->bytes, ==, 7 * 256 * 64 * 4);
  g_assert_cmpfloat (timing->min, <=, timing->median);
  g_assert_cmpfloat (timing->median, <=, timing->max);
  g_assert_cmpfloat (timing->min, <=, timing->mean);
  g_assert_cmpfloat (timing->total, >=, timing->max);
  g_assert_cmpuint (seen->devices->len, ==, support_devices ()->len);

  tell (worker, "4\n");
  finish (worker);
  WAIT_FOR (events.left == 1);
  g_assert_cmpuint (capra_monitor_get_processes (monitor)->len, ==, 0);
  g_assert_cmpuint (events.appeared, ==, 1);
  g_assert_cmpuint (events.fills, ==, 11);
}

/* A process that has worked for long is found by a monitor that comes later, with all its history;
 * the next monitor finds it, too. */
static void
test_late_monitor (void)
{
  g_autoptr (GSubprocess) worker = start ("--work");

  tell (worker, "5\n");
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (CapraMonitor) monitor = listen_now (NULL, NULL);

      WAIT_FOR (count_of (find (monitor, worker), "fill") == 5 + i);
      tell (worker, "1\n");
      WAIT_FOR (count_of (find (monitor, worker), "fill") == 6 + i);
    }
  finish (worker);
}

static void
test_two_monitors (void)
{
  g_autoptr (CapraMonitor) first = listen_now (NULL, NULL);
  g_autoptr (CapraMonitor) second = listen_now (NULL, NULL);
  g_autoptr (GSubprocess) worker = start ("--work");

  tell (worker, "3\n");
  WAIT_FOR (count_of (find (first, worker), "fill") == 3);
  WAIT_FOR (count_of (find (second, worker), "fill") == 3);
  g_clear_pointer (&first, capra_monitor_free);
  tell (worker, "3\n");
  WAIT_FOR (count_of (find (second, worker), "fill") == 6);
  finish (worker);
}

/* Statistics after a reset of the monitor count anew, a reset in the process is followed. */
static void
test_reset (void)
{
  g_autoptr (CapraMonitor) monitor = listen_now (NULL, NULL);
  g_autoptr (GSubprocess) worker = start ("--work");
  const CapraMonitorProcess *seen = NULL;
  const CapraMonitorTiming *timing = NULL;

  tell (worker, "9\n");
  WAIT_FOR (count_of (find (monitor, worker), "download") == 9);
  capra_monitor_reset (monitor);
  g_assert_cmpuint (find (monitor, worker)->timings->len, ==, 0);
  tell (worker, "4\n");
  WAIT_FOR ((seen = find (monitor, worker)) && count_of (seen, "download") == 4);
  timing = &g_array_index (seen->timings, CapraMonitorTiming, 0);
  g_assert_cmpuint (timing->bytes, ==, 4 * 256 * 64 * 4);
  g_assert_cmpfloat_with_epsilon (timing->mean * 4, timing->total, 1e-9);

  tell (worker, "r\n");
  tell (worker, "2\n");
  WAIT_FOR (count_of (find (monitor, worker), "download") == 2);
  finish (worker);
}

static CapraMemory
memory_of (const CapraMonitorProcess *process)
{
  return process ? ((const CapraMonitorDevice *) process->devices->pdata[1])->memory : (CapraMemory){ 0 };
}

static void
test_memory (void)
{
  g_autoptr (CapraMonitor) monitor = listen_now (NULL, NULL);
  g_autoptr (GSubprocess) worker = start ("--work");
  const CapraMonitorDevice *device = NULL;

  tell (worker, "1\n");
  WAIT_FOR (memory_of (find (monitor, worker)).bytes[CAPRA_MEMORY_POOL] >= 256 * 64 * 4);
  device = find (monitor, worker)->devices->pdata[1];
  g_assert_cmpuint (device->memory.peak, >=, 256 * 64 * 4);
  g_assert_cmpuint (device->memory.budget, ==, G_GUINT64_CONSTANT (4) << 30);
  g_assert_cmpstr (device->id, ==, capra_device_get_info (support_device (1))->id);
  g_assert_cmpstr (device->name, ==, capra_device_get_info (support_device (1))->name);
  capra_monitor_free_unused (monitor);
  WAIT_FOR (memory_of (find (monitor, worker)).bytes[CAPRA_MEMORY_POOL] == 0);
  g_assert_cmpuint (memory_of (find (monitor, worker)).freed, >=, 256 * 64 * 4);
  finish (worker);
}

/* However much is done, few messages come: the longer it takes, the more there may be. */
static void
test_rate (void)
{
  Events events = { 0 };
  g_autoptr (CapraMonitor) monitor = listen_now (on_event, &events);
  g_autoptr (GTimer) timer = g_timer_new ();
  g_autoptr (GSubprocess) worker = start ("--work");

  for (guint i = 0; i < 10; i++)
    {
      tell (worker, "200\n");
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  WAIT_FOR (count_of (find (monitor, worker), "fill") == 2000);
  g_assert_cmpfloat (events.appeared + events.changed, <=, 3 + 5.5 * g_timer_elapsed (timer, NULL));
  finish (worker);
}

/* A panel that hangs, then crashes, holds nobody up; its socket is cleared away by the next. */
static void
test_bad_panels (void)
{
  g_autoptr (GSubprocess) deaf = start ("--deaf");
  g_autoptr (GSubprocess) worker = NULL;
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "capra", "monitor", NULL);
  g_autoptr (GDir) dir = NULL;
  g_autoptr (CapraMonitor) monitor = NULL;

  expect_ok (deaf);
  worker = start ("--work");
  tell (worker, "10\n");
  for (guint i = 0; i < 10; i++)
    tell (worker, "500\n");

  g_subprocess_force_exit (deaf);
  g_subprocess_wait (deaf, NULL, NULL);
  tell (worker, "10\n");
  monitor = listen_now (NULL, NULL);
  WAIT_FOR (count_of (find (monitor, worker), "fill") == 5020);
  g_assert_nonnull (dir = g_dir_open (folder, 0, NULL));
  g_assert_nonnull (g_dir_read_name (dir));
  g_assert_null (g_dir_read_name (dir)); /* ours alone */
  finish (worker);
}

/* A process does not wait at its end for a panel that does not read. */
static void
test_end_beside_deaf (void)
{
  g_autoptr (GSubprocess) deaf = start ("--deaf");
  g_autoptr (GSubprocess) worker = NULL;

  expect_ok (deaf);
  worker = start ("--work");
  for (guint i = 0; i < 20; i++)
    tell (worker, "400\n");
  finish (worker); /* the panel has read nothing yet, and does not before its own end */
  finish (deaf);
}

/* A folder that somebody removes while no monitor exists is created again and watched. */
static void
test_removed_folder (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "capra", "monitor", NULL);
  g_autoptr (GSubprocess) worker = start ("--work");
  g_autoptr (CapraMonitor) monitor = NULL;

  tell (worker, "1\n");
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  WAIT_FOR (g_file_test (folder, G_FILE_TEST_IS_DIR));
  monitor = listen_now (NULL, NULL);
  WAIT_FOR (count_of (find (monitor, worker), "fill") == 1);
  finish (worker);
}

/* Connects to the one monitor as a process would. */
static int
connect_raw (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "capra", "monitor", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autofree char *path = g_build_filename (folder, g_dir_read_name (dir), NULL);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM, 0);

  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  g_assert_cmpint (connect (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  return fd;
}

static gboolean
is_closed (int fd)
{
  char byte;

  return recv (fd, &byte, 1, MSG_DONTWAIT) == 0;
}

/* Garbage, another version, a huge length: the connection is dropped, the monitor lives on. */
static void
test_bad_messages (void)
{
  guint32 messages[][4] = {
    { 0xdeadbeef, 1, 4, 0 },
    { 0x41525043, 99, 4, 0 },
    { 0x41525043, 1, 0xffffffff, 0 },
  };
  g_autoptr (CapraMonitor) monitor = listen_now (NULL, NULL);
  guint8 noise[4096];

  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      int fd = connect_raw ();

      g_assert_cmpint (write (fd, messages[i], sizeof messages[i]), ==, sizeof messages[i]);
      WAIT_FOR (is_closed (fd));
      close (fd);
    }
  g_assert_cmpuint (capra_monitor_get_processes (monitor)->len, ==, 0);

  /* A right header before bytes that are no variant: named after its number, otherwise empty. */
  for (guint seed = 0; seed < 50; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      guint32 header[3] = { 0x41525043, 1, sizeof noise };
      const CapraMonitorProcess *seen = NULL;
      int fd = connect_raw ();

      for (guint i = 0; i < sizeof noise; i++)
        noise[i] = (guint8) g_rand_int (random);
      g_assert_cmpint (write (fd, header, sizeof header), ==, sizeof header);
      g_assert_cmpint (write (fd, noise, sizeof noise), ==, sizeof noise);
      WAIT_FOR (capra_monitor_get_processes (monitor)->len == 1);
      seen = capra_monitor_get_processes (monitor)->pdata[0];
      g_assert_cmpint (seen->pid, ==, getpid ());
      close (fd);
      WAIT_FOR (capra_monitor_get_processes (monitor)->len == 0);
    }
}

/* A folder that others can enter is refused by both sides. */
static void
test_open_folder (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "capra", "monitor", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) worker = NULL;
  struct stat found;

  capra_monitor_free (listen_now (NULL, NULL)); /* makes it */
  g_assert_cmpint (g_stat (folder, &found), ==, 0);
  g_assert_cmpint (found.st_mode & 0777, ==, 0700);
  g_assert_cmpint (g_chmod (folder, 0755), ==, 0);
  g_assert_null (capra_monitor_new (NULL, NULL, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM);
  worker = start ("--work");
  tell (worker, "1\n");
  finish (worker);
  g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
}

static void
test_off (void)
{
  g_autoptr (CapraMonitor) monitor = listen_now (NULL, NULL);
  g_autoptr (GSubprocess) worker = NULL, other = start ("--work");

  environment = g_environ_setenv (environment, "CAPRA_MONITOR", "off", TRUE);
  worker = start ("--work");
  tell (worker, "1\n");
  tell (other, "1\n");
  WAIT_FOR (find (monitor, other));
  g_assert_null (find (monitor, worker));
  finish (worker);
  finish (other);
}

int
main (int argc, char **argv)
{
  g_autofree char *runtime = NULL, *parent = NULL, *folder = NULL;
  int status = 0;

  if (argc == 2 && g_str_equal (argv[1], "--work"))
    return child ("worker");
  if (argc == 2 && g_str_equal (argv[1], "--deaf"))
    return deaf_child ();

  program = argv[0];
  runtime = g_dir_make_tmp ("capra-XXXXXX", NULL);
  g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
  environment = g_get_environ ();
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/monitor/come-and-go", test_come_and_go);
  g_test_add_func ("/monitor/late-monitor", test_late_monitor);
  g_test_add_func ("/monitor/two-monitors", test_two_monitors);
  g_test_add_func ("/monitor/reset", test_reset);
  g_test_add_func ("/monitor/memory", test_memory);
  g_test_add_func ("/monitor/rate", test_rate);
  g_test_add_func ("/monitor/bad-panels", test_bad_panels);
  g_test_add_func ("/monitor/end-beside-deaf", test_end_beside_deaf);
  g_test_add_func ("/monitor/bad-messages", test_bad_messages);
  g_test_add_func ("/monitor/open-folder", test_open_folder);
  g_test_add_func ("/monitor/removed-folder", test_removed_folder);
  g_test_add_func ("/monitor/off", test_off);
  status = g_test_run ();
  parent = g_build_filename (runtime, "capra", NULL);
  folder = g_build_filename (parent, "monitor", NULL);
  g_rmdir (folder);
  g_rmdir (parent);
  g_rmdir (runtime);
  g_strfreev (environment);
  return status;
}
