/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Outcome: how an operation says that it failed, to people and to scripts. */
#include "plugin/compute/error-report.h"

#include "runtime/device/error.h"

/* How long a text that is being typed may be wrong before the log hears of it, in milliseconds. */
#define TYPING_TIME 2000

struct _CapraOutcome {
  GMutex lock;
  GeglOperation *operation; /* its owner */
  char *text;               /* the error; "" for none */
  char *announced;          /* what the properties' watchers know */
  char *logged;
  char *remarked;   /* the topic */
  gboolean pending; /* an announcement is on its way */
};

CapraOutcome *
capra_outcome_new (GeglOperation *operation)
{
  CapraOutcome *outcome = g_new0 (CapraOutcome, 1);

  g_mutex_init (&outcome->lock);
  outcome->operation = operation;
  outcome->text = g_strdup ("");
  outcome->announced = g_strdup ("");
  outcome->logged = g_strdup ("");
  outcome->remarked = g_strdup ("");
  return outcome;
}

void
capra_outcome_free (CapraOutcome *outcome)
{
  g_mutex_clear (&outcome->lock);
  g_free (outcome->text);
  g_free (outcome->announced);
  g_free (outcome->logged);
  g_free (outcome->remarked);
  g_free (outcome);
}

/* Whether someone runs the default main loop. In programs without one, such as `gegl`, nothing that
 * waits for it would ever happen. */
static gboolean
main_loop_runs (void)
{
  if (g_main_depth () > 0)
    return TRUE;
  if (!g_main_context_acquire (NULL))
    return TRUE;
  g_main_context_release (NULL);
  return FALSE;
}

/* With the lock held: the text that the log has not heard of, for write_log(); NULL if there is none. */
static char *
take_news (CapraOutcome *outcome)
{
  if (g_strcmp0 (outcome->logged, outcome->text) == 0)
    return NULL;
  g_free (outcome->logged);
  outcome->logged = g_strdup (outcome->text);
  return *outcome->text ? g_strdup (outcome->text) : NULL;
}

/* Without the lock: a handler of the log may ask for the operation's properties. */
static void
write_log (CapraOutcome *outcome, const char *text)
{
  if (text)
    g_warning ("%s: %s", gegl_operation_get_name (outcome->operation), text);
}

typedef struct {
  GWeakRef operation;
  CapraOutcome *outcome; /* valid while the operation is */
  char *text;
} Message;

static Message *
message_new (CapraOutcome *outcome)
{
  Message *message = g_new0 (Message, 1);

  g_weak_ref_init (&message->operation, outcome->operation);
  message->outcome = outcome;
  message->text = g_strdup (outcome->text);
  return message;
}

static void
message_free (gpointer data)
{
  Message *message = data;

  g_weak_ref_clear (&message->operation);
  g_free (message->text);
  g_free (message);
}

static gboolean
announce (gpointer data)
{
  Message *message = data;
  g_autoptr (GeglOperation) operation = g_weak_ref_get (&message->operation);
  CapraOutcome *outcome = message->outcome;
  g_autofree char *text = NULL;
  gboolean news = FALSE;

  if (!operation)
    return G_SOURCE_REMOVE;

  g_mutex_lock (&outcome->lock);
  outcome->pending = FALSE;
  text = g_strdup (outcome->text);
  news = g_strcmp0 (text, outcome->announced) != 0;
  g_free (outcome->announced);
  outcome->announced = g_strdup (text);
  g_mutex_unlock (&outcome->lock);

  if (news)
    g_object_set (operation, "error", text, "failed", *text != '\0', NULL);
  return G_SOURCE_REMOVE;
}

static gboolean
log_later (gpointer data)
{
  Message *message = data;
  g_autoptr (GeglOperation) operation = g_weak_ref_get (&message->operation);
  CapraOutcome *outcome = message->outcome;
  g_autofree char *text = NULL;

  if (!operation)
    return G_SOURCE_REMOVE;
  g_mutex_lock (&outcome->lock);
  if (g_strcmp0 (outcome->text, message->text) == 0)
    text = take_news (outcome);
  g_mutex_unlock (&outcome->lock);
  write_log (outcome, text);
  return G_SOURCE_REMOVE;
}

/* Errors that a person makes while typing a matrix or a device's name. */
static gboolean
is_typed (const GError *error)
{
  return error->domain == CAPRA_ERROR
         && (error->code == CAPRA_ERROR_ARGUMENT || error->code == CAPRA_ERROR_NO_DEVICE
             || error->code == CAPRA_ERROR_AMBIGUOUS_DEVICE);
}

/* Into the loop of the thread that runs the operation: another one's would set properties of nodes that are
 * at work. Programs that render in a thread of their own give that a main context, running or not. */
static void
call_later (GSource *source, int priority, GSourceFunc function, CapraOutcome *outcome)
{
  g_source_set_priority (source, priority);
  g_source_set_callback (source, function, message_new (outcome), message_free);
  g_source_attach (source, g_main_context_get_thread_default ());
  g_source_unref (source);
}

void
capra_outcome_set (CapraOutcome *outcome, const GError *error)
{
  const char *text = error ? error->message : "";
  gboolean loop = main_loop_runs (), news = FALSE;
  g_autofree char *to_log = NULL;

  g_mutex_lock (&outcome->lock);
  news = g_strcmp0 (text, outcome->text) != 0;
  if (news)
    {
      g_free (outcome->text);
      outcome->text = g_strdup (text);
    }
  if (!error || !loop || !is_typed (error) || capra_error_is_fatal ())
    to_log = take_news (outcome);
  else if (news && g_strcmp0 (text, outcome->logged) != 0)
    call_later (g_timeout_source_new (TYPING_TIME), G_PRIORITY_LOW, log_later, outcome);
  if (g_strcmp0 (text, outcome->announced) != 0 && !outcome->pending)
    {
      outcome->pending = TRUE;
      call_later (g_idle_source_new (), G_PRIORITY_DEFAULT_IDLE, announce, outcome);
    }
  g_mutex_unlock (&outcome->lock);

  write_log (outcome, to_log);
  if (error)
    capra_error_end_process ();
}

char *
capra_outcome_get_text (CapraOutcome *outcome)
{
  char *text = NULL;

  g_mutex_lock (&outcome->lock);
  text = g_strdup (outcome->text);
  g_mutex_unlock (&outcome->lock);
  return text;
}

void
capra_outcome_set_text (CapraOutcome *outcome, const char *text)
{
  g_mutex_lock (&outcome->lock);
  g_free (outcome->text);
  outcome->text = g_strdup (text ? text : "");
  g_mutex_unlock (&outcome->lock);
}

void
capra_outcome_remark (CapraOutcome *outcome, const char *topic, const char *text)
{
  gboolean news = FALSE;

  g_mutex_lock (&outcome->lock);
  news = g_strcmp0 (outcome->remarked, topic) != 0;
  if (news)
    {
      g_free (outcome->remarked);
      outcome->remarked = g_strdup (topic);
    }
  g_mutex_unlock (&outcome->lock);
  write_log (outcome, news ? text : NULL);
}
