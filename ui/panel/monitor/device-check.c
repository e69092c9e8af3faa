/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device-check: the verdict of `capra check` on a device, and the check that runs on it. */
#include "ui/panel/monitor/device-check.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/monitor/check-process.h"

struct _CapraDeviceCheck {
  GObject parent_instance;
  CapraDevice *device;
  CapraCheckRecord *record;   /* NULL if it was not checked */
  CapraCheckProcess *process; /* NULL if none runs */
  GCancellable *cancellable;  /* of @process */
  guint number, count;        /* of the family that runs; 0 at first */
  char *family;
  char *error; /* why the last check did not end */
};

G_DEFINE_FINAL_TYPE (CapraDeviceCheck, capra_device_check, G_TYPE_OBJECT)

static guint changed_signal;
static GHashTable *checks; /* CapraDevice -> CapraDeviceCheck, not owned */

static void
notify (CapraDeviceCheck *self)
{
  g_signal_emit (self, changed_signal, 0);
}

void
capra_device_check_load (CapraDeviceCheck *self)
{
  g_return_if_fail (CAPRA_IS_DEVICE_CHECK (self));

  if (self->process)
    return;
  capra_check_record_free (self->record);
  self->record = capra_check_record_load (self->device);
  notify (self);
}

static void
on_progress (CapraDeviceCheck *self, guint number, guint count, const char *family)
{
  self->number = number;
  self->count = count;
  g_free (self->family);
  self->family = g_strdup (family);
  notify (self);
}

/* @record is shown also if the program could not keep it. */
static void
on_ended (CapraDeviceCheck *self, const CapraCheckRecord *record, const char *error)
{
  g_clear_object (&self->process);
  g_clear_object (&self->cancellable);
  self->error = g_strdup (error);
  capra_check_record_free (self->record);
  self->record = record ? capra_check_record_copy (record) : capra_check_record_load (self->device);
  notify (self);
}

void
capra_device_check_start (CapraDeviceCheck *self)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (CAPRA_IS_DEVICE_CHECK (self));

  if (self->process)
    return;
  g_clear_pointer (&self->error, g_free);
  self->number = self->count = 0;
  self->cancellable = g_cancellable_new ();
  self->process = capra_check_process_start (self->device, self->cancellable, &error);
  if (self->process)
    {
      g_signal_connect_object (self->process, "progress", G_CALLBACK (on_progress), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->process, "ended", G_CALLBACK (on_ended), self, G_CONNECT_SWAPPED);
    }
  else
    {
      g_clear_object (&self->cancellable);
      self->error = g_strdup (error->message);
    }
  notify (self);
}

void
capra_device_check_cancel (CapraDeviceCheck *self)
{
  g_return_if_fail (CAPRA_IS_DEVICE_CHECK (self));

  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
}

gboolean
capra_device_check_is_running (CapraDeviceCheck *self)
{
  g_return_val_if_fail (CAPRA_IS_DEVICE_CHECK (self), FALSE);

  return self->process != NULL;
}

const CapraCheckRecord *
capra_device_check_get_record (CapraDeviceCheck *self)
{
  g_return_val_if_fail (CAPRA_IS_DEVICE_CHECK (self), NULL);

  return self->record;
}

gboolean
capra_device_check_is_bad (CapraDeviceCheck *self)
{
  g_return_val_if_fail (CAPRA_IS_DEVICE_CHECK (self), FALSE);

  return !self->process && (self->error || (self->record && (*self->record->differ || *self->record->failed)));
}

static char *
format_date (gint64 seconds)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (seconds);

  return time ? g_date_time_format (time, "%x") : g_strdup ("");
}

/* A check that began and did not end. */
static char *
describe_begun (gint64 time)
{
  g_autofree char *date = format_date (time);

  /* Translators: %s is a date. */
  return g_strdup_printf (_ ("A check that began on %s did not end"), date);
}

/* The verdict of a check of @device that has ended, or of one in the background so far. If basic kernels are wrong,
 * also what to do about it. */
