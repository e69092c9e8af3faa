/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Publisher of the monitor. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/context.h"
#include "runtime/base/fork.h"
#include "runtime/base/settings.h"
#include "runtime/memory/memory.h"
#include "runtime/trace/monitor-message.h"
#include "runtime/trace/monitor-publisher.h"
#include "runtime/trace/monitor-socket.h"
#include "runtime/trace/timeline-private.h"

/* The time between two messages to a listener, in milliseconds. */
#define INTERVAL 200
/* How long the end of the process is delayed to send the last messages, in milliseconds; and how long it waits for the
 * thread. */
#define LAST_MESSAGES 150
#define MAX_EXIT_DELAY (300 * G_TIME_SPAN_MILLISECOND)
#define MAX_LISTENERS 16

typedef struct {
  GMainContext *context;
  GFile *folder; /* of the sockets */
  GFileMonitor *watch;
  GSource *timer;       /* while there are listeners */
  GPtrArray *listeners; /* of Listener */
  CapraMemory *memory;  /* of each device, when the last message was due */
  guint64 recorded;     /* likewise */
} Publisher;

typedef struct {
  Publisher *publisher;
  char *path;
  GSocket *socket;
  GSource *readable, *writable; /* @writable: while @message is being sent */
  GByteArray *message;
  gsize sent;
  guint64 since;    /* number of the first record that it has not got */
  gboolean changed; /* after its last message */
} Listener;

/* The publisher of the process. The loop exists while the thread runs. */
static GMutex lock; /* guards what follows */
static GCond ended;
static GMainLoop *loop;

static void
listener_free (Listener *listener)
{
  capra_monitor_source_clear (&listener->readable);
  capra_monitor_source_clear (&listener->writable);
  capra_monitor_socket_end (listener->socket);
  g_clear_pointer (&listener->message, g_byte_array_unref);
  g_free (listener->path);
  g_free (listener);
}

static void
listener_leave (Listener *listener)
{
  Publisher *publisher = listener->publisher;

  g_ptr_array_remove (publisher->listeners, listener); /* frees it */
  if (publisher->listeners->len == 0)
    capra_monitor_source_clear (&publisher->timer);
}

static gboolean
on_writable (GSocket *socket, GIOCondition condition, gpointer data)
{
  Listener *listener = data;
  g_autoptr (GError) error = NULL;
  gssize n = g_socket_send (socket, (const char *) listener->message->data + listener->sent,
                            listener->message->len - listener->sent, NULL, &error);

  if (error && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    {
      listener_leave (listener);
      return G_SOURCE_CONTINUE; /* destroyed with the listener */
    }
  listener->sent += (gsize) MAX (n, 0);
  if (listener->sent == listener->message->len)
    {
      g_clear_pointer (&listener->message, g_byte_array_unref);
      capra_monitor_source_clear (&listener->writable);
    }
  return G_SOURCE_CONTINUE;
}

/* Starts to send a message, unless the previous one is still being sent. */
static void
listener_publish (Listener *listener)
{
  if (listener->message || !listener->changed)
    return;
  listener->message = capra_monitor_message_new (&listener->since);
  listener->sent = 0;
  listener->changed = FALSE;
  listener->writable = capra_monitor_source_attach (g_socket_create_source (listener->socket, G_IO_OUT, NULL),
                                                    listener->publisher->context, G_SOURCE_FUNC (on_writable),
                                                    listener);
}

static void
free_memory (void)
{
  const GPtrArray *devices = capra_device_list (NULL);

  for (guint i = 0; devices && i < devices->len; i++)
    capra_memory_free_unused (devices->pdata[i]);
}

/* Reads commands. */
static gboolean
on_readable (GSocket *socket, GIOCondition condition, gpointer data)
{
  g_autoptr (GError) error = NULL;
  char commands[64];
  gssize n = g_socket_receive (socket, commands, sizeof commands, NULL, &error);

  if (n > 0 && memchr (commands, CAPRA_MONITOR_FREE, (gsize) n))
    free_memory ();
  if (n == 0 || (error && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK)))
    listener_leave (data);
  return G_SOURCE_CONTINUE; /* destroyed with the listener */
}

