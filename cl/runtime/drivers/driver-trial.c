/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver trial: runs `capra-probe` for each driver, reads its lines (see cl/probe.c), and ends it if it takes too long.
 * After a device that crashed it, the program is run again for the devices that follow. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2 beside gnu11 */
#endif
#include "runtime/drivers/driver-trial.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/drivers/driver-wait.h"
#include "runtime/drivers/driver-folder.h"
#include "runtime/base/helper.h"

/* Devices of a driver that may hang before the others are not tried. */
#define MAX_HANGS 2
/* A process that hangs in the kernel may not end when it is killed. */
#define MAX_END_TIME (5 * G_USEC_PER_SEC)
/* Seconds after the limit in which this process ends the program first. */
#define GRACE 5
/* Of the folders of trials; after this time in seconds none is in use. */
#define PREFIX "drivers-"
#define OLD (24 * 60 * 60)
/* The program never writes more text than this. */
#define MAX_TEXT 65536

/* The trial of a driver. */
typedef struct {
  CapraDriver *driver;
  char *folder; /* with the driver's ICD file, for compiled kernels */
  guint limit, hangs;
  pid_t process; /* 0: not running */
  int output;
  GString *text;
  char *platform, *step;    /* the latest ones; nullable */
  CapraTriedDevice *device; /* being tried */
  gint64 halfway, next;     /* when half of the time had passed, 0 before; when the next half has */
  CapraDriverWait wait;     /* halfway */
  gboolean moved;           /* it has written lines since then */
  gboolean complete;
} Trial;

/* Removes the folders of trials that were interrupted long ago. */
static void
remove_old_folders (const char *caches)
{
  g_autoptr (GDir) dir = g_dir_open (caches, 0, NULL);
  const char *name = NULL;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (caches, name, NULL);
      struct stat found = { 0 };

      if (g_str_has_prefix (name, PREFIX) && lstat (path, &found) == 0 && S_ISDIR (found.st_mode)
          && found.st_mtime < time (NULL) - OLD)
        capra_driver_trial_remove_folder (path);
    }
}

/* Creates an empty folder beside the verdicts, which only this user can access. NULL if that is not possible: the
 * verdicts could not be stored either, and each start would be late by the trials. */
static char *
make_folder (void)
{
  g_autofree char *caches = capra_driver_folder_dup ();
  g_autofree char *folder = caches ? g_build_filename (caches, PREFIX "XXXXXX", NULL) : NULL;

  if (caches)
    remove_old_folders (caches);
  if (folder && g_mkdtemp_full (folder, 0700))
    return g_steal_pointer (&folder);
  g_info ("drivers are not tried: cannot create a folder for that");
  return NULL;
}

static int
remove_one (const char *path, const struct stat *found, int flag, struct FTW *at)
{
  return remove (path);
}

