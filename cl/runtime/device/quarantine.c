/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Quarantine: a folder for each machine, device, driver and version of the kernels in the user's cache folder. Kernels
 * that ran have a file in its folder `ran`, those in their first use one in `first`, with the process and the number of
 * processes that ended before in it, and variants that failed a check one in `wrong`, with the family. */
#include "runtime/device/quarantine.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/file.h"
#include "runtime/base/fork.h"
#include "runtime/device/quarantine-use.h"
#include "runtime/base/resource.h"
#include "runtime/base/settings.h"
#include "runtime/base/write-text.h"

#define MAX_BYTES 256
/* The processes that end in the first use of a kernel before it is set aside: one may have been ended by its user. */
#define MIN_ENDS 2
/* How long it is set aside then, in seconds; twice as long after each further process. */
#define FIRST_AGE (60 * 60)
#define MAX_AGE (7 * 24 * 60 * 60)
#define MAX_DOUBLINGS 16

/* The setting `quarantine`. */
typedef enum {
  MODE_ON,
  MODE_READ, /* no markers are written: for processes that are ended on purpose */
  MODE_OFF,
} Mode;

/* The contents of a file in `first`. */
typedef struct {
  int process;
  guint64 started; /* the process: what the kernel counts */
  guint ends;      /* of processes in their first use, before this one */
  gint64 time;     /* of the marker, in seconds since 1970 */
} Marker;

/* What a process knows about a device. */
typedef struct {
  Mode mode;
  char *folder;
  GPtrArray *list; /* of CapraQuarantined, when this was read */
  GHashTable *ran; /* a set of the names of kernels that had run then */
} Quarantine;

static GMutex lock;
static GHashTable *quarantines; /* CapraDevice -> Quarantine; under the lock, and never freed */
static GHashTable *own;         /* a set of the paths of the markers of this process; under the lock */

static Mode
get_mode (void)
{
  g_autofree char *setting = capra_settings_get ("quarantine");

  return g_strcmp0 (setting, "off") == 0 ? MODE_OFF : g_strcmp0 (setting, "read") == 0 ? MODE_READ : MODE_ON;
}

static char *
dup_folder (CapraDevice *device)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  /* Machines of a cluster may share the cache folder, but cannot see each other's processes. */
  g_autofree char *identity = g_strjoin ("\n", g_get_host_name (), info->id, info->driver, info->version, CAPRA_VERSION,
                                         capra_resource_sum_kernels (), NULL);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, identity, -1);
  g_autofree char *name = g_strndup (sum, 32);

  return g_build_filename (g_get_user_cache_dir (), "capra", "quarantine", name, NULL);
}

static char *
dup_name (const CapraQuarantineKernel *kernel)
{
  return g_strdup_printf ("%s.%s-%08x", kernel->file, kernel->name, g_str_hash (kernel->options));
}

/* When a process started, in the kernel's units; 0 if it has ended. */
static guint64
get_start (int process)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", process), *text = NULL;
  const char *end = g_file_get_contents (path, &text, NULL, NULL) ? strrchr (text, ')') : NULL;
  guint64 started = 0;

  /* After the name in parentheses: state, eighteen numbers, the time. */
  if (end
      && sscanf (end + 1,
                 " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %" G_GUINT64_FORMAT,
                 &started)
           != 1)
    started = 0;
  return started;
}

/* (transfer full): the text of a file of this user alone; NULL if there is none. */
static char *
read_file (const char *folder, const char *name)
{
  const CapraFileRule rule = { geteuid (), FALSE, FALSE, S_IWGRP | S_IWOTH, MAX_BYTES };
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gsize length = 0;

  return capra_file_read (AT_FDCWD, path, &rule, &length, NULL);
}

/* FALSE if the marker does not exist, or is damaged. */
static gboolean
read_marker (const char *folder, const char *name, Marker *marker)
{
  g_autofree char *text = read_file (folder, name);

  return text
         && sscanf (text, "%d %" G_GUINT64_FORMAT " %u %" G_GINT64_FORMAT, &marker->process, &marker->started,
                    &marker->ends, &marker->time)
              == 4;
}

static gint64
get_now (void)
{
  return g_get_real_time () / G_USEC_PER_SEC;
}

static gboolean
is_alive (const Marker *marker)
{
  return get_start (marker->process) == marker->started;
}

/* Until when the kernel of a marker is set aside; 0 if it is not. */
static gint64
get_until (const Marker *marker)
{
  guint doublings = marker->ends + 1 < MIN_ENDS ? 0 : MIN (marker->ends + 1 - MIN_ENDS, MAX_DOUBLINGS);
  gint64 until = marker->time + MIN ((gint64) FIRST_AGE << doublings, MAX_AGE);

  if (marker->ends + 1 < MIN_ENDS || marker->time > get_now () || get_now () >= until || is_alive (marker))
    return 0;
  return until;
}

static void
quarantined_free (CapraQuarantined *quarantined)
{
  g_free (quarantined->name);
  g_free (quarantined->family);
  g_free (quarantined);
}

