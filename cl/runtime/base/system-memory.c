/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* System memory: from /proc/meminfo, and from the files of control groups (version 2; see cgroup-v2.rst of Linux). */
#include "runtime/base/system-memory.h"

#include <string.h>

static char *
read_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

/* The number after @key at the beginning of a line of @text; 0 if it is missing. */
static guint64
find_number (const char *text, const char *key)
{
  gsize length = strlen (key);

  for (const char *line = text; line; line = strchr (line, '\n'))
    {
      line += *line == '\n';
      if (strncmp (line, key, length) == 0)
        return g_ascii_strtoull (line + length, NULL, 10);
    }
  return 0;
}

/* Applies the limit of the control group in @folder, if it has one. Cached files that were not used lately count as
 * available, as they do in /proc/meminfo. */
static void
limit (CapraSystemMemory *memory, const char *folder)
{
  g_autofree char *max = read_file (folder, "memory.max"), *current = read_file (folder, "memory.current");
  g_autofree char *stat = read_file (folder, "memory.stat");
  guint64 most = 0, used = 0, cached = find_number (stat, "inactive_file ");

  if (!max || !g_ascii_isdigit (*max)) /* "max": no limit */
    return;
  most = g_ascii_strtoull (max, NULL, 10);
  used = current ? g_ascii_strtoull (current, NULL, 10) : 0;
  used -= MIN (used, cached);
  memory->total = MIN (memory->total, most);
  memory->available = MIN (memory->available, most - MIN (most, used));
}

CapraSystemMemory
capra_system_memory_read (const char *root)
{
  g_autofree char *proc = g_strconcat (root, "/proc", NULL), *groups = g_strconcat (root, "/sys/fs/cgroup", NULL);
  g_autofree char *text = read_file (proc, "meminfo"), *own = read_file (proc, "self/cgroup");
  CapraSystemMemory memory = { 1024 * find_number (text, "MemTotal:"), 1024 * find_number (text, "MemAvailable:") };
  const char *line = own ? strstr (own, "0::/") : NULL;
  g_autofree char *group = line ? g_strndup (line + 3, strcspn (line + 3, "\n")) : g_strdup ("/");

  if (memory.total == 0 || memory.available == 0)
    return (CapraSystemMemory){ 0, 0 };
  while (TRUE) /* the limits of the groups above hold, too */
    {
      g_autofree char *folder = g_strconcat (groups, group, NULL), *below = group;

      limit (&memory, folder);
      group = g_path_get_dirname (below);
      if (g_str_equal (group, below)) /* "/" */
        return memory;
    }
}
