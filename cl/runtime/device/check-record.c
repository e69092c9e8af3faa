/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Check record: a key file for each device in the user's cache folder, which names what it is valid for. */
#include "runtime/device/check-record.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/device/check-record-private.h"
#include "runtime/base/file.h"
#include "runtime/device/quirks.h"
#include "runtime/base/resource.h"
#include "runtime/base/write-text.h"

#define GROUP "check"
#define MAX_BYTES ((gsize) 1 << 16)
#define N_IDENTITY 7

/* What a record is valid for: values by key. */
typedef struct {
  const char *key;
  char *value;
} Identity[N_IDENTITY];

/* The quirks that change kernels or their choice, in one line. */
static char *
describe_quirks (CapraDevice *device)
{
  const GPtrArray *quirks = capra_quirks_list (device);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < quirks->len; i++)
    {
      const CapraQuirk *quirk = quirks->pdata[i];
      g_autofree char *kernels = quirk->kernels ? g_strjoinv (",", quirk->kernels) : NULL;

      g_string_append_printf (text, "%s%s:%s:%s:%s", i > 0 ? ";" : "", quirk->name, kernels ? kernels : "",
                              quirk->variant ? quirk->variant : "", quirk->options ? quirk->options : "");
    }
  return g_string_free (text, FALSE);
}

static void
get_identity (CapraDevice *device, Identity identity)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  const char *tuning = g_getenv ("CAPRA_TUNING");
  g_autofree char *quirks = describe_quirks (device);
  const char *const values[N_IDENTITY][2] = {
    { "device", info->id },
    { "driver", info->driver },
    { "version", info->version },
    { "capra", CAPRA_VERSION },
    { "kernels", capra_resource_sum_kernels () },
    { "tuning", tuning ? tuning : "" },
    { "quirks", quirks },
  };

  for (guint i = 0; i < N_IDENTITY; i++)
    {
      identity[i].key = values[i][0];
      identity[i].value = g_utf8_make_valid (values[i][1], -1); /* as key files require; drivers may report anything */
    }
}

static void
clear_identity (Identity identity)
{
  for (guint i = 0; i < N_IDENTITY; i++)
    g_free (identity[i].value);
}

CapraCheckRecord *
capra_check_record_new (gboolean full)
{
  CapraCheckRecord *record = g_new0 (CapraCheckRecord, 1);

  record->time = g_get_real_time () / G_USEC_PER_SEC;
  record->full = full;
  record->differ = g_new0 (char *, 1);
  record->failed = g_new0 (char *, 1);
  record->done = g_new0 (char *, 1);
  record->running = g_new0 (char *, 1);
  record->boot = g_strdup ("");
  return record;
}

CapraCheckRecord *
capra_check_record_copy (const CapraCheckRecord *record)
{
  CapraCheckRecord *copy = NULL;

  g_return_val_if_fail (record, NULL);

  copy = g_memdup2 (record, sizeof *record);
  copy->differ = g_strdupv (record->differ);
  copy->failed = g_strdupv (record->failed);
  copy->done = g_strdupv (record->done);
  copy->running = g_strdupv (record->running);
  copy->boot = g_strdup (record->boot);
  return copy;
}

void
capra_check_record_free (CapraCheckRecord *record)
{
  if (!record)
    return;
  g_strfreev (record->differ);
  g_strfreev (record->failed);
  g_strfreev (record->done);
  g_strfreev (record->running);
  g_free (record->boot);
  g_free (record);
}

char *
capra_check_record_path (CapraDevice *device)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, capra_device_get_info (device)->id, -1);
  g_autofree char *name = g_strdup_printf ("%.32s.ini", sum);

  return g_build_filename (g_get_user_cache_dir (), "capra", "checks", name, NULL);
}

/* Whether the file is about this device, driver and kernels. */
static gboolean
is_valid_for (GKeyFile *file, CapraDevice *device)
{
  Identity identity;
  gboolean valid = TRUE;

  get_identity (device, identity);
  for (guint i = 0; i < N_IDENTITY; i++)
    {
      g_autofree char *value = g_key_file_get_string (file, GROUP, identity[i].key, NULL);

      valid = valid && g_strcmp0 (value, identity[i].value) == 0;
    }
  clear_identity (identity);
  return valid;
}

/* The names of families, which are shown to the user; NULL if they are missing or cannot be names. */
static char **
read_names (GKeyFile *file, const char *key)
{
  g_auto (GStrv) names = g_key_file_get_string_list (file, GROUP, key, NULL, NULL);

  for (char **name = names; name && *name; name++)
    {
      gboolean good = **name != '\0';

      for (const char *at = *name; *at; at++)
        good = good && g_ascii_isprint (*at);
      if (!good)
        return NULL;
    }
  return g_steal_pointer (&names);
}