static char *
describe_verdict (CapraDevice *device, const CapraCheckRecord *record)
{
  g_autofree char *date = format_date (record->time);
  guint n_differ = g_strv_length (record->differ), n_failed = g_strv_length (record->failed);
  g_autofree char *differ = g_strjoinv (", ", record->differ), *failed = g_strjoinv (", ", record->failed);
  guint count = record->passed + n_differ + n_failed;
  GString *text = g_string_new (NULL);

  if (record->ended)
    /* Translators: %s is a date. */
    g_string_append_printf (text, _ ("Checked on %s: "), date);
  else
    /* Translators: how many of how many families of kernels were checked. */
    g_string_append_printf (text, _ ("Checked in the background so far, %u of %u: "), count, record->count);
  if (n_differ + n_failed == 0)
    /* Translators: the number of families of kernels whose results are right. */
    g_string_append_printf (text, _ ("%u passed"), record->passed);
  if (n_differ > 0)
    /* Translators: how many of how many families of kernels have wrong results, and their names. */
    g_string_append_printf (text, _ ("%u of %u differ: %s"), n_differ, count, differ);
  if (n_differ > 0 && n_failed > 0)
    g_string_append (text, "; ");
  if (n_failed > 0)
    /* Translators: how many of how many families of kernels reported an error, and their names. */
    g_string_append_printf (text, _ ("%u of %u failed: %s"), n_failed, count, failed);
  if (record->unreliable)
    {
      g_string_append_c (text, '\n');
      /* Translators: %s is the version of a driver; “capra check --report FILE” is a command. */
      g_string_append_printf (text,
                              _ ("Most operations are wrong or fail with the driver %s. Use another device or another "
                                 "version of the driver, and report it with “capra check --report FILE”."),
                              capra_device_get_info (device)->driver);
    }
  if (record->begun)
    {
      g_autofree char *begun = describe_begun (record->begun);

      g_string_append_printf (text, "\n%s", begun);
    }
  return g_string_free (text, FALSE);
}

char *
capra_device_check_describe (CapraDeviceCheck *self)
{
  g_return_val_if_fail (CAPRA_IS_DEVICE_CHECK (self), NULL);

  if (self->process && self->count == 0)
    return g_strdup (_ ("Starting"));
  if (self->process)
    /* Translators: the number of the family of kernels, how many there are, and its name. */
    return g_strdup_printf (_ ("%u of %u: %s"), self->number, self->count, self->family);
  if (self->error)
    return g_strdup (self->error);
  if (!self->record)
    return g_strdup (_ ("Not checked with this driver and version"));
  if (self->record->ended || self->record->count > 0)
    return describe_verdict (self->device, self->record);
  return describe_begun (self->record->time);
}

static void
capra_device_check_finalize (GObject *object)
{
  CapraDeviceCheck *self = CAPRA_DEVICE_CHECK (object);

  g_hash_table_remove (checks, self->device);
  capra_device_check_cancel (self);
  g_clear_object (&self->process);
  g_clear_object (&self->cancellable);
  capra_check_record_free (self->record);
  g_free (self->family);
  g_free (self->error);
  G_OBJECT_CLASS (capra_device_check_parent_class)->finalize (object);
}

static void
capra_device_check_class_init (CapraDeviceCheckClass *class)
{
  G_OBJECT_CLASS (class)->finalize = capra_device_check_finalize;
  changed_signal = g_signal_new ("changed", CAPRA_TYPE_DEVICE_CHECK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  checks = g_hash_table_new (NULL, NULL);
}

static void
capra_device_check_init (CapraDeviceCheck *self)
{
}

CapraDeviceCheck *
capra_device_check_get (CapraDevice *device)
{
  CapraDeviceCheck *self = NULL;

  g_return_val_if_fail (device, NULL);

  g_type_ensure (CAPRA_TYPE_DEVICE_CHECK);
  self = checks ? g_hash_table_lookup (checks, device) : NULL;
  if (self)
    return g_object_ref (self);
  self = g_object_new (CAPRA_TYPE_DEVICE_CHECK, NULL);
  self->device = device;
  self->record = capra_check_record_load (device);
  g_hash_table_insert (checks, device, self);
  return self;
}
