/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Log-catcher: turns warnings of GEGL and of Capra's operations into errors that the caller reports.
 *
 * GEGL's loaders and savers do not return errors: they log a warning and leave an empty or incomplete image. Only their
 * warnings are caught. Those of Capra and of other libraries are logged as usual. */
#include "ui/pipeline/log-catcher.h"

#include <string.h>

#define OPERATIONS_DOMAIN "GEGL-capra"

/* The messages that one thread holds back. */
typedef struct {
  gboolean core;       /* whether a warning of GEGL's core is an error, too */
  char *first;         /* the first warning that is an error */
  GPtrArray *messages; /* of Message */
} Catch;

typedef struct {
  char *domain, *text;
  GLogLevelFlags level;
} Message;

static GPrivate catching = G_PRIVATE_INIT (NULL);   /* of Catch, from capra_log_catcher_begin() to _end() */
static GPrivate collecting = G_PRIVATE_INIT (NULL); /* of Message, from capra_log_catcher_collect() to _collected() */
static GLogFunc previous;
static GMutex lock;
static GPtrArray *held; /* of Message, NULL unless messages are held */

static void
message_free (gpointer data)
{
  Message *message = data;

  g_free (message->domain);
  g_free (message->text);
  g_free (message);
}

static void
add_message (GPtrArray *messages, const char *domain, GLogLevelFlags level, const char *text)
{
  Message *message = g_new (Message, 1);

  *message = (Message){ g_strdup (domain), g_strdup (text), level };
  g_ptr_array_add (messages, message);
}

/* Messages of other domains are logged even if they end with the same words. */
static gboolean
is_reported (const Message *message, const char *reported)
{
  return reported && g_strcmp0 (message->domain, OPERATIONS_DOMAIN) == 0 && g_str_has_suffix (message->text, reported);
}

/* Logs @messages, except those of operations that end with @reported (nullable). */
static void
log_messages (GPtrArray *messages, const char *reported)
{
  for (guint i = 0; i < messages->len; i++)
    {
      const Message *message = messages->pdata[i];

      if (!is_reported (message, reported))
        previous (message->domain, message->level, message->text, NULL);
    }
}

/* A module of operations logs with the domain "GEGL-" and its file name, or without a domain. */
static gboolean
is_module (const char *domain)
{
  return !domain || (g_str_has_prefix (domain, "GEGL-") && strcmp (domain, OPERATIONS_DOMAIN) != 0);
}

static void
on_message (const char *domain, GLogLevelFlags level, const char *text, gpointer data)
{
  Catch *caught = g_private_get (&catching);
  GPtrArray *collected = g_private_get (&collecting);
  gboolean bad = (level & (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL)) != 0;
  gboolean module = is_module (domain), core = g_strcmp0 (domain, "GEGL") == 0;

  /* GObject's warnings follow from GEGL's: a node whose operation is missing lacks the properties that others bind. */
  if (caught && bad && (module || core || strcmp (domain, "GLib-GObject") == 0))
    {
      if (!caught->first && (module || (core && caught->core)))
        caught->first = g_strchomp (g_strdup (text)); /* libraries' reasons end with a newline */
      add_message (caught->messages, domain, level, text);
      return;
    }
  if (collected && !(level & G_LOG_FLAG_FATAL))
    {
      add_message (collected, domain, level, text);
      return;
    }
  if (bad && g_strcmp0 (domain, OPERATIONS_DOMAIN) == 0)
    {
      g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

      if (held)
        {
          add_message (held, domain, level, text);
          return;
        }
    }
  previous (domain, level, text, data);
}

void
capra_log_catcher_install (void)
{
  if (!previous)
    previous = g_log_set_default_handler (on_message, NULL);
}

void
capra_log_catcher_begin (gboolean core)
{
  Catch *caught;

  if (g_private_get (&catching))
    return;
  caught = g_new0 (Catch, 1);
  caught->core = core;
  caught->messages = g_ptr_array_new_with_free_func (message_free);
  g_private_set (&catching, caught);
}

char *
capra_log_catcher_end (void)
{
  Catch *caught = g_private_get (&catching);
  char *first;

  g_private_set (&catching, NULL);
  if (!caught)
    return NULL;
  first = caught->first;
  for (guint i = 0; !first && i < caught->messages->len; i++)
    {
      const Message *message = caught->messages->pdata[i];

      on_message (message->domain, message->level, message->text, NULL);
    }
  g_ptr_array_unref (caught->messages);
  g_free (caught);
  return first;
}

void
capra_log_catcher_defer (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  if (!held)
    held = g_ptr_array_new_with_free_func (message_free);
}

gboolean
capra_log_catcher_has_deferred (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  return held && held->len > 0;
}

void
capra_log_catcher_flush (const char *reported)
{
  g_autoptr (GPtrArray) messages = NULL;

  g_mutex_lock (&lock);
  messages = g_steal_pointer (&held);
  g_mutex_unlock (&lock);
  if (messages)
    log_messages (messages, reported);
}

void
capra_log_catcher_collect (void)
{
  g_private_set (&collecting, g_ptr_array_new_with_free_func (message_free));
}

GPtrArray *
capra_log_catcher_collected (void)
{
  GPtrArray *messages = g_private_get (&collecting);

  g_private_set (&collecting, NULL);
  return messages;
}

void
capra_log_catcher_log (GPtrArray *messages, const char *reported)
{
  log_messages (messages, reported);
}