static gboolean
read_boolean (GKeyFile *file, const char *key, gboolean *value)
{
  g_autoptr (GError) error = NULL;

  *value = g_key_file_get_boolean (file, GROUP, key, &error);
  return error == NULL;
}

/* A time in seconds since 1970, or 0 if the key is missing. Returns FALSE if it is damaged. */
static gboolean
read_time (GKeyFile *file, const char *key, gint64 *time)
{
  g_autofree char *text = g_key_file_get_string (file, GROUP, key, NULL);

  *time = 0;
  return !text || g_ascii_string_to_signed (text, 10, 0, G_MAXUINT32, time, NULL);
}

static gboolean
read_number (GKeyFile *file, const char *key, guint *value)
{
  g_autofree char *text = g_key_file_get_string (file, GROUP, key, NULL);
  guint64 number = 0;

  if (!text || !g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &number, NULL))
    return FALSE;
  *value = (guint) number;
  return TRUE;
}

/* NULL if the file is damaged. */
static CapraCheckRecord *
read_record (GKeyFile *file)
{
  g_autoptr (CapraCheckRecord) record = g_new0 (CapraCheckRecord, 1);

  record->differ = read_names (file, "differ");
  record->failed = read_names (file, "failed");
  record->done = read_names (file, "done");
  record->running = read_names (file, "running");
  record->boot = g_key_file_get_string (file, GROUP, "boot", NULL);
  if (!record->differ || !record->failed || !record->done || !record->running || !record->boot
      || !read_boolean (file, "ended", &record->ended) || !read_boolean (file, "full", &record->full)
      || !read_boolean (file, "unreliable", &record->unreliable) || !read_number (file, "passed", &record->passed)
      || !read_number (file, "count", &record->count) || !g_key_file_has_key (file, GROUP, "time", NULL)
      || !read_time (file, "time", &record->time) || !read_time (file, "begun", &record->begun))
    return NULL;
  return g_steal_pointer (&record);
}

CapraCheckRecord *
capra_check_record_load (CapraDevice *device)
{
  const CapraFileRule rule = { geteuid (), FALSE, FALSE, S_IWGRP | S_IWOTH, MAX_BYTES };
  g_autofree char *path = NULL, *text = NULL;
  g_autoptr (GKeyFile) file = g_key_file_new ();
  gsize length = 0;

  g_return_val_if_fail (device, NULL);

  path = capra_check_record_path (device);
  text = capra_file_read (AT_FDCWD, path, &rule, &length, NULL);
  if (!text || length == 0 || !g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, NULL)
      || !is_valid_for (file, device))
    return NULL;
  return read_record (file);
}

void
capra_check_record_remove (CapraDevice *device)
{
  g_autofree char *path = capra_check_record_path (device);

  unlink (path);
}

static void
set_names (GKeyFile *file, const char *key, char **names)
{
  g_key_file_set_string_list (file, GROUP, key, (const char *const *) names, g_strv_length (names));
}

gboolean
capra_check_record_save (CapraDevice *device, const CapraCheckRecord *record, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (CapraCheckRecord) before = NULL;
  g_autofree char *path = NULL, *folder = NULL, *text = NULL;
  Identity identity;

  g_return_val_if_fail (device && record, FALSE);

  before = record->ended ? NULL : capra_check_record_load (device);
  if (before && before->ended)
    {
      before->begun = record->time;
      record = before;
    }

  path = capra_check_record_path (device);
  folder = g_path_get_dirname (path);
  get_identity (device, identity);
  for (guint i = 0; i < N_IDENTITY; i++)
    g_key_file_set_string (file, GROUP, identity[i].key, identity[i].value);
  clear_identity (identity);
  set_names (file, "differ", record->differ);
  set_names (file, "failed", record->failed);
  set_names (file, "done", record->done);
  set_names (file, "running", record->running);
  g_key_file_set_string (file, GROUP, "boot", record->boot);
  g_key_file_set_integer (file, GROUP, "passed", (int) record->passed);
  g_key_file_set_integer (file, GROUP, "count", (int) record->count);
  g_key_file_set_int64 (file, GROUP, "time", record->time);
  if (record->begun)
    g_key_file_set_int64 (file, GROUP, "begun", record->begun);
  g_key_file_set_boolean (file, GROUP, "full", record->full);
  g_key_file_set_boolean (file, GROUP, "unreliable", record->unreliable);
  /* Last, so that a file that was cut off cannot be read. */
  g_key_file_set_boolean (file, GROUP, "ended", record->ended);
  if (!capra_file_create_folder (folder))
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("cannot create the folder %s: %s"), folder,
                   g_strerror (errno));
      return FALSE;
    }
  text = g_key_file_to_data (file, NULL, NULL);
  return capra_write_private (path, text, error);
}
