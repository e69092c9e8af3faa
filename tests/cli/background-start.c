/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the check in the background, as the library does. */
#include "tests/cli/background-start.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/support.h"

int
background_spawn (const char *program, const char *options)
{
  g_autofree char *text = g_strdup_printf ("check --background %s", options);
  g_auto (GStrv) arguments = g_strsplit (g_strstrip (text), " ", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) command = NULL;
  g_autoptr (GError) error = NULL;
  int ends[2];

  g_strv_builder_add (builder, program);
  g_strv_builder_addv (builder, (const char **) arguments);
  command = g_strv_builder_end (builder);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ==, 0);
  g_spawn_async_with_fds (NULL, command, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, NULL, ends[1], -1, -1, &error);
  g_assert_no_error (error);
  close (ends[1]);
  return ends[0];
}

void
background_send_device (int end)
{
  g_autofree char *line = g_strconcat (capra_device_get_info (support_device (0))->id, "\n", NULL);

  g_assert_cmpint (send (end, line, strlen (line), MSG_NOSIGNAL), ==, (int) strlen (line));
}

int
background_start (const char *options)
{
  int end = background_spawn (g_getenv ("CAPRA_PROGRAM"), options);

  background_send_device (end);
  return end;
}
