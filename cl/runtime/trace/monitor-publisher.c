/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Monitor, the publishing side: a thread that sleeps until somebody listens, and never holds the host
 * up: it waits for no reader, and for a device only if asked to free its memory. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* eventfd and pthread_sigmask beside gnu11 */
#endif
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "runtime/device/context.h"
#include "runtime/device/fork.h"
#include "runtime/trace/monitor-message.h"
#include "runtime/device/settings.h"
#include "runtime/trace/timeline-private.h"

/* At most so often a message to each listener. */
#define INTERVAL (200 * G_TIME_SPAN_MILLISECOND)
/* What the end of the process waits at most, for the last message to leave. */
#define FAREWELL (300 * G_TIME_SPAN_MILLISECOND)
#define MOST_LISTENERS 16

typedef struct {
  char *name; /* of the socket */
  int fd;
  GByteArray *out; /* a message on its way, or NULL */
  gsize sent;
  guint64 since;   /* records that it has got */
  gboolean behind; /* there is something that it has not got */
} Listener;

typedef struct {
  char *folder;
  int wake;             /* readable when the process ends */
  int watch;            /* inotify; -1 where the system has none left */
  GPtrArray *listeners; /* of Listener */
  CapraMemory *memory;  /* of each device, as last sent */
  guint64 recorded;     /* as last sent */
  gint64 due;           /* when the next message may go */
} Publisher;

/* The one publisher of the process. */
static GMutex lock; /* guards what follows */
static GCond gone;
static gboolean runs;
static int wake = -1; /* written to when the process ends */

static void
listener_free (Listener *listener)
{
  shutdown (listener->fd, SHUT_RDWR); /* children may have it, too */
  close (listener->fd);
  g_clear_pointer (&listener->out, g_byte_array_unref);
  g_free (listener->name);
  g_free (listener);
}

