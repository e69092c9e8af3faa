/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Environment: entries of the array that all threads of the process share. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* environ beside gnu11 */
#endif
#include "runtime/base/environment.h"

#include <string.h>
#include <unistd.h>

static char **
find_entry (const char *name)
{
  gsize length = strlen (name);

  for (char **entry = environ; entry && *entry; entry++)
    if (strncmp (*entry, name, length) == 0 && (*entry)[length] == '=')
      return entry;
  return NULL;
}

char *
capra_environment_get_entry (const char *name)
{
  char **entry = find_entry (name);

  return entry ? *entry : NULL;
}

void
capra_environment_set_entry (const char *name, char *entry)
{
  /* Arrays are never freed, since another thread may read them. Each has the one before it behind its end, so that
   * LeakSanitizer finds them all. */
  static char **newest;
  gsize n = g_strv_length (environ), kept = 0;
  char **copy = NULL, **old = find_entry (name);

  if (!old && !entry)
    return;
  copy = g_new0 (char *, n + 3);
  for (gsize i = 0; i < n; i++)
    if (&environ[i] != old)
      copy[kept++] = environ[i];
  if (entry)
    copy[kept] = entry;
  copy[n + 2] = (char *) newest;
  newest = copy;
  g_atomic_pointer_set (&environ, copy);
}
