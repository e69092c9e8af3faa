/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Background: the quick form, at the lowest priority, while the machine is idle. The record of each family is kept, so
 * that the next process continues with the next family. After the other process has ended, no family begins but the
 * first: programs that run for a short time only get their devices checked, too. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* POLLRDHUP and SCHED_IDLE beside gnu11 */
#endif
#include "ui/cli/check/check-background.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui/cli/check/check-idle.h"
#include "ui/cli/check/check-set-aside.h"
#include "ui/cli/check/check-worker.h"
#include "ui/cli/remove-folder.h"

#define FIRST_LINE_MILLISECONDS 10000
/* Seconds to wait for an idle machine after the other process has ended. */
#define MAX_ALONE 10
/* Seconds of a busy machine after which a family is given up, if the other process has ended. */
#define MAX_LOST 60
/* How often the system may be started again while a family runs. Once, its user may have switched it off. */
#define MAX_STRIKES 2
/* Bytes that the disk must have left for kernels, for a failure to count. */
#define ROOM (4 << 20)

/* The check of a device. */
typedef struct {
  CapraDevice *device;
  CheckWorker *worker;
  CapraCheckRecord *record;
  guint limit;
} Background;

static volatile sig_atomic_t terminated;
static gboolean at_once; /* also on a busy machine, and at the usual priority */
static gboolean given_up;
static guint lost;

static void
on_signal (int number)
{
  terminated = TRUE;
}

/* Whether the other process has ended. */
static gboolean
is_alone (void)
{
  struct pollfd event = { .fd = STDIN_FILENO, .events = POLLRDHUP };

  return poll (&event, 1, 0) > 0;
}

static CheckSecond
on_second (void)
{
  gboolean counted = at_once || check_idle ();

  lost += !counted && is_alone ();
  given_up = terminated || lost >= MAX_LOST;
  return given_up ? CHECK_SECOND_LAST : counted ? CHECK_SECOND_COUNTED : CHECK_SECOND_IGNORED;
}

/* FALSE if no family is to begin. While one runs, the card is not idle. */
static gboolean
wait_until_idle (const Background *check)
{
  const char *id = capra_device_get_info (check->device)->id;
  guint alone = 0;

  while (!terminated && !at_once && !(check_idle () && check_idle_card (id)))
    {
      check_worker_stop (check->worker); /* it would run the next family */
      alone += is_alone ();
      if (alone > MAX_ALONE)
        return FALSE;
      g_usleep (G_USEC_PER_SEC);
    }
  return !terminated;
}

static void
append (char ***names, const char *name)
{
  guint n = g_strv_length (*names);

  *names = g_renew (char *, *names, n + 2);
  (*names)[n] = g_strdup (name);
  (*names)[n + 1] = NULL;
}

static void
clear (char ***names)
{
  g_strfreev (*names);
  *names = g_new0 (char *, 1);
}

/* Whether the device has a verdict, from another program or from before. */
static gboolean
is_decided (CapraDevice *device)
{
  g_autoptr (CapraCheckRecord) record = capra_check_record_load (device);

  return record && record->ended;
}

/* FALSE if it cannot be kept, or is not needed. */
static gboolean
save (const Background *check)
{
  if (is_decided (check->device))
    return FALSE;
  check->record->time = g_get_real_time () / G_USEC_PER_SEC;
  return capra_check_record_save (check->device, check->record, NULL);
}

/* Adds the verdict on a family to the record. */
static gboolean
keep (const Background *check, const CheckFamily *family, CheckVerdict verdict)
{
  CapraCheckRecord *record = check->record;

  record->passed += verdict == CHECK_PASSED;
  record->unreliable |= family->basic && (verdict == CHECK_DIFFERS || verdict == CHECK_FAILED);
  if (verdict == CHECK_DIFFERS)
    append (&record->differ, family->name);
  if (verdict == CHECK_FAILED)
    append (&record->failed, family->name);
  append (&record->done, family->name);
  clear (&record->running);
  return save (check);
}

/* Names the start of the system; empty if that is not known. */
static char *
read_boot (void)
{
  char *boot = NULL;

  if (!g_file_get_contents ("/proc/sys/kernel/random/boot_id", &boot, NULL, NULL))
    return g_strdup ("");
  return g_strstrip (boot);
}

/* Adds a family to those that run. Returns FALSE if the system stopped too often during it. Kernels run in a process of
 * their own: that this one was ended meanwhile, by its user or for want of memory, says nothing about the device. A
 * driver may stop the whole system, which is then started again. */
static gboolean
begin (CapraCheckRecord *record, const char *family)
{
  g_autofree char *boot = read_boot ();
  gboolean again = *record->running && *boot && g_str_equal (record->boot, boot);
  guint strikes = g_strv_length (record->running) - again;

  if (strikes >= MAX_STRIKES)
    return FALSE;
  if (!again)
    append (&record->running, family);
  g_free (record->boot);
  record->boot = g_steal_pointer (&boot);
  return TRUE;
}

/* Whether the check still has what it needs beside the device: an update may have removed the program, and the user the
 * cache, or the disk may be full. A failure then says nothing about the device. */
static gboolean
has_its_files (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL); /* with " (deleted)" if it was removed */
  g_autofree char *path = g_build_filename (g_getenv ("POCL_CACHE_DIR"), "room", NULL);
  g_autofree char *room = g_malloc0 (ROOM);
  gboolean complete = (!program || g_file_test (program, G_FILE_TEST_EXISTS))
                      && g_file_set_contents (path, room, ROOM, NULL);

  g_unlink (path);
  return complete;
}

