/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Outcome: how an operation says that it failed, to people and to scripts. */
#include "plugin/compute/error-report.h"

#include "runtime/device/error.h"

/* How long a text that is being typed may be wrong before the log hears of it, in milliseconds. */
#define TYPING_TIME 2000

struct _CapraErrorReport {
  GMutex lock;
  GeglOperation *operation; /* its owner */
  char *text;               /* the error; "" for none */
  char *announced;          /* what the properties' watchers know */
  char *logged;
  char *remarked;   /* the topic */
  gboolean pending; /* an announcement is on its way */
};

CapraErrorReport *
capra_error_report_new (GeglOperation *operation)
{
  CapraErrorReport *report = g_new0 (CapraErrorReport, 1);

  g_mutex_init (&report->lock);
  report->operation = operation;
  report->text = g_strdup ("");
  report->announced = g_strdup ("");
  report->logged = g_strdup ("");
  report->remarked = g_strdup ("");
  return report;
}

void
capra_error_report_free (CapraErrorReport *report)
{
  g_mutex_clear (&report->lock);
  g_free (report->text);
  g_free (report->announced);
  g_free (report->logged);
  g_free (report->remarked);
  g_free (report);
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
take_news (CapraErrorReport *report)
{
  if (g_strcmp0 (report->logged, report->text) == 0)
    return NULL;
  g_free (report->logged);
  report->logged = g_strdup (report->text);
  return *report->text ? g_strdup (report->text) : NULL;
}

/* Without the lock: a handler of the log may ask for the operation's properties. */
static void
write_log (CapraErrorReport *report, const char *text)
{
  if (text)
    g_warning ("%s: %s", gegl_operation_get_name (report->operation), text);
}

typedef struct {
  GWeakRef operation;
  CapraErrorReport *report; /* valid while the operation is */
  char *text;
} Message;

static Message *
message_new (CapraErrorReport *report)
{
  Message *message = g_new0 (Message, 1);

  g_weak_ref_init (&message->operation, report->operation);
  message->report = report;
  message->text = g_strdup (report->text);
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
  CapraErrorReport *report = message->report;
  g_autofree char *text = NULL;
  gboolean news = FALSE;

  if (!operation)
    return G_SOURCE_REMOVE;

  g_mutex_lock (&report->lock);
  report->pending = FALSE;
  text = g_strdup (report->text);
  news = g_strcmp0 (text, report->announced) != 0;
  g_free (report->announced);
  report->announced = g_strdup (text);
  g_mutex_unlock (&report->lock);

  if (news)
    g_object_set (operation, "error", text, "failed", *text != '\0', NULL);
  return G_SOURCE_REMOVE;
}

static gboolean
log_later (gpointer data)
{
  Message *message = data;
  g_autoptr (GeglOperation) operation = g_weak_ref_get (&message->operation);
  CapraErrorReport *report = message->report;
  g_autofree char *text = NULL;

  if (!operation)
    return G_SOURCE_REMOVE;
  g_mutex_lock (&report->lock);
  if (g_strcmp0 (report->text, message->text) == 0)
    text = take_news (report);
  g_mutex_unlock (&report->lock);
  write_log (report, text);
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
call_later (GSource *source, int priority, GSourceFunc function, CapraErrorReport *report)
{
  g_source_set_priority (source, priority);
  g_source_set_callback (source, function, message_new (report), message_free);
  g_source_attach (source, g_main_context_get_thread_default ());
  g_source_unref (source);
}

void
capra_error_report_set (CapraErrorReport *report, const GError *error)
{
  const char *text = error ? error->message : "";
  gboolean loop = main_loop_runs (), news = FALSE;
  g_autofree char *to_log = NULL;

  g_mutex_lock (&report->lock);
  news = g_strcmp0 (text, report->text) != 0;
  if (news)
    {
      g_free (report->text);
      report->text = g_strdup (text);
    }
  if (!error || !loop || !is_typed (error) || capra_error_is_fatal ())
    to_log = take_news (report);
  else if (news && g_strcmp0 (text, report->logged) != 0)
    call_later (g_timeout_source_new (TYPING_TIME), G_PRIORITY_LOW, log_later, report);
  if (g_strcmp0 (text, report->announced) != 0 && !report->pending)
    {
      report->pending = TRUE;
      call_later (g_idle_source_new (), G_PRIORITY_DEFAULT_IDLE, announce, report);
    }
  g_mutex_unlock (&report->lock);

  write_log (report, to_log);
  if (error)
    capra_error_exit_if_fatal ();
}

char *
capra_error_report_get_text (CapraErrorReport *report)
{
  char *text = NULL;

  g_mutex_lock (&report->lock);
  text = g_strdup (report->text);
  g_mutex_unlock (&report->lock);
  return text;
}

void
capra_error_report_set_text (CapraErrorReport *report, const char *text)
{
  g_mutex_lock (&report->lock);
  g_free (report->text);
  report->text = g_strdup (text ? text : "");
  g_mutex_unlock (&report->lock);
}

void
capra_error_report_warn (CapraErrorReport *report, const char *topic, const char *text)
{
  gboolean news = FALSE;

  g_mutex_lock (&report->lock);
  news = g_strcmp0 (report->remarked, topic) != 0;
  if (news)
    {
      g_free (report->remarked);
      report->remarked = g_strdup (topic);
    }
  g_mutex_unlock (&report->lock);
  write_log (report, news ? text : NULL);
}
