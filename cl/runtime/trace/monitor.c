/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Monitor: listens to the processes that publish. Nothing that they send is trusted. */
#include <glib/gstdio.h>
#include <unistd.h>

#include "runtime/trace/monitor-message.h"
#include "runtime/trace/monitor-process.h"
#include "runtime/trace/monitor-socket.h"
#include "runtime/trace/monitor.h"

#define MAX_PROCESSES 256
/* The memory for incomplete messages of all processes together, in bytes. */
#define MAX_INCOMPLETE ((gsize) 32 << 20)
/* The time until a connection is accepted again that the system lacked resources for, in milliseconds. */
#define PAUSE 250

struct _CapraMonitor {
  CapraMonitorFunc func;
  gpointer data;
  GMainContext *context;
  char *path;
  GSocket *socket;
  GSource *source;
  GSource *pause;         /* until connections are accepted again */
  GPid owner;             /* a forked child does not remove the socket */
  gsize incomplete;       /* bytes reserved for incomplete messages */
  GPtrArray *connections; /* of Connection */
  GPtrArray *processes;   /* of CapraMonitorProcess: those that have sent a message */
};

typedef struct {
  CapraMonitor *monitor;
  GSocket *socket;
  GSource *source;
  CapraMonitorHeader header;
  guint8 *body;   /* NULL while the header is read */
  gsize received; /* bytes of the header, then of the body */
  CapraMonitorProcess *process;
  gboolean known; /* it has sent a message */
} Connection;

static void
connection_free (Connection *connection)
{
  capra_monitor_source_clear (&connection->source);
  if (connection->body)
    connection->monitor->incomplete -= connection->header.bytes;
  g_free (connection->body);
  g_object_unref (connection->socket);
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

/* Reserves memory for a message. FALSE if it is invalid, or too much memory is in use. */
static gboolean
begin_message (Connection *connection)
{
  CapraMonitor *monitor = connection->monitor;
  const CapraMonitorHeader *header = &connection->header;

  if (!capra_monitor_message_is_valid (header) || monitor->incomplete + header->bytes > MAX_INCOMPLETE)
    return FALSE;
  connection->body = g_malloc (header->bytes);
  connection->received = 0;
  monitor->incomplete += header->bytes;
  return TRUE;
}

static void
take_message (Connection *connection)
{
  CapraMonitor *monitor = connection->monitor;
  guint8 *bytes = g_steal_pointer (&connection->body);
  g_autoptr (GVariant) body = g_variant_ref_sink (g_variant_new_from_data (
    G_VARIANT_TYPE (CAPRA_MONITOR_TYPE), bytes, connection->header.bytes, FALSE, g_free, bytes));

  monitor->incomplete -= connection->header.bytes;
  connection->received = 0;
  capra_monitor_process_update (connection->process, body);
  if (!connection->known)
    g_ptr_array_add (monitor->processes, connection->process);
  notify (connection, connection->known ? CAPRA_MONITOR_CHANGED : CAPRA_MONITOR_APPEARED);
  connection->known = TRUE;
}

/* Reads once, so that other connections have their turn. FALSE at the end of the connection, or if it must end. */
static gboolean
connection_read (Connection *connection)
{
  g_autoptr (GError) error = NULL;
  gsize size = connection->body ? connection->header.bytes : sizeof connection->header;
  char *buffer = connection->body ? (char *) connection->body : (char *) &connection->header;
  gssize n = g_socket_receive (connection->socket, buffer + connection->received, size - connection->received, NULL,
                               &error);

  if (n <= 0)
    return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
  connection->received += (gsize) n;
  if (connection->received < size)
    return TRUE;
  if (!connection->body)
    return begin_message (connection);
  take_message (connection);
  return TRUE;
}

static gboolean
on_readable (GSocket *socket, GIOCondition condition, gpointer data)
{
  Connection *connection = data;

  if (!connection_read (connection))
    connection_leave (connection);
  return G_SOURCE_CONTINUE; /* destroyed with the connection */
}

static void
add_connection (CapraMonitor *monitor, GSocket *socket)
{
  Connection *connection = NULL;
  gint64 pid = 0;

  if (!capra_monitor_socket_is_trusted (socket, &pid) || monitor->connections->len >= MAX_PROCESSES)
    return;
  g_socket_set_blocking (socket, FALSE);
  connection = g_new0 (Connection, 1);
  connection->monitor = monitor;
  connection->socket = g_object_ref (socket);
  connection->process = capra_monitor_process_new (pid);
  connection->source = capra_monitor_source_attach (g_socket_create_source (socket, G_IO_IN, NULL), monitor->context,
                                                    G_SOURCE_FUNC (on_readable), connection);
  g_ptr_array_add (monitor->connections, connection);
}

static gboolean on_connection (GSocket *socket, GIOCondition condition, gpointer data);

static void
start_accepting (CapraMonitor *monitor)
{
  monitor->source = capra_monitor_source_attach (g_socket_create_source (monitor->socket, G_IO_IN, NULL),
                                                 monitor->context, G_SOURCE_FUNC (on_connection), monitor);
}

static gboolean
on_pause_over (gpointer data)
{
  CapraMonitor *monitor = data;

  capra_monitor_source_clear (&monitor->pause);
  start_accepting (monitor);
  return G_SOURCE_REMOVE;
}

/* The connection stays in the system's queue, which makes the socket readable all the time. */
static void
pause_accepting (CapraMonitor *monitor)
{
  capra_monitor_source_clear (&monitor->source);
  monitor->pause = capra_monitor_source_attach (g_timeout_source_new (PAUSE), monitor->context, on_pause_over, monitor);
}

static gboolean
on_connection (GSocket *socket, GIOCondition condition, gpointer data)
{
  CapraMonitor *monitor = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocket) accepted = g_socket_accept (socket, NULL, &error);

  if (accepted)
    add_connection (monitor, accepted);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    pause_accepting (monitor);
  return G_SOURCE_CONTINUE; /* destroyed by a pause */
}

CapraMonitor *
capra_monitor_new (CapraMonitorFunc func, gpointer data, GError **error)
{
  CapraMonitor *monitor = g_new0 (CapraMonitor, 1);

  monitor->func = func;
  monitor->data = data;
  monitor->owner = getpid ();
  monitor->context = g_main_context_ref_thread_default ();
  monitor->connections = g_ptr_array_new_with_free_func ((GDestroyNotify) connection_free);
  monitor->processes = g_ptr_array_new ();
  monitor->socket = capra_monitor_socket_listen (&monitor->path, error);
  if (!monitor->socket)
    {
      capra_monitor_free (monitor);
      return NULL;
    }
  start_accepting (monitor);
  return monitor;
}

void
capra_monitor_free (CapraMonitor *monitor)
{
  g_return_if_fail (monitor != NULL);

  capra_monitor_source_clear (&monitor->source);
  capra_monitor_source_clear (&monitor->pause);
  if (monitor->socket && monitor->owner == getpid ())
    {
      capra_monitor_socket_end (g_object_ref (monitor->socket));
      g_unlink (monitor->path);
    }
  g_clear_object (&monitor->socket);
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

      if (g_socket_send (connection->socket, &command, 1, NULL, NULL) != 1)
        g_info ("process %" G_GINT64_FORMAT " does not accept commands", connection->process->pid);
    }
}