/* Runs a job, and keeps its verdict. FALSE if it has none. */
static gboolean
run (const Background *check, const CheckJob *job, guint number)
{
  CapraCheckRecord *record = check->record;
  CheckResult result = { NULL };
  gboolean kept = FALSE, is_bad = FALSE;

  if (*record->running && !g_str_equal (*record->running, job->family->name))
    clear (&record->running);
  if (!begin (record, job->family->name))
    return keep (check, job->family, CHECK_FAILED);
  lost = 0;
  given_up = FALSE;
  if (!save (check))
    return FALSE;
  if (!check_worker_run (check->worker, job, number, &result))
    {
      if (given_up || terminated || result.cases == 0) /* no kernel ran */
        clear (&record->running);
      save (check);
      return FALSE;
    }
  is_bad = result.verdict == CHECK_DIFFERS || result.verdict == CHECK_FAILED;
  if (is_bad && !has_its_files ())
    {
      g_free (result.message);
      clear (&record->running);
      save (check);
      return FALSE;
    }
  if (is_bad)
    check_set_aside (check->device, NULL, FALSE, check->limit, job, number, &result);
  kept = keep (check, job->family, result.verdict);
  g_free (result.message);
  return kept;
}

static void
run_jobs (const Background *check, const GArray *jobs)
{
  gboolean begun = FALSE;

  for (guint i = 0; i < jobs->len; i++)
    {
      const CheckJob *job = &g_array_index (jobs, CheckJob, i);

      if (g_strv_contains ((const char *const *) check->record->done, job->family->name))
        {
          check_worker_stop (check->worker);
          continue;
        }
      if ((begun && is_alone ()) || !wait_until_idle (check) || !run (check, job, i))
        return;
      begun = TRUE;
    }
  check->record->ended = TRUE;
  clear (&check->record->done);
  save (check);
}

static void
check_device (const char *id, guint limit)
{
  CapraDevice *device = capra_device_select (id, NULL);
  g_autoptr (CapraCheckRecord) record = device ? capra_check_record_load (device) : NULL;
  g_autoptr (CheckWorker) worker = NULL;
  g_autoptr (GArray) jobs = NULL;

  if (!device || (record && record->ended))
    return;
  if (!record)
    record = capra_check_record_new (FALSE);
  worker = check_worker_new (device, NULL, FALSE, limit);
  check_worker_set_second (worker, on_second);
  jobs = check_jobs_list (NULL, FALSE);
  record->count = jobs->len;
  run_jobs (&(Background){ device, worker, record, limit }, jobs);
}

/* FALSE if the priority cannot be lowered. Linux may share the time between sessions before it looks at the priorities
 * of their processes: then the session has one, too. */
static gboolean
take_lowest_priority (void)
{
  const struct sched_param lowest = { 0 };
  gboolean lowered = nice (19) != -1 && sched_setscheduler (0, SCHED_IDLE, &lowest) == 0;
  int session = open ("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);

  if (session >= 0)
    {
      lowered = write (session, "19", 2) == 2 && lowered;
      close (session);
    }
  return lowered;
}

/* Leaves the group of the other process, and takes no time that another process could use, unless the check is wanted
 * at once. */
static void
move_to_background (void)
{
  const struct sigaction action = { .sa_handler = on_signal };

  setsid ();
  if (!at_once && !take_lowest_priority ())
    g_debug ("cannot lower the priority");
  sigaction (SIGTERM, &action, NULL);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGHUP, &action, NULL);
}

/* FALSE if another process checks a device for this user, or if this is root in the folder of another user. The lock
 * ends with the process, whose number is in the file. */
static gboolean
take_lock (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "background.lock", NULL);
  struct stat found = { 0 };
  int fd = -1;

  if (stat (folder, &found) != 0 || found.st_uid != geteuid ())
    return FALSE;
  fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  return fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0 && ftruncate (fd, 0) == 0 && dprintf (fd, "%d\n", getpid ()) > 0;
}

static void
check_devices (guint limit)
{
  struct pollfd event = { .fd = STDIN_FILENO, .events = POLLIN };
  g_autofree char *line = NULL;
  size_t room = 0;
  gssize length = 0;

  /* No further line now: the other process starts another program when it uses another device. */
  poll (&event, 1, FIRST_LINE_MILLISECONDS);
  fcntl (STDIN_FILENO, F_SETFL, O_NONBLOCK);
  while (!terminated && (length = getline (&line, &room, stdin)) > 0)
    {
      line[length - 1] = '\0';
      check_device (line, limit);
    }
}

int
check_background (guint limit)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "capra", "checks", NULL);
  g_autofree char *kernels = g_build_filename (folder, "kernels", NULL);
  g_autofree char *setting = capra_settings_get_common ("check");

  if (fork () != 0)
    _exit (0); /* the child of the other process ends at once */
  at_once = g_strcmp0 (setting, "now") == 0;
  move_to_background ();
  if (!take_lock (folder))
    return 0;
  g_setenv ("CAPRA_MONITOR", "off", TRUE);
  g_unsetenv ("CAPRA_TIMINGS"); /* the file of the other process */
  /* PoCL writes the files of its cache in place: a process that reads one meanwhile crashes, or uses half of it. */
  g_setenv ("POCL_CACHE_DIR", kernels, TRUE);
  remove_folder (kernels); /* left by a process that was killed */
  if (g_mkdir (kernels, 0700) == 0)
    check_devices (limit);
  remove_folder (kernels);
  return 0;
}
