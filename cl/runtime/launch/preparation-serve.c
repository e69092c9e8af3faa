/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Preparation, the side of capra-prepare: builds kernels for the process at the other end of its standard input. When
 * that process ends, it finishes the current program and ends, too. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* POLLRDHUP beside gnu11 */
#endif
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/file.h"
#include "runtime/launch/preparation-serve.h"
#include "runtime/launch/preparation-private.h"
#include "runtime/launch/program-build.h"

#define POLL_MICROSECONDS 100000

/* Whether the other process has ended. */
static gboolean
is_alone (void)
{
  struct pollfd event = { .fd = STDIN_FILENO, .events = POLLRDHUP };

  return poll (&event, 1, 0) > 0;
}

static int
remove_one (const char *path, const struct stat *found, int flag, struct FTW *at)
{
  return remove (path);
}

/* Waits until no other process builds: several hosts mostly request the same programs. Then @folder belongs to this
 * one. */
static gboolean
wait_for_turn (const char *folder)
{
  g_autofree char *path = g_strconcat (folder, ".lock", NULL), *above = g_path_get_dirname (folder);
  struct stat found = { 0 };
  int fd = -1;

  /* Files of root in a user's folder would be an obstacle to that user's process. */
  if (!capra_file_create_folder (above) || stat (above, &found) != 0 || found.st_uid != geteuid ())
    return FALSE;
  fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  while (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) != 0)
    {
      if (is_alone ())
        return FALSE;
      g_usleep (POLL_MICROSECONDS);
    }
  nftw (folder, remove_one, 16, FTW_DEPTH | FTW_PHYS); /* left by a process that was killed */
  return fd >= 0 && g_mkdir_with_parents (folder, 0700) == 0;
}

static gboolean
prepare (const char *line)
{
  g_auto (GStrv) fields = g_strsplit (line, "\t", -1);
  const GPtrArray *devices = capra_device_list (NULL);
  guint64 index = 0;
  CapraContext *context = NULL;
  g_autoptr (GError) error = NULL;

  if (!devices || g_strv_length (fields) != CAPRA_PREPARATION_FIELDS
      || !g_ascii_string_to_unsigned (fields[0], 10, 0, devices->len - 1, &index, NULL))
    return FALSE;
  context = capra_context_get (g_ptr_array_index (devices, index), &error);
  return context && capra_program_prepare (context, fields[1], fields[2], fields[3], &error);
}

int
capra_preparation_serve (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "capra", "prepare", NULL);
  g_autofree char *line = NULL;
  size_t room = 0;
  gssize length = 0;

  if (fork () != 0)
    _exit (0); /* the child of the host ends at once */
  setsid ();
  if (nice (19) == -1)
    g_debug ("cannot lower the priority");
  g_setenv ("CAPRA_MONITOR", "off", TRUE);
  g_setenv ("CAPRA_CHECK", "off", TRUE);
  if (!wait_for_turn (folder))
    return 0;
  /* PoCL writes the files of its cache in place: a process that reads one meanwhile crashes, or uses half of it. */
  g_setenv ("POCL_CACHE_DIR", folder, TRUE);
  while (!is_alone () && (length = getline (&line, &room, stdin)) > 0)
    {
      g_autofree char *answer = NULL;

      line[length - 1] = '\0';
      answer = g_strconcat (prepare (line) ? "+" : "-", line, "\n", NULL);
      if (send (STDIN_FILENO, answer, strlen (answer), MSG_NOSIGNAL) < 0)
        break;
    }
  nftw (folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  return 0;
}
