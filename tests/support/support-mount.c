/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mounts: in a namespace of the script. */
#include "tests/support/support-mount.h"

char *
support_run_mounted (const char *folder, const char *program, const char *script)
{
  const char *try[] = { "unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", folder, NULL };
  const char *command[] = { "timeout", "240", "unshare", "-m", "sh", "-ec", script, program, NULL };
  g_autoptr (GError) error = NULL;
  char *out = NULL;
  int status = 0;

  if (!g_spawn_sync (NULL, (char **) try, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                     NULL, &status, NULL)
      || status != 0)
    {
      g_test_skip ("only root can mount a file system");
      return NULL;
    }
  g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return out;
}
