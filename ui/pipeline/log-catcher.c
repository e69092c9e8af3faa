/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Log-catcher: what GEGL and Capra's operations only write to the log, for those who report it themselves.
 *
 * GEGL's loaders and savers cannot fail: they warn, and leave an empty or unfinished image. Only their warnings count:
 * what Capra or any other library warns of goes on to the log. */
#include "ui/pipeline/log-catcher.h"

#include <string.h>

#define OPERATIONS_DOMAIN "GEGL-capra"

/* What one thread withholds. */
typedef struct {
  gboolean core;       /* whether GEGL's core counts, too */
  char *first;         /* that counts */
  GPtrArray *messages; /* of Message */
} Catch;

typedef struct {
  char *domain, *text;
  GLogLevelFlags level;
} Message;

static GPrivate catching = G_PRIVATE_INIT (NULL); /* of Catch: owned by whoever began */
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
keep (GPtrArray *messages, const char *domain, GLogLevelFlags level, const char *text)
{
  Message *message = g_new (Message, 1);

  *message = (Message){ g_strdup (domain), g_strdup (text), level };
  g_ptr_array_add (messages, message);
}

/* Passes @messages on to the log, except those that end with @said (nullable). */
static void
pass_on (GPtrArray *messages, const char *said)
{
  for (guint i = 0; i < messages->len; i++)
    {
      const Message *message = messages->pdata[i];

      if (!said || !g_str_has_suffix (message->text, said))
        previous (message->domain, message->level, message->text, NULL);
    }
}

/* Modules of operations have GEGL's domain and their file's name, or none. */
static gboolean
is_module (const char *domain)
{
  return !domain || (g_str_has_prefix (domain, "GEGL-") && strcmp (domain, OPERATIONS_DOMAIN) != 0);
}

static void
on_message (const char *domain, GLogLevelFlags level, const char *text, gpointer data)
{
  Catch *caught = g_private_get (&catching);
  gboolean bad = (level & (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL)) != 0;
  gboolean module = is_module (domain), core = g_strcmp0 (domain, "GEGL") == 0;

  /* GObject's warnings follow from GEGL's: a node whose operation is missing lacks the properties that others bind. */
  if (caught && bad && (module || core || strcmp (domain, "GLib-GObject") == 0))
    {
      if (!caught->first && (module || (core && caught->core)))
        caught->first = g_strdup (text);
      keep (caught->messages, domain, level, text);
      return;
    }
  if (bad && g_strcmp0 (domain, OPERATIONS_DOMAIN) == 0)
    {
      g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

      if (held)
        {
          keep (held, domain, level, text);
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
  if (!first)
    pass_on (caught->messages, NULL);
  g_ptr_array_unref (caught->messages);
  g_free (caught);
  return first;
}

void
capra_log_catcher_hold (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  if (!held)
    held = g_ptr_array_new_with_free_func (message_free);
}

void
capra_log_catcher_release (const char *said)
{
  g_autoptr (GPtrArray) messages = NULL;

  g_mutex_lock (&lock);
  messages = g_steal_pointer (&held);
  g_mutex_unlock (&lock);
  if (messages)
    pass_on (messages, said);
}
