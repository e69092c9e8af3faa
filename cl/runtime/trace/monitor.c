/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Monitor, the listening side: a socket, a connection for each process, and what they tell. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* accept4 */
#endif
#include <errno.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "runtime/trace/monitor-message.h"
#include "runtime/trace/monitor-process.h"

#define MOST_PROCESSES 256
/* What incomplete messages may take, of all processes together. */
#define MOST_QUEUED ((gsize) 32 << 20)
/* Reads of one connection before others have their turn. */
#define MOST_READS 16
/* What an idle connection keeps for the next message. */
#define KEPT_BYTES 65536u
/* Until it is tried again to accept a connection that the system had no room for. */
#define PAUSE_MS 250

struct _CapraMonitor {
  CapraMonitorFunc func;
  gpointer data;
  GMainContext *context;
  char *path;
  int fd;
  GSource *source;
  GSource *pause;         /* until it is listened again */
  GPid owner;             /* a child that was forked leaves the socket alone */
  gsize queued;           /* bytes of all connections that came in and are not parsed */
  GPtrArray *connections; /* of Connection */
  GPtrArray *processes;   /* of CapraMonitorProcess: the connections that have introduced themselves */
};

typedef struct {
  CapraMonitor *monitor;
  int fd;
  GSource *source;
  GByteArray *in;
  CapraMonitorProcess *process;
  gboolean known;
} Connection;

