/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits of the monitor: whatever processes send, and however few file descriptors there are, it uses little memory and
 * processor time, and serves the other processes. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "runtime/trace/monitor-message.h"
#include "tests/support/support-monitor.h"
#include "tests/support/support.h"

#define CONNECTIONS 200
#define PART ((gsize) 3 << 20)
#define MAX_OPEN 12
/* A sanitizer keeps freed memory. */
#ifdef __SANITIZE_ADDRESS__
#define MAX_GROWTH ((gsize) 8 << 30)
#else
#define MAX_GROWTH ((gsize) 200 << 20)
#endif
#define FILES 64
#define TURNS 200

static void
monitor_address (struct sockaddr_un *address)
{
  g_autoptr (GDir) dir = g_dir_open (support_monitor_folder (), 0, NULL);
  g_autofree char *path = g_build_filename (support_monitor_folder (), g_dir_read_name (dir), NULL);

  *address = (struct sockaddr_un){ .sun_family = AF_UNIX };
  g_strlcpy (address->sun_path, path, sizeof address->sun_path);
}

static int
connect_raw (const struct sockaddr_un *address)
{
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

  g_assert_cmpint (fd, >=, 0);
  while (connect (fd, (const struct sockaddr *) address, sizeof *address) != 0)
    {
      g_assert_cmpint (errno, ==, EAGAIN); /* the queue of connections is full */
      g_main_context_iteration (NULL, FALSE);
    }
  return fd;
}

/* The resident memory of this process in bytes. */
static gsize
resident (void)
{
  g_autofree char *text = NULL;
  gsize pages = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%*u %" G_GSIZE_FORMAT, &pages), ==, 1);
  return pages * (gsize) sysconf (_SC_PAGESIZE);
}

/* Sends @data while the monitor runs. FALSE if the monitor closes the connection. */
static gboolean
send_all (int fd, gconstpointer data, gsize bytes)
{
  const char *at = data;

  while (bytes > 0)
    {
      gssize n = send (fd, at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);

      g_main_context_iteration (NULL, FALSE);
      if (n < 0 && errno != EAGAIN)
        return FALSE;
      at += MAX (n, 0);
      bytes -= (gsize) MAX (n, 0);
    }
  return TRUE;
}