/* Whether records or memory differ from those when the last message was due. */
static gboolean
has_changed (Publisher *publisher)
{
  const GPtrArray *devices = capra_device_list (NULL);
  guint64 recorded = capra_timeline_count_finished ();
  gboolean changed = recorded != publisher->recorded;

  publisher->recorded = recorded;
  if (!publisher->memory)
    publisher->memory = g_new0 (CapraMemory, devices ? devices->len : 1);
  for (guint i = 0; devices && i < devices->len; i++)
    {
      CapraMemory now = { 0 };

      if (capra_context_peek (devices->pdata[i]))
        capra_memory_query (devices->pdata[i], &now);
      changed = changed || memcmp (&now, &publisher->memory[i], sizeof now) != 0;
      publisher->memory[i] = now;
    }
  return changed;
}

static gboolean
on_timer (gpointer data)
{
  Publisher *publisher = data;
  gboolean changed = has_changed (publisher);

  for (guint i = 0; i < publisher->listeners->len; i++)
    {
      Listener *listener = publisher->listeners->pdata[i];

      listener->changed = listener->changed || changed;
      listener_publish (listener);
    }
  return G_SOURCE_CONTINUE; /* destroyed with the last listener */
}

static gboolean
is_connected (Publisher *publisher, const char *path)
{
  for (guint i = 0; i < publisher->listeners->len; i++)
    if (g_str_equal (((Listener *) publisher->listeners->pdata[i])->path, path))
      return TRUE;
  return FALSE;
}

/* Connects to the monitor at @path and sends the first message at once. */
static void
add_listener (Publisher *publisher, const char *path)
{
  g_autoptr (GSocket) socket = capra_monitor_socket_connect (path);
  Listener *listener = NULL;

  if (!socket || !capra_monitor_socket_is_trusted (socket, NULL))
    return;
  listener = g_new0 (Listener, 1);
  listener->publisher = publisher;
  listener->path = g_strdup (path);
  listener->changed = TRUE;
  listener->readable = capra_monitor_source_attach (g_socket_create_source (socket, G_IO_IN, NULL), publisher->context,
                                                    G_SOURCE_FUNC (on_readable), listener);
  listener->socket = g_steal_pointer (&socket);
  g_ptr_array_add (publisher->listeners, listener);
  if (!publisher->timer)
    publisher->timer = capra_monitor_source_attach (g_timeout_source_new (INTERVAL), publisher->context, on_timer,
                                                    publisher);
  listener_publish (listener);
}

static void
connect_to_monitors (Publisher *publisher)
{
  g_autofree char *folder = capra_monitor_socket_folder (NULL);
  g_autoptr (GDir) dir = folder ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name = NULL;

  while (dir && (name = g_dir_read_name (dir)) && publisher->listeners->len < MAX_LISTENERS)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (capra_monitor_socket_is_name (name) && !is_connected (publisher, path))
        add_listener (publisher, path);
    }
}

static void on_folder_changed (GFileMonitor *watch, GFile *file, GFile *other, GFileMonitorEvent event, gpointer data);

/* Watches the folder, which is created again if somebody has removed it. The GFile is a local one: the default
 * implementation may connect to the session bus. */
static void
watch_folder (Publisher *publisher)
{
  g_autofree char *folder = capra_monitor_socket_folder (NULL);

  g_clear_object (&publisher->watch);
  g_clear_object (&publisher->folder);
  if (!folder)
    return;
  publisher->folder = g_vfs_get_file_for_path (g_vfs_get_local (), folder);
  publisher->watch = g_file_monitor_directory (publisher->folder, G_FILE_MONITOR_NONE, NULL, NULL);
  if (publisher->watch)
    g_signal_connect (publisher->watch, "changed", G_CALLBACK (on_folder_changed), publisher);
}

