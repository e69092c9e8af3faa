/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report says of the system, the OpenCL loader and the device. */
#include "ui/cli/check/check-system.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define GIBIBYTE 1073741824.0

/* The text after the first @key and colon in /proc/cpuinfo. */
static char *
find_processor (const char *key)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL);
  lines = g_strsplit (text ? text : "", "\n", -1);
  for (char **line = lines; *line; line++)
    if (g_str_has_prefix (*line, key) && strchr (*line, ':'))
      return g_strdup (g_strstrip (strchr (*line, ':') + 1));
  return g_strdup ("unknown processor");
}

/* The file of the OpenCL loader in this process. */
static char *
find_loader (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_file_get_contents ("/proc/self/maps", &text, NULL, NULL);
  lines = g_strsplit (text ? text : "", "\n", -1);
  for (char **line = lines; *line; line++)
    if (strstr (*line, "/libOpenCL.so"))
      return g_strdup (strchr (*line, '/'));
  return g_strdup ("unknown");
}

static char *
describe_system (void)
{
  g_autofree char *processor = find_processor ("model name");
  double memory = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE);
  struct utsname kernel;

  if (uname (&kernel) != 0)
    memset (&kernel, 0, sizeof kernel);
  return g_strdup_printf ("%s %s %s, %u x %s, %.1f GiB", kernel.sysname, kernel.release, kernel.machine,
                          g_get_num_processors (), processor, memory / GIBIBYTE);
}

static void
add (GPtrArray *pairs, const char *name, char *value)
{
  g_ptr_array_add (pairs, g_strdup (name));
  g_ptr_array_add (pairs, value);
}

GPtrArray *
check_system_describe (CapraDevice *device)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  const char *tuning = g_getenv ("CAPRA_TUNING");
  GPtrArray *pairs = g_ptr_array_new_with_free_func (g_free);
  CapraMemory memory;

  capra_memory_query (device, &memory);
  add (
    pairs, "capra",
    g_strdup_printf ("%s, GLib %u.%u.%u", CAPRA_VERSION, glib_major_version, glib_minor_version, glib_micro_version));
  add (pairs, "system", describe_system ());
  add (pairs, "loader", find_loader ());
  add (pairs, "platform", g_strdup (info->platform_name));
  add (pairs, "driver", g_strdup_printf ("%s, %s", info->driver, info->version));
  add (pairs, "device", g_strdup_printf ("%u: %s (%s)", info->index, info->name, capra_device_type_name (info->type)));
  add (pairs, "id", g_strdup (info->id));
  add (pairs, "memory",
       g_strdup_printf ("%.1f GiB, largest allocation %.1f GiB, budget %.1f GiB", (double) info->memory / GIBIBYTE,
                        (double) info->max_allocation / GIBIBYTE, (double) memory.budget / GIBIBYTE));
  if (tuning && *tuning)
    add (pairs, "tuning", g_strdup_printf ("CAPRA_TUNING=%s", tuning));
  return pairs;
}
