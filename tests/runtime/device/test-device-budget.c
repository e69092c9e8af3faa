/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Budgets of devices: on those that share the memory of the host, they are limited by that of the system and of control
 * groups, whose files are in folders that look like those of Linux. */
#include "runtime/device/device-budget.h"
#include "tests/support/support-files.h"
#include "tests/support/support.h"

#define MIB ((guint64) 1 << 20)
#define GIB ((guint64) 1 << 30)

/* @memory: of the device. @expected: the budget, if the system has @total bytes, of which @available are available */
static void
check (CapraDeviceType type, gboolean unified, guint64 memory, guint64 total, guint64 available, guint64 expected,
       CapraBudgetSource source)
{
  const CapraDeviceInfo info = { .type = type, .unified = unified, .memory = memory };
  const CapraSystemMemory system = { total, available };
  CapraBudgetSource found = CAPRA_BUDGET_OF_SETTING;

  g_assert_cmpuint (capra_device_budget_compute (&info, &system, &found), ==, expected);
  g_assert_cmpint (found, ==, source);
}

static void
test_default (void)
{
  /* Memory of its own: the system does not matter. */
  check (CAPRA_DEVICE_GPU, FALSE, 10 * GIB, 4 * GIB, GIB, 8 * GIB, CAPRA_BUDGET_OF_DEVICE);
  /* A share of the device's memory: of a CPU that has half of the machine's, of a GPU for which a part is reserved. */
  check (CAPRA_DEVICE_CPU, TRUE, 12 * GIB, 24 * GIB, 20 * GIB, 6 * GIB, CAPRA_BUDGET_OF_DEVICE);
  check (CAPRA_DEVICE_GPU, TRUE, 10 * GIB, 64 * GIB, 60 * GIB, 8 * GIB, CAPRA_BUDGET_OF_DEVICE);
  /* At most half of the system's memory, and three quarters of what is available. */
  check (CAPRA_DEVICE_GPU, TRUE, 32 * GIB, 32 * GIB, 30 * GIB, 16 * GIB, CAPRA_BUDGET_OF_SYSTEM);
  check (CAPRA_DEVICE_CPU, TRUE, 32 * GIB, 32 * GIB, 4 * GIB, 3 * GIB, CAPRA_BUDGET_OF_SYSTEM);
  check (CAPRA_DEVICE_GPU, TRUE, 32 * GIB, 2 * GIB, 2 * GIB, GIB, CAPRA_BUDGET_OF_SYSTEM);
  /* Never less than what bands of usual images need, nor more than the share. */
  check (CAPRA_DEVICE_CPU, TRUE, 32 * GIB, 32 * GIB, MIB, 64 * MIB, CAPRA_BUDGET_OF_SYSTEM);
  check (CAPRA_DEVICE_CPU, TRUE, 64 * MIB, 32 * GIB, MIB, 32 * MIB, CAPRA_BUDGET_OF_DEVICE);
  /* An unknown system. */
  check (CAPRA_DEVICE_GPU, TRUE, 10 * GIB, 0, 0, 8 * GIB, CAPRA_BUDGET_OF_DEVICE);
}

static void
check_system (const char *root, guint64 total, guint64 available)
{
  CapraSystemMemory system = capra_system_memory_read (root);

  g_assert_cmpuint (system.total, ==, total);
  g_assert_cmpuint (system.available, ==, available);
}

static void
test_system (void)
{
  g_autofree char *root = g_dir_make_tmp ("capra-root-XXXXXX", NULL);
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", root);

  check_system (root, 0, 0);
  support_file_write (root, "proc/meminfo", "MemTotal:       8388608 kB\nMemFree:          10240 kB\n");
  check_system (root, 0, 0); /* kernels before 3.14 */
  support_file_write (root, "proc/meminfo",
                      "MemTotal:       8388608 kB\nMemFree:          10240 kB\nMemAvailable:   6291456 kB\n");
  check_system (root, 8 * GIB, 6 * GIB);

  /* A group without a limit, in one with 4 GiB, in one with 5 GiB; the caches of files can be freed. */
  support_file_write (root, "proc/self/cgroup", "1:name=systemd:/init\n0::/a/b/c\n");
  check_system (root, 8 * GIB, 6 * GIB);
  support_file_write (root, "sys/fs/cgroup/a/memory.max", "5368709120\n");
  support_file_write (root, "sys/fs/cgroup/a/memory.current", "1073741824\n");
  support_file_write (root, "sys/fs/cgroup/a/b/memory.max", "4294967296\n");
  support_file_write (root, "sys/fs/cgroup/a/b/memory.current", "3221225472\n");
  support_file_write (root, "sys/fs/cgroup/a/b/memory.stat", "anon 12\nfile 9\ninactive_file 536870912\n");
  support_file_write (root, "sys/fs/cgroup/a/b/c/memory.max", "max\n");
  check_system (root, 4 * GIB, 1536 * MIB);

  /* More in use than the limit, as after it was lowered; and in a container, which sees its group as the first one. */
  support_file_write (root, "sys/fs/cgroup/a/b/memory.max", "1048576\n");
  check_system (root, MIB, 0);
  support_file_write (root, "proc/self/cgroup", "0::/\n");
  check_system (root, 8 * GIB, 6 * GIB);
  support_file_write (root, "sys/fs/cgroup/memory.max", "2147483648\n");
  support_file_write (root, "sys/fs/cgroup/memory.current", "1073741824\n");
  check_system (root, 2 * GIB, GIB);
  g_assert_true (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
}

/* The setting takes precedence; without it, the budget of a device that shares the memory of this machine is at most
 * half of that. */
static void
test_setting (void)
{
  CapraDeviceInfo info = { .type = CAPRA_DEVICE_CPU, .unified = TRUE, .memory = G_GUINT64_CONSTANT (1) << 50 };
  g_autofree char *before = g_strdup (g_getenv ("CAPRA_MEMORY_BUDGET"));
  CapraSystemMemory system = capra_system_memory_read ("");
  CapraBudgetSource source = CAPRA_BUDGET_OF_DEVICE;

  g_setenv ("CAPRA_MEMORY_BUDGET", "3G", TRUE);
  g_assert_cmpuint (capra_device_budget_get (&info, &source), ==, 3 * GIB);
  g_assert_cmpint (source, ==, CAPRA_BUDGET_OF_SETTING);
  g_unsetenv ("CAPRA_MEMORY_BUDGET");
  g_assert_cmpuint (system.total, >, 0);
  g_assert_cmpuint (capra_device_budget_get (&info, &source), <=, system.total / 2);
  g_assert_cmpint (source, ==, CAPRA_BUDGET_OF_SYSTEM);
  if (before)
    g_setenv ("CAPRA_MEMORY_BUDGET", before, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/device-budget/default", test_default);
  g_test_add_func ("/device-budget/system", test_system);
  g_test_add_func ("/device-budget/setting", test_setting);
  return g_test_run ();
}