static void
add (GPtrArray *list, const char *name, char *family, gint64 until)
{
  CapraQuarantined *quarantined = g_new (CapraQuarantined, 1);

  *quarantined = (CapraQuarantined){ g_strdup (name), family, until };
  g_ptr_array_add (list, quarantined);
}

/* The names of the files in a folder. */
static GPtrArray *
list_files (const char *folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = NULL;

  while (dir && (name = g_dir_read_name (dir)))
    g_ptr_array_add (names, g_strdup (name));
  return names;
}

static GPtrArray *
read_list (const char *folder)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) quarantined_free);
  g_autofree char *first = g_build_filename (folder, "first", NULL), *wrong = g_build_filename (folder, "wrong", NULL);
  g_autoptr (GPtrArray) kernels = list_files (first), variants = list_files (wrong);

  for (guint i = 0; i < kernels->len; i++)
    {
      Marker marker = { 0 };
      gint64 until = read_marker (first, kernels->pdata[i], &marker) ? get_until (&marker) : 0;

      if (until > 0)
        add (list, kernels->pdata[i], NULL, until);
    }
  for (guint i = 0; i < variants->len; i++)
    {
      char *family = read_file (wrong, variants->pdata[i]);

      if (family)
        add (list, variants->pdata[i], g_strstrip (family), 0);
    }
  return list;
}

GPtrArray *
capra_quarantine_list (CapraDevice *device)
{
  g_autofree char *folder = dup_folder (device);

  return get_mode () == MODE_OFF ? g_ptr_array_new () : read_list (folder);
}

char *
capra_quarantined_describe (const CapraQuarantined *quarantined)
{
  g_autoptr (GDateTime) until = g_date_time_new_from_unix_local (quarantined->until);
  g_autofree char *date = until ? g_date_time_format (until, "%Y-%m-%d %H:%M") : NULL;

  if (quarantined->family)
    /* Translators: "taps.variant=group", a family of kernels. "capra devices --lift" is a command. */
    return g_strdup_printf (_ ("the variant %s is not used: with it, the check of %s failed; \"capra devices --lift\" "
                               "allows it again"),
                            quarantined->name, quarantined->family);
  /* Translators: a kernel, a date. */
  return g_strdup_printf (_ ("the kernel %s is not used until %s: two programs ended when they used it for the first "
                             "time; \"capra devices --lift\" allows it again"),
                          quarantined->name, date ? date : "");
}

static gboolean
fail (const char *format, const char *path, GError **error)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), format, path, g_strerror (errno));
  return FALSE;
}

gboolean
capra_quarantine_add (CapraDevice *device, const char *variant, const char *family, GError **error)
{
  g_autofree char *folder = dup_folder (device), *wrong = g_build_filename (folder, "wrong", NULL);
  g_autofree char *path = g_build_filename (wrong, variant, NULL);

  g_return_val_if_fail (!strchr (variant, '/'), FALSE);

  if (!capra_file_create_folder (wrong))
    return fail (_ ("cannot create the folder %s: %s"), wrong, error);
  return capra_write_private (path, family, error);
}

gboolean
capra_quarantine_lift (CapraDevice *device, GError **error)
{
  static const char *const parts[] = { "first", "wrong" };
  g_autofree char *folder = dup_folder (device);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *part = g_build_filename (folder, parts[i], NULL);
      g_autoptr (GPtrArray) names = list_files (part);

      for (guint n = 0; n < names->len; n++)
        {
          g_autofree char *path = g_build_filename (part, names->pdata[n], NULL);
          Marker marker = { 0 };

          if (i == 0 && read_marker (part, names->pdata[n], &marker) && is_alive (&marker))
            continue;
          if (g_unlink (path) != 0 && errno != ENOENT)
            return fail (_ ("cannot remove %s: %s"), path, error);
        }
    }
  return TRUE;
}

static Quarantine *
read_quarantine (CapraDevice *device)
{
  Quarantine *quarantine = g_new0 (Quarantine, 1);
  g_autofree char *ran = NULL;
  g_autoptr (GPtrArray) names = NULL;

  quarantine->mode = get_mode ();
  quarantine->folder = dup_folder (device);
  quarantine->list = capra_quarantine_list (device);
  quarantine->ran = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  ran = g_build_filename (quarantine->folder, "ran", NULL);
  names = quarantine->mode == MODE_ON ? list_files (ran) : g_ptr_array_new ();
  for (guint i = 0; i < names->len; i++)
    g_hash_table_add (quarantine->ran, g_strdup (names->pdata[i]));
  return quarantine;
}

static void
free_quarantine (Quarantine *quarantine)
{
  g_free (quarantine->folder);
  g_ptr_array_unref (quarantine->list);
  g_hash_table_unref (quarantine->ran);
  g_free (quarantine);
}

