/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Error report: publishes the failure of an operation, in its properties and in the log. */
#include "plugin/compute/error-report.h"

#include "runtime/base/error.h"

/* The time in milliseconds after which an invalid text is logged. While the user types a matrix or the name of a
 * device, most texts are invalid. */
#define TYPING_TIME 2000

/* The code after success. */
#define NO_ERROR (-1)

struct _CapraErrorReport {
  GeglOperation *operation; /* the owner */
  GMutex lock;              /* guards the rest */
  char *text;               /* "" after success */
  int code;
  char *device;
  char *announced;  /* the last value of the property `error` that was notified */
  char *logged;     /* the last text in the log */
  char *warned;     /* the topic of the last warning */
  gboolean pending; /* announce() is scheduled */
};

CapraErrorReport *
capra_error_report_new (GeglOperation *operation)
{
  CapraErrorReport *report = g_new0 (CapraErrorReport, 1);

  g_mutex_init (&report->lock);
  report->operation = operation;
  report->text = g_strdup ("");
  report->code = NO_ERROR;
  report->device = g_strdup ("");
  report->announced = g_strdup ("");
  report->logged = g_strdup ("");
  report->warned = g_strdup ("");
  return report;
}

void
capra_error_report_free (CapraErrorReport *report)
{
  g_mutex_clear (&report->lock);
  g_free (report->text);
  g_free (report->device);
  g_free (report->announced);
  g_free (report->logged);
  g_free (report->warned);
  g_free (report);
}

/* Replaces the text @field of a report. Returns whether it has changed. */
static gboolean
replace_text (char **field, const char *text)
{
  if (g_strcmp0 (*field, text) == 0)
    return FALSE;
  g_free (*field);
  *field = g_strdup (text);
  return TRUE;
}

/* Whether the default main loop is running. In programs without one, such as `gegl`, scheduled functions would never be
 * called. */
static gboolean
main_loop_is_running (void)
{
  if (g_main_depth () > 0)
    return TRUE;
  if (!g_main_context_acquire (NULL))
    return TRUE;
  g_main_context_release (NULL);
  return FALSE;
}

/* A copy of the text if it has not been logged; otherwise, and after success, NULL. The lock is held. */
static char *
take_unlogged_text (CapraErrorReport *report)
{
  return replace_text (&report->logged, report->text) && *report->text ? g_strdup (report->text) : NULL;
}

/* The lock is not held, as a log handler may read the operation's properties. */
static void
write_log (CapraErrorReport *report, const char *text)
{
  if (text)
    g_warning ("%s: %s", gegl_operation_get_name (report->operation), text);
}

/* The arguments of a scheduled function. */
typedef struct {
  GWeakRef operation;
  CapraErrorReport *report; /* valid while the operation exists */
  char *text;               /* of the report when it was scheduled */
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

/* Sets the properties, which notifies the host. */
static gboolean
announce (gpointer data)
{
  Message *message = data;
  g_autoptr (GeglOperation) operation = g_weak_ref_get (&message->operation);
  CapraErrorReport *report = message->report;
  g_autofree char *text = NULL;
  gboolean changed = FALSE;

  if (!operation)
    return G_SOURCE_REMOVE;

  g_mutex_lock (&report->lock);
  report->pending = FALSE;
  text = g_strdup (report->text);
  changed = replace_text (&report->announced, text);
  g_mutex_unlock (&report->lock);

  if (changed)
    g_object_set (operation, "error", text, "failed", *text != '\0', NULL);
  return G_SOURCE_REMOVE;
}

/* Logs the text if it is still the same. */
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
    text = take_unlogged_text (report);
  g_mutex_unlock (&report->lock);
  write_log (report, text);
  return G_SOURCE_REMOVE;
}

/* Whether the error may be caused by an incomplete text that the user is typing. */
static gboolean
may_be_typing (const GError *error)
{
  return error->domain == CAPRA_ERROR
         && (error->code == CAPRA_ERROR_ARGUMENT || error->code == CAPRA_ERROR_NO_DEVICE
             || error->code == CAPRA_ERROR_AMBIGUOUS_DEVICE);
}

/* Schedules @function in the main context of the thread that runs the operation. In another thread it would set
 * properties of nodes that are being processed. A program that renders in its own thread has a context for it, even if
 * nothing iterates that context. */
static void
schedule (GSource *source, int priority, GSourceFunc function, CapraErrorReport *report)
{
  g_source_set_priority (source, priority);
  g_source_set_callback (source, function, message_new (report), message_free);
  g_source_attach (source, g_main_context_get_thread_default ());
  g_source_unref (source);
}

void
capra_error_report_set (CapraErrorReport *report, const GError *error, CapraDevice *device)
{
  const char *text = error ? error->message : "";
  gboolean loop = main_loop_is_running (), changed = FALSE;
  g_autofree char *to_log = NULL;

  g_mutex_lock (&report->lock);
  changed = replace_text (&report->text, text);
  report->code = error && error->domain == CAPRA_ERROR ? error->code : NO_ERROR;
  replace_text (&report->device, error && device ? capra_device_get_info (device)->id : "");
  if (!error || !loop || !may_be_typing (error) || capra_error_is_fatal ())
    to_log = take_unlogged_text (report);
  else if (changed && g_strcmp0 (text, report->logged) != 0)
    schedule (g_timeout_source_new (TYPING_TIME), G_PRIORITY_LOW, log_later, report);
  if (g_strcmp0 (text, report->announced) != 0 && !report->pending)
    {
      report->pending = TRUE;
      schedule (g_idle_source_new (), G_PRIORITY_DEFAULT_IDLE, announce, report);
    }
  g_mutex_unlock (&report->lock);

  write_log (report, to_log);
  if (error)
    capra_error_exit_if_fatal ();
}

/* A copy of the text @field of a report. */
static char *
dup_text (CapraErrorReport *report, char *const *field)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&report->lock);

  return g_strdup (*field);
}

char *
capra_error_report_get_text (CapraErrorReport *report)
{
  return dup_text (report, &report->text);
}

void
capra_error_report_set_text (CapraErrorReport *report, const char *text)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&report->lock);

  /* The code and the device belong to the text that this operation has reported. */
  if (!replace_text (&report->text, text ? text : ""))
    return;
  report->code = NO_ERROR;
  replace_text (&report->device, "");
}

int
capra_error_report_get_code (CapraErrorReport *report)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&report->lock);

  return report->code;
}

char *
capra_error_report_get_device (CapraErrorReport *report)
{
  return dup_text (report, &report->device);
}

void
capra_error_report_warn (CapraErrorReport *report, const char *topic, const char *text)
{
  gboolean changed = FALSE;

  g_mutex_lock (&report->lock);
  changed = replace_text (&report->warned, topic);
  g_mutex_unlock (&report->lock);
  write_log (report, changed ? text : NULL);
}