static void
source_clear (GSource **source)
{
  if (*source)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
connection_free (Connection *connection)
{
  source_clear (&connection->source);
  connection->monitor->queued -= connection->in->len;
  close (connection->fd);
  g_byte_array_unref (connection->in);
  capra_monitor_process_free (connection->process);
  g_free (connection);
}

static void
notify (Connection *connection, CapraMonitorEvent event)
{
  CapraMonitor *monitor = connection->monitor;

  if (monitor->func)
    monitor->func (monitor, connection->process, event, monitor->data);
}

static void
connection_leave (Connection *connection)
{
  CapraMonitor *monitor = connection->monitor;

  if (connection->known)
    {
      g_ptr_array_remove (monitor->processes, connection->process);
      notify (connection, CAPRA_MONITOR_LEFT);
    }
  g_ptr_array_remove (monitor->connections, connection); /* frees it */
}

/* Takes @bytes from the start of what came in, and gives back what a large message needed. */
static void
connection_drop (Connection *connection, guint bytes)
{
  gboolean large = bytes > KEPT_BYTES && bytes == connection->in->len;

  connection->monitor->queued -= bytes;
  if (large)
    g_byte_array_unref (connection->in);
  else
    g_byte_array_remove_range (connection->in, 0, bytes);
  if (large)
    connection->in = g_byte_array_new ();
}

/* Takes one whole message from the start of what came in; FALSE: these are no messages of ours. */
static gboolean
connection_parse (Connection *connection, gboolean *found)
{
  GByteArray *in = connection->in;
  CapraMonitorHeader header = { 0 };
  g_autoptr (GVariant) body = NULL;
  gpointer bytes = NULL;

  *found = FALSE;
  if (in->len < sizeof header)
    return TRUE;
  memcpy (&header, in->data, sizeof header);
  if (header.magic != CAPRA_MONITOR_MAGIC || header.version != CAPRA_MONITOR_VERSION
      || header.bytes > CAPRA_MONITOR_MOST_BYTES)
    return FALSE;
  if (in->len < sizeof header + header.bytes)
    return TRUE;

  bytes = g_memdup2 (in->data + sizeof header, header.bytes);
  body = g_variant_new_from_data (G_VARIANT_TYPE (CAPRA_MONITOR_TYPE), bytes, header.bytes, FALSE, g_free, bytes);
  g_variant_ref_sink (body);
  connection_drop (connection, (guint) (sizeof header + header.bytes));
  *found = TRUE;
  capra_monitor_process_update (connection->process, body);
  return TRUE;
}

/* Reads what is there. FALSE at the end, or if it makes no sense or is too much. */
static gboolean
connection_read (Connection *connection)
{
  guint8 buffer[65536];
  gssize n = 0;
  guint reads = 0;

  while (reads++ < MOST_READS && (n = recv (connection->fd, buffer, sizeof buffer, MSG_DONTWAIT)) > 0)
    {
      gboolean found = TRUE;

      g_byte_array_append (connection->in, buffer, (guint) n);
      connection->monitor->queued += (gsize) n;
      while (found)
        {
          if (!connection_parse (connection, &found))
            return FALSE;
          if (!found)
            break;
          if (!connection->known)
            g_ptr_array_add (connection->monitor->processes, connection->process);
          notify (connection, connection->known ? CAPRA_MONITOR_CHANGED : CAPRA_MONITOR_APPEARED);
          connection->known = TRUE;
        }
      if (connection->monitor->queued > MOST_QUEUED)
        return FALSE;
    }
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static gboolean
on_message (int fd, GIOCondition condition, gpointer data)
{
  Connection *connection = data;

  if (!connection_read (connection))
    connection_leave (connection);
  return G_SOURCE_CONTINUE; /* destroyed with the connection */
}

static GSource *
watch (CapraMonitor *monitor, int fd, GUnixFDSourceFunc func, gpointer data)
{
  GSource *source = g_unix_fd_source_new (fd, G_IO_IN | G_IO_HUP | G_IO_ERR);

  g_source_set_callback (source, G_SOURCE_FUNC (func), data, NULL);
  g_source_attach (source, monitor->context);
  return source;
}

static gboolean on_connection (int fd, GIOCondition condition, gpointer data);

static gboolean
on_pause_over (gpointer data)
{
  CapraMonitor *monitor = data;

  source_clear (&monitor->pause);
  monitor->source = watch (monitor, monitor->fd, on_connection, monitor);
  return G_SOURCE_REMOVE;
}

/* The connection stays in the queue of the system, which would wake us for it over and over. */
static void
pause_listening (CapraMonitor *monitor)
{
  source_clear (&monitor->source);
  monitor->pause = g_timeout_source_new (PAUSE_MS);
  g_source_set_callback (monitor->pause, on_pause_over, monitor, NULL);
  g_source_attach (monitor->pause, monitor->context);
}

static gboolean
on_connection (int fd, GIOCondition condition, gpointer data)
{
  CapraMonitor *monitor = data;
  Connection *connection = NULL;
  gint64 pid = 0;
  int peer = accept4 (fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

  if (peer < 0)
    {
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
        pause_listening (monitor);
      return G_SOURCE_CONTINUE;
    }
  if (!capra_monitor_peer (peer, &pid) || monitor->connections->len >= MOST_PROCESSES)
    {
      close (peer);
      return G_SOURCE_CONTINUE;
    }
  connection = g_new0 (Connection, 1);
  connection->monitor = monitor;
  connection->fd = peer;
  connection->in = g_byte_array_new ();
  connection->process = capra_monitor_process_new (pid);
  connection->source = watch (monitor, peer, on_message, connection);
  g_ptr_array_add (monitor->connections, connection);
  return G_SOURCE_CONTINUE;
}

static gboolean
fill_address (struct sockaddr_un *address, const char *path, GError **error)
{
  *address = (struct sockaddr_un){ .sun_family = AF_UNIX };
  if (g_strlcpy (address->sun_path, path, sizeof address->sun_path) < sizeof address->sun_path)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NAMETOOLONG,
               "%s is too long for a socket's name: set a shorter XDG_RUNTIME_DIR", path);
  return FALSE;
}

/* Removes the sockets of monitors that crashed: nobody answers there any more. */
static void
remove_stale (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = NULL;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct sockaddr_un address;
      int fd = -1;

      /* One with a dot in front is just being made. */
      if (name[0] == '.' || !fill_address (&address, path, NULL))
        continue;
      fd = socket (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
      if (fd >= 0 && connect (fd, (struct sockaddr *) &address, sizeof address) != 0 && errno == ECONNREFUSED)
        g_unlink (path);
      if (fd >= 0)
        close (fd);
    }
}

/* The socket gets its name only when it listens, so that who sees it can connect. */
static gboolean
open_socket (CapraMonitor *monitor, GError **error)
{
  g_autofree char *folder = capra_monitor_folder (error);
  g_autofree char *name = g_strdup_printf ("%d-%08x" CAPRA_MONITOR_SUFFIX, getpid (), g_random_int ());
  g_autofree char *hidden = g_strconcat (".", name, NULL);
  g_autofree char *making = folder ? g_build_filename (folder, hidden, NULL) : NULL;
  struct sockaddr_un address;

  if (!folder || !fill_address (&address, making, error))
    return FALSE;
  remove_stale (folder);
  monitor->path = g_build_filename (folder, name, NULL);
  monitor->fd = socket (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (monitor->fd >= 0 && bind (monitor->fd, (struct sockaddr *) &address, sizeof address) == 0
      && listen (monitor->fd, 64) == 0 && rename (making, monitor->path) == 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "cannot listen at %s: %s", monitor->path,
               g_strerror (errno));
  g_unlink (making);
  return FALSE;
}

CapraMonitor *
capra_monitor_new (CapraMonitorFunc func, gpointer data, GError **error)
{
  CapraMonitor *monitor = g_new0 (CapraMonitor, 1);

  monitor->func = func;
  monitor->data = data;
  monitor->fd = -1;
  monitor->owner = getpid ();
  monitor->context = g_main_context_ref_thread_default ();
  monitor->connections = g_ptr_array_new_with_free_func ((GDestroyNotify) connection_free);
  monitor->processes = g_ptr_array_new ();
  if (!open_socket (monitor, error))
    {
      capra_monitor_free (monitor);
      return NULL;
    }
  monitor->source = watch (monitor, monitor->fd, on_connection, monitor);
  return monitor;
}

void
capra_monitor_free (CapraMonitor *monitor)
{
  g_return_if_fail (monitor != NULL);

  source_clear (&monitor->source);
  source_clear (&monitor->pause);
  if (monitor->fd >= 0 && monitor->owner == getpid ())
    {
      shutdown (monitor->fd, SHUT_RDWR); /* children may have it, too */
      g_unlink (monitor->path);
    }
  if (monitor->fd >= 0)
    close (monitor->fd);
  g_ptr_array_unref (monitor->processes);
  g_ptr_array_unref (monitor->connections);
  g_main_context_unref (monitor->context);
  g_free (monitor->path);
  g_free (monitor);
}

const GPtrArray *
capra_monitor_get_processes (CapraMonitor *monitor)
{
  g_return_val_if_fail (monitor != NULL, NULL);

  return monitor->processes;
}

void
capra_monitor_reset (CapraMonitor *monitor)
{
  g_return_if_fail (monitor != NULL);

  for (guint i = 0; i < monitor->connections->len; i++)
    {
      Connection *connection = monitor->connections->pdata[i];

      capra_monitor_process_reset (connection->process);
      if (connection->known)
        notify (connection, CAPRA_MONITOR_CHANGED);
    }
}

void
capra_monitor_free_unused (CapraMonitor *monitor)
{
  const char command = CAPRA_MONITOR_FREE;

  g_return_if_fail (monitor != NULL);

  for (guint i = 0; i < monitor->connections->len; i++)
    {
      Connection *connection = monitor->connections->pdata[i];

      if (send (connection->fd, &command, 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1)
        g_info ("process %" G_GINT64_FORMAT " takes no commands", connection->process->pid);
    }
}