/* What was known when this process first asked. */
static const Quarantine *
get (CapraDevice *device)
{
  Quarantine *found = NULL, *read = NULL;

  capra_fork_lock (&lock);
  found = quarantines ? g_hash_table_lookup (quarantines, device) : NULL;
  g_mutex_unlock (&lock);
  if (found)
    return found;
  read = read_quarantine (device); /* without the lock, as settings may write to the log */
  capra_fork_lock (&lock);
  if (!quarantines)
    quarantines = g_hash_table_new (NULL, NULL);
  found = g_hash_table_lookup (quarantines, device);
  if (!found)
    {
      g_hash_table_insert (quarantines, device, read);
      found = g_steal_pointer (&read);
    }
  g_mutex_unlock (&lock);
  g_clear_pointer (&read, free_quarantine); /* another thread was first */
  return found;
}

void
capra_quarantine_report (CapraDevice *device)
{
  const GPtrArray *list = get (device)->list;

  for (guint i = 0; i < list->len; i++)
    {
      g_autofree char *text = capra_quarantined_describe (list->pdata[i]);

      g_message ("%s: %s", capra_device_get_info (device)->name, text);
    }
}

gboolean
capra_quarantine_is_used (CapraDevice *device)
{
  return get (device)->list->len > 0;
}

/* Whether a kernel is one of a file that matches one of @patterns. */
static gboolean
is_of (const char *kernel, const char *const *patterns)
{
  for (; patterns && *patterns; patterns++)
    {
      g_autofree char *pattern = g_strconcat (*patterns, ".*", NULL);

      if (g_pattern_match_simple (pattern, kernel))
        return TRUE;
    }
  return FALSE;
}

gboolean
capra_quarantine_has (CapraDevice *device, const char *variant, const char *const *patterns)
{
  const GPtrArray *list = get (device)->list;

  for (guint i = 0; i < list->len; i++)
    {
      const CapraQuarantined *quarantined = list->pdata[i];

      if (quarantined->family ? g_str_equal (quarantined->name, variant) : is_of (quarantined->name, patterns))
        return TRUE;
    }
  return FALSE;
}

/* A process that ends by itself, while a thread uses kernels for the first time, was not ended by them. */
static void
remove_own (void)
{
  GHashTableIter iter;
  gpointer path = NULL;

  if (capra_fork_is_child ())
    return;
  capra_fork_lock (&lock);
  g_hash_table_iter_init (&iter, own);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    unlink (path);
  g_hash_table_remove_all (own);
  g_mutex_unlock (&lock);
}

static gboolean
mark (const char *folder, const char *path, guint ends)
{
  g_autofree char *first = g_build_filename (folder, "first", NULL), *ran = g_build_filename (folder, "ran", NULL);
  g_autofree char *text = g_strdup_printf ("%d %" G_GUINT64_FORMAT " %u %" G_GINT64_FORMAT "\n", (int) getpid (),
                                           get_start (getpid ()), ends, get_now ());

  if (!capra_file_create_folder (first) || !capra_file_create_folder (ran)
      || !g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL))
    return FALSE;
  capra_fork_lock (&lock);
  if (!own)
    {
      own = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      atexit (remove_own);
    }
  g_hash_table_add (own, g_strdup (path));
  g_mutex_unlock (&lock);
  return TRUE;
}

/* Whether the list names this kernel. */
static gboolean
is_listed (const Quarantine *quarantine, const char *name)
{
  for (guint i = 0; i < quarantine->list->len; i++)
    if (g_str_equal (((const CapraQuarantined *) quarantine->list->pdata[i])->name, name))
      return TRUE;
  return FALSE;
}

CapraUse
capra_quarantine_begin (CapraDevice *device, const CapraQuarantineKernel *kernel)
{
  const Quarantine *quarantine = get (device);
  g_autofree char *name = dup_name (kernel), *first = NULL, *path = NULL;
  gboolean marked = FALSE;
  Marker marker = { 0 };

  if (is_listed (quarantine, name))
    return CAPRA_USE_REFUSED;
  if (quarantine->mode != MODE_ON || g_hash_table_contains (quarantine->ran, name))
    return CAPRA_USE_KNOWN;
  first = g_build_filename (quarantine->folder, "first", NULL);
  path = g_build_filename (first, name, NULL);
  marked = read_marker (first, name, &marker);
  if (marked && is_alive (&marker)) /* another process uses it for the first time, too */
    return CAPRA_USE_KNOWN;
  if (marked && get_until (&marker) > 0)
    return CAPRA_USE_REFUSED;
  return mark (quarantine->folder, path, marked ? marker.ends + 1 : 0) ? CAPRA_USE_FIRST : CAPRA_USE_KNOWN;
}

void
capra_quarantine_end (CapraDevice *device, const CapraQuarantineKernel *kernel, gboolean ran)
{
  const Quarantine *quarantine = get (device);
  g_autofree char *name = dup_name (kernel);
  g_autofree char *from = g_build_filename (quarantine->folder, "first", name, NULL);
  g_autofree char *to = g_build_filename (quarantine->folder, "ran", name, NULL);

  if (!ran || rename (from, to) != 0)
    unlink (from);
  capra_fork_lock (&lock);
  g_hash_table_remove (own, from);
  g_mutex_unlock (&lock);
}