void
capra_driver_trial_remove_folder (const char *folder)
{
  nftw (folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

gboolean
capra_driver_trial_write_icd (const char *folder, const char *library, guint number)
{
  g_autofree char *name = g_strdup_printf ("%02u.icd", number), *line = g_strconcat (library, "\n", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_set_contents_full (path, line, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}

char *
capra_driver_trial_dup_vendors (const char *folder)
{
  return g_strconcat (folder, "/", NULL);
}

static gint64
get_half (const Trial *trial)
{
  return (gint64) trial->limit * G_USEC_PER_SEC / 2;
}

static void
begin_time (Trial *trial)
{
  trial->halfway = 0;
  trial->next = g_get_monotonic_time () + get_half (trial);
}

/* Whether the process is ready to run all the time, and not between two pauses. */
static gboolean
is_runnable (pid_t process)
{
  for (guint i = 0; i < 10; i++)
    {
      if (!capra_driver_wait_read (process).runnable)
        return FALSE;
      g_usleep (5000);
    }
  return TRUE;
}

/* Why a trial did not end in time. The driver is at fault only if the second half of the time was spent in one call,
 * and the machine let it work for most of that: it did not wait for a processor, data came from no disk, and this
 * process was not stopped. */
static CapraTrialResult
judge (const Trial *trial)
{
  CapraDriverWait now = capra_driver_wait_read (trial->process), before = trial->wait;
  gint64 passed = g_get_monotonic_time () - trial->halfway, own = passed - (now.delay - before.delay);

  if (!trial->step || trial->moved || now.reads != before.reads || passed > 2 * get_half (trial))
    return CAPRA_TRIAL_UNFINISHED;
  if (is_runnable (trial->process)) /* its present wait is not in the delay */
    own = now.run - before.run;
  if (own < get_half (trial) / 2)
    return CAPRA_TRIAL_UNFINISHED;
  return before.blocked && now.blocked ? CAPRA_TRIAL_BLOCKED : CAPRA_TRIAL_HUNG;
}

/* Starts the program for the devices from @first on. */
static gboolean
start (Trial *trial, guint first)
{
  g_autofree char *from = g_strdup_printf ("%u", first), *seconds = g_strdup_printf ("%u", trial->limit + GRACE);
  char *arguments[] = { (char *) "capra-probe", trial->driver->file.library, from, seconds, NULL };
  g_autofree char *vendors = capra_driver_trial_dup_vendors (trial->folder);
  g_auto (GStrv) environment = g_get_environ ();
  CapraHelperSetup setup = { arguments, NULL, -1, -1, TRUE };
  int ends[2] = { -1, -1 };

  environment = g_environ_unsetenv (environment, "OCL_ICD_FILENAMES");
  environment = g_environ_setenv (environment, "OCL_ICD_VENDORS", vendors, TRUE);
  /* PoCL's own cache would be written while other processes read it. */
  environment = g_environ_setenv (environment, "POCL_CACHE_DIR", trial->folder, TRUE);
  if (pipe2 (ends, O_CLOEXEC) != 0)
    return FALSE;
  setup.environment = environment;
  setup.output = ends[1];
  trial->process = capra_helper_spawn (&setup);
  close (ends[1]);
  if (trial->process == 0)
    {
      close (ends[0]);
      return FALSE;
    }
  trial->output = ends[0];
  trial->device = NULL;
  trial->complete = FALSE;
  trial->moved = TRUE;
  g_string_truncate (trial->text, 0);
  g_clear_pointer (&trial->step, g_free);
  return TRUE;
}

/* What is being tried now: a device, or the driver. */
static CapraVerdict *
get_verdict (Trial *trial)
{
  return trial->device ? &trial->device->verdict : &trial->driver->verdict;
}

/* "CALL STATUS" */
static void
set_failure (CapraVerdict *verdict, const char *text)
{
  const char *space = strrchr (text, ' ');
  g_autofree char *call = space ? g_strndup (text, (gsize) (space - text)) : g_strdup (text);
  int status = space ? atoi (space + 1) : 0;
  /* CL_DEVICE_NOT_AVAILABLE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY */
  gboolean passes = status == -2 || (status <= -4 && status >= -6);

  capra_verdict_set (verdict, passes ? CAPRA_TRIAL_BUSY : CAPRA_TRIAL_FAILED, call, status);
}

static void
read_line (Trial *trial, const char *line)
{
  const char *text = line[0] && line[1] ? line + 2 : "";
  CapraDriver *driver = trial->driver;

  switch (line[0])
    {
    case 'L':
      g_free (driver->loaded);
      driver->loaded = g_strdup (text);
      break;
    case 'P':
      g_free (trial->platform);
      trial->platform = g_strdup (text);
      break;
    case 'S':
      g_free (trial->step);
      trial->step = g_strdup (text);
      break;
    case 'D':
      trial->device = capra_driver_add_device (
        driver, trial->platform, strchr (text, ' ') ? strchr (text, ' ') + 1 : "", (guint) strtoul (text, NULL, 10));
      break;
    case '+':
      capra_verdict_set (get_verdict (trial), CAPRA_TRIAL_WORKS, NULL, 0);
      trial->device = NULL;
      break;
    case '-': set_failure (get_verdict (trial), text); break;
    case '!': capra_verdict_set (get_verdict (trial), CAPRA_TRIAL_INVALID, text, 0); break;
    case 'M': capra_verdict_set (&driver->verdict, CAPRA_TRIAL_MISSING, text, 0); break;
    case '.': trial->complete = TRUE; break;
    default: break;
    }
  if (line[0] == '-' || line[0] == '!')
    trial->device = NULL;
}

/* Returns FALSE if the process has nothing more to write. */
static gboolean
read_output (Trial *trial)
{
  char bytes[1024];
  gssize n = read (trial->output, bytes, sizeof bytes);

  if (n < 0 && errno == EINTR)
    return TRUE;
  if (n <= 0 || trial->text->len > MAX_TEXT)
    return FALSE;
  g_string_append_len (trial->text, bytes, n);
  for (char *end = NULL; (end = memchr (trial->text->str, '\n', trial->text->len));
       g_string_erase (trial->text, 0, end - trial->text->str + 1))
    {
      g_autofree char *line = g_utf8_make_valid (trial->text->str, end - trial->text->str);

      read_line (trial, line);
    }
  trial->moved = TRUE;
  return !trial->complete;
}

/* Ends the process, and those that it started. Returns its status, 0 if that is unknown: the host ignores SIGCHLD, or
 * the process hangs in the kernel, and remains. */
static int
end_process (Trial *trial)
{
  gint64 end = g_get_monotonic_time () + MAX_END_TIME;
  int status = 0;
  pid_t ended = 0;

  kill (-trial->process, SIGKILL);
  for (gulong pause = 100; (ended = waitpid (trial->process, &status, WNOHANG)) == 0 && g_get_monotonic_time () < end;
       pause = MIN (2 * pause, 20000))
    g_usleep (pause);
  close (trial->output);
  trial->process = 0;
  return ended > 0 ? status : 0;
}

/* Whether @status is that of a process that ended for another reason than its own fault: a lack of memory, the end of
 * the session, or its own alarm, which comes first if this process did not run for long. */
static gboolean
was_ended (int status)
{
  static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS };

  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    if (WIFSIGNALED (status) && WTERMSIG (status) == faults[i])
      return FALSE;
  return WIFSIGNALED (status);
}

/* The program ended before it was complete, or is late, for the reason @result. Tries the devices that follow the one
 * at fault. */
static void
finish_broken (Trial *trial, CapraTrialResult result)
{
  int status = end_process (trial), code = (int) trial->limit;
  gboolean device = trial->device != NULL, crashed = result == CAPRA_TRIAL_CRASHED;

  if (crashed)
    code = WIFSIGNALED (status) ? WTERMSIG (status) : 0;
  /* Before the first call, the program itself did not start. */
  if (crashed && (!trial->step || was_ended (status) || !capra_driver_folder_has_space (trial->folder)))
    result = CAPRA_TRIAL_UNFINISHED;
  capra_verdict_set (get_verdict (trial), result, trial->step ? trial->step : "capra-probe", code);
  if (!device || result == CAPRA_TRIAL_UNFINISHED)
    return;
  if (!crashed)
    {
      if (++trial->hangs == MAX_HANGS)
        return;
      begin_time (trial);
    }
  start (trial, trial->driver->devices->len);
}

/* The verdict on the driver, from those on its devices: that of the first one, unless another one works. */
static void
conclude (CapraDriver *driver)
{
  const CapraVerdict *first = NULL;

  if (driver->verdict.result != CAPRA_TRIAL_NONE)
    return;
  for (guint i = 0; i < driver->devices->len; i++)
    {
      const CapraVerdict *verdict = &g_array_index (driver->devices, CapraTriedDevice, i).verdict;

      if (!first || (capra_verdict_is_refusal (first) && !capra_verdict_is_refusal (verdict)))
        first = verdict;
    }
  if (!first)
    capra_verdict_set (&driver->verdict, CAPRA_TRIAL_EMPTY, NULL, 0);
  else if (capra_verdict_is_refusal (first))
    capra_verdict_set (&driver->verdict, first->result, first->what, first->code);
  else
    capra_verdict_set (&driver->verdict, CAPRA_TRIAL_WORKS, NULL, 0);
}

/* Reads what a program wrote, if @ready. Looks at a program that has taken half of its time, or all of it. */
static void
advance (Trial *trial, gboolean ready)
{
  if (ready && !read_output (trial))
    {
      if (trial->complete)
        end_process (trial);
      else
        finish_broken (trial, CAPRA_TRIAL_CRASHED);
      return;
    }
  if (g_get_monotonic_time () < trial->next)
    return;
  if (trial->halfway > 0)
    {
      finish_broken (trial, judge (trial));
      return;
    }
  trial->wait = capra_driver_wait_read (trial->process);
  trial->moved = FALSE;
  trial->halfway = g_get_monotonic_time ();
  trial->next = trial->halfway + get_half (trial);
}

/* Waits for output of any program, or until it is time to look at one. */
static void
wait_for_output (GArray *trials)
{
  g_autofree struct pollfd *events = g_new0 (struct pollfd, trials->len);
  gint64 end = G_MAXINT64, now = g_get_monotonic_time ();

  for (guint i = 0; i < trials->len; i++)
    {
      const Trial *trial = &g_array_index (trials, Trial, i);

      events[i] = (struct pollfd){ .fd = trial->process ? trial->output : -1, .events = POLLIN };
      end = trial->process ? MIN (end, trial->next) : end;
    }
  if (poll (events, trials->len, (int) (MAX (end - now, 0) / 1000 + 1)) < 0)
    return;
  for (guint i = 0; i < trials->len; i++)
    if (g_array_index (trials, Trial, i).process)
      advance (&g_array_index (trials, Trial, i), events[i].revents != 0);
}

static gboolean
is_running (GArray *trials)
{
  for (guint i = 0; i < trials->len; i++)
    if (g_array_index (trials, Trial, i).process)
      return TRUE;
  return FALSE;
}

static void
trial_clear (Trial *trial)
{
  g_string_free (trial->text, TRUE);
  g_free (trial->folder);
  g_free (trial->platform);
  g_free (trial->step);
}

/* Adds a trial of @driver, and starts it. */
static void
add_trial (GArray *trials, CapraDriver *driver, const char *folder, guint index, guint limit)
{
  g_autofree char *number = g_strdup_printf ("%u", index);
  Trial trial = { .driver = driver, .limit = limit, .text = g_string_new (NULL) };

  trial.folder = g_build_filename (folder, number, NULL);
  if (g_mkdir (trial.folder, 0700) == 0 && capra_driver_trial_write_icd (trial.folder, driver->file.library, 0)
      && start (&trial, 0))
    {
      begin_time (&trial);
      g_array_append_val (trials, trial);
    }
  else
    trial_clear (&trial);
}

void
capra_driver_trial_run (const GPtrArray *drivers, guint limit)
{
  g_autoptr (GArray) trials = g_array_new (FALSE, FALSE, sizeof (Trial));
  g_autofree char *folder = make_folder ();

  if (!folder)
    return;
  g_array_set_clear_func (trials, (GDestroyNotify) trial_clear);
  for (guint i = 0; i < drivers->len; i++)
    add_trial (trials, drivers->pdata[i], folder, i, limit);
  while (is_running (trials))
    wait_for_output (trials);
  for (guint i = 0; i < trials->len; i++)
    conclude (g_array_index (trials, Trial, i).driver);
  capra_driver_trial_remove_folder (folder);
}
