/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults around the monitor: nothing that one side does wrong harms the other. */
#include <glib/gstdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/support-monitor.h"
#include "tests/support/support.h"

/* A monitor that hangs, then crashes, does not block processes. The next monitor removes its socket. */
static void
test_bad_monitors (void)
{
  g_autoptr (GSubprocess) deaf = support_worker_start ("--deaf");
  g_autoptr (GSubprocess) worker = NULL;
  g_autoptr (GDir) dir = NULL;
  g_autoptr (CapraMonitor) monitor = NULL;

  support_worker_expect_ok (deaf);
  worker = support_worker_start ("--work");
  support_worker_send (worker, "10\n");
  for (guint i = 0; i < 10; i++)
    support_worker_send (worker, "500\n");

  g_subprocess_force_exit (deaf);
  g_subprocess_wait (deaf, NULL, NULL);
  support_worker_send (worker, "10\n");
  monitor = support_monitor_new (NULL, NULL);
  SUPPORT_WAIT_FOR (support_monitor_count (support_monitor_find (monitor, worker), "fill") == 5020);
  g_assert_nonnull (dir = g_dir_open (support_monitor_folder (), 0, NULL));
  g_assert_nonnull (g_dir_read_name (dir));
  g_assert_null (g_dir_read_name (dir)); /* only the socket of this monitor */
  support_worker_finish (worker);
}

/* At its end a process does not wait for a monitor that does not read. */
static void
test_end_beside_deaf (void)
{
  g_autoptr (GSubprocess) deaf = support_worker_start ("--deaf");
  g_autoptr (GSubprocess) worker = NULL;

  support_worker_expect_ok (deaf);
  worker = support_worker_start ("--work");
  for (guint i = 0; i < 20; i++)
    support_worker_send (worker, "400\n");
  support_worker_finish (worker); /* the monitor has not read anything */
  support_worker_finish (deaf);
}

/* If the folder is removed, a process creates it again and watches it. */
static void
test_removed_folder (void)
{
  g_autoptr (GSubprocess) worker = support_worker_start ("--work");
  g_autoptr (CapraMonitor) monitor = NULL;

  support_worker_send (worker, "1\n");
  g_assert_cmpint (g_rmdir (support_monitor_folder ()), ==, 0);
  SUPPORT_WAIT_FOR (g_file_test (support_monitor_folder (), G_FILE_TEST_IS_DIR));
  monitor = support_monitor_new (NULL, NULL);
  SUPPORT_WAIT_FOR (support_monitor_count (support_monitor_find (monitor, worker), "fill") == 1);
  support_worker_finish (worker);
}

/* Connects to the only monitor, like a process. */
static int
connect_raw (void)
{
  g_autoptr (GDir) dir = g_dir_open (support_monitor_folder (), 0, NULL);
  g_autofree char *path = g_build_filename (support_monitor_folder (), g_dir_read_name (dir), NULL);
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

/* Garbage, another version, an excessive length: the connection is closed, and the monitor continues. */
static void
test_bad_messages (void)
{
  guint32 messages[][4] = {
    { 0xdeadbeef, 1, 4, 0 },
    { 0x41525043, 99, 4, 0 },
    { 0x41525043, 1, 0xffffffff, 0 },
  };
  g_autoptr (CapraMonitor) monitor = support_monitor_new (NULL, NULL);
  guint8 noise[4096];

  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      int fd = connect_raw ();

      g_assert_cmpint (write (fd, messages[i], sizeof messages[i]), ==, sizeof messages[i]);
      SUPPORT_WAIT_FOR (is_closed (fd));
      close (fd);
    }
  g_assert_cmpuint (capra_monitor_get_processes (monitor)->len, ==, 0);

  /* A valid header with random bytes: a process without a name and data. */
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
      SUPPORT_WAIT_FOR (capra_monitor_get_processes (monitor)->len == 1);
      seen = capra_monitor_get_processes (monitor)->pdata[0];
      g_assert_cmpint (seen->pid, ==, getpid ());
      close (fd);
      SUPPORT_WAIT_FOR (capra_monitor_get_processes (monitor)->len == 0);
    }
}

/* Both sides refuse a folder that others can enter. */
static void
test_open_folder (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) worker = NULL;
  struct stat found;

  capra_monitor_free (support_monitor_new (NULL, NULL)); /* creates it */
  g_assert_cmpint (g_stat (support_monitor_folder (), &found), ==, 0);
  g_assert_cmpint (found.st_mode & 0777, ==, 0700);
  g_assert_cmpint (g_chmod (support_monitor_folder (), 0755), ==, 0);
  g_assert_null (capra_monitor_new (NULL, NULL, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM);
  worker = support_worker_start ("--work");
  support_worker_send (worker, "1\n");
  support_worker_finish (worker);
  g_assert_cmpint (g_chmod (support_monitor_folder (), 0700), ==, 0);
}

static void
add_tests (void)
{
  g_test_add_func ("/monitor-faults/bad-monitors", test_bad_monitors);
  g_test_add_func ("/monitor-faults/end-beside-deaf", test_end_beside_deaf);
  g_test_add_func ("/monitor-faults/bad-messages", test_bad_messages);
  g_test_add_func ("/monitor-faults/open-folder", test_open_folder);
  g_test_add_func ("/monitor-faults/removed-folder", test_removed_folder);
}

int
main (int argc, char **argv)
{
  return support_monitor_main (argc, argv, add_tests);
}
