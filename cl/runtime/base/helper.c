/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Helper programs: found in the build folder of the library, otherwise where they are installed. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* posix_spawn_file_actions_addclosefrom_np beside gnu11 */
#endif
#include "runtime/base/helper.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

/* (transfer full): the file of the program in @folder; NULL if it is not there. */
static char *
look_in (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) ? g_steal_pointer (&path) : NULL;
}

static char *
find_program (const char *name)
{
  Dl_info info = { 0 };
  char *found = NULL;

  if (dladdr ((gpointer) find_program, &info) && info.dli_fname)
    {
      g_autofree char *folder = g_path_get_dirname (info.dli_fname);
      g_autofree char *commands = g_build_filename (folder, "..", "ui", "cli", NULL);

      found = look_in (folder, name);
      found = found ? found : look_in (commands, name);
    }
  found = found ? found : look_in (CAPRA_LIBEXECDIR, name);
  return found ? found : g_build_filename (CAPRA_BINDIR, name, NULL);
}

static void
redirect (posix_spawn_file_actions_t *actions, int from, int to, int flags)
{
  if (from >= 0)
    posix_spawn_file_actions_adddup2 (actions, from, to);
  else
    posix_spawn_file_actions_addopen (actions, to, "/dev/null", flags, 0);
}

pid_t
capra_helper_spawn (const CapraHelperSetup *setup)
{
  g_autofree char *path = find_program (setup->arguments[0]);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  pid_t pid = 0;
  int status = 0;

  sigemptyset (&none);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK | (setup->group ? POSIX_SPAWN_SETPGROUP : 0));
  posix_spawn_file_actions_init (&actions);
  redirect (&actions, setup->input, 0, O_RDONLY);
  redirect (&actions, setup->output, 1, O_WRONLY);
  redirect (&actions, -1, 2, O_WRONLY);
  posix_spawn_file_actions_addclosefrom_np (&actions, 3);
  status = posix_spawn (&pid, path, &actions, &attributes, setup->arguments, setup->environment);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);
  if (status != 0)
    g_info ("cannot run %s: %s", path, g_strerror (status));
  return status == 0 ? pid : 0;
}