static gboolean
is_open (int fd)
{
  char byte;

  return recv (fd, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

/* Each connection sends a message without its end. */
static void
test_incomplete (void)
{
  g_autoptr (CapraMonitor) monitor = capra_monitor_new (NULL, NULL, NULL);
  g_autofree guint8 *part = g_malloc0 (PART);
  const CapraMonitorHeader header = { CAPRA_MONITOR_MAGIC, CAPRA_MONITOR_VERSION, PART + 1 };
  gsize before = resident ();
  struct sockaddr_un address;
  int fds[CONNECTIONS];
  guint open = 0;

  memcpy (part, &header, sizeof header);
  monitor_address (&address);
  for (guint i = 0; i < CONNECTIONS; i++)
    {
      fds[i] = connect_raw (&address);
      send_all (fds[i], part, PART);
    }
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (resident (), <, before + MAX_GROWTH);
  for (guint i = 0; i < CONNECTIONS; i++)
    open += is_open (fds[i]);
  g_assert_cmpuint (open, >, 0);
  g_assert_cmpuint (open, <=, MAX_OPEN);
  for (guint i = 0; i < CONNECTIONS; i++)
    close (fds[i]);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* A message with @n timings of different names, and twice as many records. */
static GByteArray *
message_new (guint n)
{
  g_autofree CapraMonitorPacked *packed = g_new0 (CapraMonitorPacked, 2 * n);
  GByteArray *message = g_byte_array_new ();
  CapraMonitorHeader header = { CAPRA_MONITOR_MAGIC, CAPRA_MONITOR_VERSION, 0 };
  g_autoptr (GVariant) body = NULL;
  GVariantBuilder devices, timings;
  GVariantDict dict;

  g_variant_builder_init (&devices, G_VARIANT_TYPE ("a" CAPRA_MONITOR_DEVICE));
  for (guint i = 0; i < n; i++)
    g_variant_builder_add (&devices, CAPRA_MONITOR_DEVICE, "id", "name", (guint32) 0, (guint64) 1, (guint64) 2,
                           (guint64) 3, (guint64) 4, (guint64) 5, (guint64) 6, (guint64) 7, (guint64) 8, (guint64) 9);
  g_variant_builder_init (&timings, G_VARIANT_TYPE ("a" CAPRA_MONITOR_TIMING));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("a kernel with a long name, number %u of many", i);

      g_variant_builder_add (&timings, CAPRA_MONITOR_TIMING, (guint32) 0, name, (guint64) 1, (guint64) 1, 1.0, 1.0, 1.0,
                             1.0, 1.0, 1.0);
    }
  for (guint i = 0; i < 2 * n; i++)
    packed[i] = (CapraMonitorPacked){ i % MIN (n, 100), 0, 1, i, i, i + 1 };

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "name", "s", "many");
  g_variant_dict_insert_value (&dict, "devices", g_variant_builder_end (&devices));
  g_variant_dict_insert_value (&dict, "timings", g_variant_builder_end (&timings));
  g_variant_dict_insert_value (
    &dict, "records", g_variant_new_fixed_array (G_VARIANT_TYPE (CAPRA_MONITOR_RECORD), packed, 2 * n, sizeof *packed));
  body = g_variant_ref_sink (g_variant_dict_end (&dict));
  header.bytes = (guint32) g_variant_get_size (body);
  g_byte_array_append (message, (const guint8 *) &header, sizeof header);
  g_byte_array_append (message, g_variant_get_data (body), header.bytes);
  return message;
}

static const CapraMonitorProcess *
only (CapraMonitor *monitor)
{
  const GPtrArray *all = capra_monitor_get_processes (monitor);

  return all->len == 1 ? all->pdata[0] : NULL;
}

/* More devices, kernels and records than a monitor accepts. */
static void
test_many_names (void)
{
  g_autoptr (CapraMonitor) monitor = capra_monitor_new (NULL, NULL, NULL);
  g_autoptr (GByteArray) message = message_new (8000);
  struct sockaddr_un address;
  int fd = -1;

  monitor_address (&address);
  fd = connect_raw (&address);
  for (guint i = 0; i < 4; i++)
    g_assert_true (send_all (fd, message->data, message->len));
  SUPPORT_WAIT_FOR (only (monitor) && only (monitor)->records->len > 0);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpstr (only (monitor)->name, ==, "many");
  g_assert_cmpuint (only (monitor)->devices->len, ==, 256);
  g_assert_cmpuint (only (monitor)->timings->len, ==, 1024);
  g_assert_cmpuint (only (monitor)->records->len, <=, 8192 + CAPRA_MONITOR_MAX_RECORDS);
  capra_monitor_reset (monitor);
  g_assert_true (send_all (fd, message->data, message->len));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (only (monitor)->timings->len, <=, 1024);
  close (fd);
  SUPPORT_WAIT_FOR (!only (monitor));
}

/* Without a file descriptor for a connection the main loop sleeps. When one is free, the connection is accepted. */
static void
test_descriptors (void)
{
  g_autoptr (CapraMonitor) monitor = capra_monitor_new (NULL, NULL, NULL);
  g_autoptr (GByteArray) message = message_new (1);
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (int));
  struct rlimit before, few = { FILES, FILES };
  struct sockaddr_un address;
  int fd = -1, extra = -1;
  guint dispatched = 0;

  monitor_address (&address);
  fd = socket (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &before), ==, 0);
  few.rlim_max = before.rlim_max;
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &few), ==, 0);
  while ((extra = open ("/dev/null", O_RDONLY)) >= 0)
    g_array_append_val (taken, extra);
  g_assert_cmpint (connect (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  for (guint i = 0; i < TURNS; i++)
    dispatched += g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (dispatched, <, TURNS / 4);

  for (guint i = 0; i < taken->len; i++)
    close (g_array_index (taken, int, i));
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &before), ==, 0);
  g_assert_true (send_all (fd, message->data, message->len));
  SUPPORT_WAIT_FOR (only (monitor) != NULL);
  close (fd);
}

static void
add_tests (void)
{
  g_test_add_func ("/monitor-limits/incomplete", test_incomplete);
  g_test_add_func ("/monitor-limits/many-names", test_many_names);
  g_test_add_func ("/monitor-limits/descriptors", test_descriptors);
}

int
main (int argc, char **argv)
{
  return support_monitor_main (argc, argv, add_tests);
}
