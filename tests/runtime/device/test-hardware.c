/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphics cards without OpenCL device, and device files without permission, in folders that look like those of Linux.
 */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/device/finding-private.h"
#include "runtime/device/hardware.h"
#include "tests/support/support-files.h"
#include "tests/support/support.h"

#define NOBODY 65534

static void
add_file (const char *root, const char *name, const char *text, int mode)
{
  g_autofree char *path = g_build_filename (root, name, NULL);

  support_file_write (root, name, text);
  g_assert_cmpint (g_chmod (path, mode), ==, 0);
}

/* As a user who is not root: root may use every file. */
static GPtrArray *
explain (const char *root)
{
  GPtrArray *findings = capra_findings_new ();
  gboolean is_root = getuid () == 0;

  g_assert_true (!is_root || setreuid (NOBODY, (uid_t) -1) == 0);
  capra_hardware_explain (findings, root, support_devices ());
  g_assert_true (!is_root || setreuid (0, (uid_t) -1) == 0);
  return findings;
}

static const CapraFinding *
find (const GPtrArray *findings, const char *name)
{
  for (guint i = 0; i < findings->len; i++)
    {
      const CapraFinding *finding = findings->pdata[i];

      if (strstr (finding->name, name))
        {
          g_assert_cmpint (finding->kind, ==, CAPRA_FINDING_HARDWARE);
          g_assert_cmpint (finding->state, ==, CAPRA_FINDING_UNSEEN);
          return finding;
        }
    }
  return NULL;
}

static void
test_cards (void)
{
  g_autofree char *root = g_dir_make_tmp ("capra-root-XXXXXX", NULL);
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", root);
  g_autoptr (GPtrArray) none = NULL, found = NULL;

  g_assert_cmpint (g_chmod (root, 0755), ==, 0);
  none = explain (root);
  g_assert_cmpuint (none->len, ==, 0);

  add_file (root, "dev/dri/card0", "", 0);
  add_file (root, "dev/dri/renderD128", "", 0666);
  add_file (root, "sys/class/drm/renderD128/device/vendor", "0x1002\n", 0644);
  add_file (root, "dev/dri/renderD129", "", 0);
  add_file (root, "sys/class/drm/renderD129/device/vendor", "0x8086\n", 0644);
  add_file (root, "dev/dri/renderD130", "", 0666);
  add_file (root, "sys/class/drm/renderD130/device/vendor", "0xffff\n", 0644);
  add_file (root, "dev/kfd", "", 0);
  add_file (root, "dev/nvidiactl", "", 0666);
  found = explain (root);
  g_assert_nonnull (
    strstr (find (found, "AMD graphics card (/dev/dri/renderD128)")->remedy, "RUSTICL_ENABLE=radeonsi"));
  g_assert_null (find (found, "Intel")); /* unless its file may be used, more is not known */
  g_assert_nonnull (strstr (find (found, "/dev/dri/renderD129")->remedy, "group render"));
  g_assert_nonnull (strstr (find (found, "/dev/kfd")->reason, "no permission"));
  g_assert_null (find (found, "renderD130"));
  g_assert_null (find (found, "nvidiactl")); /* its card has a file in /dev/dri */
  g_assert_null (find (found, "card0"));
  g_assert_true (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
}

/* In containers, NVIDIA's cards have no files in /dev/dri. */
static void
test_nvidia (void)
{
  g_autofree char *root = g_dir_make_tmp ("capra-root-XXXXXX", NULL);
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", root);
  g_autoptr (GPtrArray) found = NULL;

  g_assert_cmpint (g_chmod (root, 0755), ==, 0);
  add_file (root, "dev/nvidiactl", "", 0666);
  found = explain (root);
  if (!strstr (capra_device_get_info (support_device (0))->vendor, "NVIDIA"))
    g_assert_nonnull (strstr (find (found, "/dev/nvidiactl")->remedy, "nvidia-opencl-icd"));
  g_assert_true (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hardware/cards", test_cards);
  g_test_add_func ("/hardware/nvidia", test_nvidia);
  return g_test_run ();
}