/* A connection to the socket @name, or NULL: nobody listens there any more, or it is not ours. */
static Listener *
listener_new (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  Listener *listener = NULL;
  int fd = -1;

  if (g_strlcpy (address.sun_path, path, sizeof address.sun_path) >= sizeof address.sun_path)
    return NULL;
  fd = socket (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return NULL;
  if (connect (fd, (struct sockaddr *) &address, sizeof address) != 0 || !capra_monitor_peer (fd, NULL))
    {
      close (fd);
      return NULL;
    }
  listener = g_new0 (Listener, 1);
  listener->name = g_strdup (name);
  listener->fd = fd;
  listener->behind = TRUE;
  return listener;
}

static gboolean
is_connected (Publisher *publisher, const char *name)
{
  for (guint i = 0; i < publisher->listeners->len; i++)
    if (g_str_equal (((Listener *) publisher->listeners->pdata[i])->name, name))
      return TRUE;
  return FALSE;
}

/* Connects to the monitors that are new. */
static void
look_around (Publisher *publisher)
{
  g_autoptr (GDir) folder = g_dir_open (publisher->folder, 0, NULL);
  const char *name = NULL;

  while (folder && (name = g_dir_read_name (folder)) && publisher->listeners->len < MOST_LISTENERS)
    if (name[0] != '.' && g_str_has_suffix (name, CAPRA_MONITOR_SUFFIX) && !is_connected (publisher, name))
      {
        Listener *listener = listener_new (publisher->folder, name);

        if (!listener)
          continue;
        g_ptr_array_add (publisher->listeners, listener);
        publisher->due = 0; /* a newcomer gets its first message at once */
      }
}

/* Watches the folder, made again if somebody removed it. */
static void
watch_folder (Publisher *publisher)
{
  g_autofree char *folder = capra_monitor_folder (NULL);

  if (folder && publisher->watch >= 0)
    inotify_add_watch (publisher->watch, folder, IN_MOVED_TO | IN_CREATE | IN_ONLYDIR);
}

static void
drain_watch (Publisher *publisher)
{
  union {
    struct inotify_event event;
    char bytes[4096];
  } buffer;
  gboolean lost = FALSE;
  gssize length = 0;

  while ((length = read (publisher->watch, &buffer, sizeof buffer)) > 0)
    for (gssize at = 0; at < length;)
      {
        struct inotify_event event;

        memcpy (&event, buffer.bytes + at, sizeof event);
        lost = lost || (event.mask & IN_IGNORED);
        at += (gssize) (sizeof event + event.len);
      }
  if (lost)
    watch_folder (publisher);
}

/* Whether records or memory differ from what was last sent. */
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

/* A message for each listener that has taken the one before. */
static void
compose (Publisher *publisher)
{
  gboolean changed = has_changed (publisher);

  for (guint i = 0; i < publisher->listeners->len; i++)
    {
      Listener *listener = publisher->listeners->pdata[i];

      listener->behind = listener->behind || changed;
      if (listener->out || !listener->behind)
        continue;
      listener->out = capra_monitor_message_new (&listener->since);
      listener->sent = 0;
      listener->behind = FALSE;
    }
}

/* Sends what the socket takes; FALSE if the other end is gone. */
static gboolean
listener_send (Listener *listener)
{
  while (listener->out)
    {
      gssize n = send (listener->fd, listener->out->data + listener->sent, listener->out->len - listener->sent,
                       MSG_NOSIGNAL | MSG_DONTWAIT);

      if (n < 0)
        return errno == EAGAIN || errno == EINTR;
      listener->sent += (gsize) n;
      if (listener->sent == listener->out->len)
        g_clear_pointer (&listener->out, g_byte_array_unref);
    }
  return TRUE;
}

/* Does what the monitor asks for; FALSE if it is gone. */
static gboolean
listener_obey (Listener *listener)
{
  char commands[64];
  gssize n = recv (listener->fd, commands, sizeof commands, MSG_DONTWAIT);

  if (n < 0)
    return errno == EAGAIN || errno == EINTR;
  if (memchr (commands, CAPRA_MONITOR_FREE, (gsize) n))
    {
      const GPtrArray *devices = capra_device_list (NULL);

      for (guint i = 0; devices && i < devices->len; i++)
        capra_memory_free_unused (devices->pdata[i]);
    }
  return n > 0;
}

/* Sleeps until something is to be done. Returns FALSE when the process ends. */
static gboolean
wait_for_events (Publisher *publisher)
{
  struct pollfd polls[MOST_LISTENERS + 2] = { { publisher->wake, POLLIN, 0 }, { publisher->watch, POLLIN, 0 } };
  guint n = publisher->listeners->len;
  gint64 now = g_get_monotonic_time ();
  int timeout = n ? (int) CLAMP ((publisher->due - now + 999) / 1000, 0, 1000) : -1;

  if (publisher->watch < 0)
    timeout = n ? timeout : 5000; /* no inotify: look around now and then */
  for (guint i = 0; i < n; i++)
    {
      Listener *listener = publisher->listeners->pdata[i];

      polls[i + 2] = (struct pollfd){ listener->fd, POLLIN | (listener->out ? POLLOUT : 0), 0 };
    }
  if (poll (polls, n + 2, timeout) < 0 && errno != EINTR)
    return FALSE;
  if (polls[0].revents)
    return FALSE;

  if (polls[1].revents)
    drain_watch (publisher);
  for (guint i = n; i-- > 0;)
    if ((polls[i + 2].revents & (POLLIN | POLLHUP | POLLERR)) && !listener_obey (publisher->listeners->pdata[i]))
      g_ptr_array_remove_index (publisher->listeners, i);
  if (polls[1].revents || publisher->watch < 0)
    look_around (publisher);
  return TRUE;
}

static void
publish_due (Publisher *publisher)
{
  gint64 now = g_get_monotonic_time ();

  if (publisher->listeners->len > 0 && now >= publisher->due)
    {
      compose (publisher);
      publisher->due = now + INTERVAL;
    }
  for (guint i = publisher->listeners->len; i-- > 0;)
    if (!listener_send (publisher->listeners->pdata[i]))
      g_ptr_array_remove_index (publisher->listeners, i);
}

/* The last records go out before the process does, if the readers are quick. */
static void
say_farewell (Publisher *publisher)
{
  gint64 end = g_get_monotonic_time () + FAREWELL / 2;

  for (int round = 0; round < 2; round++) /* what is under way, then the last message */
    {
      for (guint i = publisher->listeners->len; i-- > 0;)
        {
          Listener *listener = publisher->listeners->pdata[i];
          gboolean alive = listener_send (listener);

          while (alive && listener->out && g_get_monotonic_time () < end)
            {
              struct pollfd ready = { listener->fd, POLLOUT, 0 };

              poll (&ready, 1, 10);
              alive = listener_send (listener);
            }
          if (!alive)
            g_ptr_array_remove_index (publisher->listeners, i);
        }
      if (round == 0 && publisher->listeners->len > 0)
        compose (publisher);
    }
}

static void
publisher_free (Publisher *publisher)
{
  g_ptr_array_unref (publisher->listeners);
  if (publisher->watch >= 0)
    close (publisher->watch);
  g_free (publisher->memory);
  g_free (publisher->folder);
  g_free (publisher);
}

static gpointer
publisher_run (gpointer data)
{
  Publisher *publisher = data;

  watch_folder (publisher);
  look_around (publisher);
  do
    publish_due (publisher);
  while (wait_for_events (publisher));
  say_farewell (publisher);

  publisher_free (publisher);
  g_mutex_lock (&lock);
  runs = FALSE;
  g_cond_signal (&gone);
  g_mutex_unlock (&lock);
  return NULL;
}

/* At exit, before the driver tears itself down. A forked child has no thread to stop. */
static void
stop (void)
{
  gint64 end = g_get_monotonic_time () + FAREWELL;
  guint64 one = 1;

  if (capra_fork_is_child ())
    return;
  g_mutex_lock (&lock);
  if (write (wake, &one, sizeof one) == sizeof one)
    while (runs && g_cond_wait_until (&gone, &lock, end))
      ;
  g_mutex_unlock (&lock);
}

/* A thread that gets no signals: they are the host's. */
static gboolean
start_thread (Publisher *publisher)
{
  g_autoptr (GThread) thread = NULL;
  sigset_t all, before;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  thread = g_thread_try_new ("capra-monitor", publisher_run, publisher, NULL);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return thread != NULL;
}

void
capra_monitor_publish (void)
{
  g_autofree char *choice = capra_settings_get ("monitor");
  g_autofree char *folder = capra_monitor_folder (NULL);
  Publisher *publisher = NULL;
  gboolean started = FALSE;

  if (g_strcmp0 (choice, "off") == 0 || !folder)
    return;
  g_mutex_lock (&lock);
  wake = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake >= 0)
    {
      publisher = g_new0 (Publisher, 1);
      publisher->folder = g_steal_pointer (&folder);
      publisher->wake = wake;
      publisher->listeners = g_ptr_array_new_with_free_func ((GDestroyNotify) listener_free);
      publisher->watch = inotify_init1 (IN_CLOEXEC | IN_NONBLOCK);
      runs = start_thread (publisher);
    }
  started = runs;
  g_mutex_unlock (&lock);
  if (started)
    atexit (stop);
  else if (publisher)
    publisher_free (publisher);
}