static void
on_folder_changed (GFileMonitor *watch, GFile *file, GFile *other, GFileMonitorEvent event, gpointer data)
{
  Publisher *publisher = data;

  if (event == G_FILE_MONITOR_EVENT_DELETED && g_file_equal (file, publisher->folder))
    watch_folder (publisher);
  connect_to_monitors (publisher);
}

static gboolean
is_sending (Publisher *publisher)
{
  for (guint i = 0; i < publisher->listeners->len; i++)
    if (((Listener *) publisher->listeners->pdata[i])->message)
      return TRUE;
  return FALSE;
}

static gboolean
on_time_over (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_CONTINUE;
}

/* Before the process ends: sends the rest of the messages under way, then the last records. */
static void
send_last_messages (Publisher *publisher)
{
  gboolean over = FALSE;
  GSource *deadline = capra_monitor_source_attach (g_timeout_source_new (LAST_MESSAGES), publisher->context,
                                                   on_time_over, &over);

  while (is_sending (publisher) && !over)
    g_main_context_iteration (publisher->context, TRUE);
  on_timer (publisher);
  while (is_sending (publisher) && !over)
    g_main_context_iteration (publisher->context, TRUE);
  capra_monitor_source_clear (&deadline);
}

static void
publisher_free (Publisher *publisher)
{
  g_clear_object (&publisher->watch);
  g_clear_object (&publisher->folder);
  capra_monitor_source_clear (&publisher->timer);
  g_ptr_array_unref (publisher->listeners);
  g_main_context_unref (publisher->context);
  g_free (publisher->memory);
  g_free (publisher);
}

static gpointer
run_thread (gpointer data)
{
  g_autoptr (GMainLoop) running = data;
  Publisher *publisher = g_new0 (Publisher, 1);

  publisher->context = g_main_context_ref (g_main_loop_get_context (running));
  publisher->listeners = g_ptr_array_new_with_free_func ((GDestroyNotify) listener_free);
  g_main_context_push_thread_default (publisher->context);
  watch_folder (publisher);
  connect_to_monitors (publisher);
  while (g_main_loop_is_running (running))
    g_main_context_iteration (publisher->context, TRUE);
  send_last_messages (publisher);
  g_main_context_pop_thread_default (publisher->context);
  publisher_free (publisher);

  g_mutex_lock (&lock);
  g_clear_pointer (&loop, g_main_loop_unref);
  g_cond_signal (&ended);
  g_mutex_unlock (&lock);
  return NULL;
}

/* At exit, before the driver ends. A forked child has no thread to stop. */
static void
stop (void)
{
  gint64 end = g_get_monotonic_time () + MAX_EXIT_DELAY;

  if (capra_fork_is_child ())
    return;
  g_mutex_lock (&lock);
  if (loop)
    g_main_loop_quit (loop);
  while (loop && g_cond_wait_until (&ended, &lock, end))
    ;
  g_mutex_unlock (&lock);
}

/* The thread blocks all signals: they are the host's. */
static gboolean
start_thread (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GThread) thread = NULL;
  sigset_t all, before;

  loop = g_main_loop_new (context, TRUE);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  thread = g_thread_try_new ("capra-monitor", run_thread, g_main_loop_ref (loop), NULL);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (thread)
    return TRUE;
  g_main_loop_unref (loop);
  g_clear_pointer (&loop, g_main_loop_unref);
  return FALSE;
}

void
capra_monitor_publisher_start (void)
{
  g_autofree char *choice = capra_settings_get ("monitor");
  g_autofree char *folder = capra_monitor_socket_folder (NULL);
  gboolean started = FALSE;

  if (g_strcmp0 (choice, "off") == 0 || !folder)
    return;
  g_mutex_lock (&lock);
  started = start_thread ();
  g_mutex_unlock (&lock);
  if (started)
    atexit (stop);
}
