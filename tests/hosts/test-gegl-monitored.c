/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A panel of the same user monitors the `gegl` program. */
#include <string.h>

#include "tests/hosts/hosts.h"
#include "tests/hosts/watch.h"

static void
test_seen (void)
{
  g_autoptr (HostsImage) image = hosts_image_sample (203, 131, 1);
  const char *path = hosts_path ("gray.tif");
  g_autoptr (GPtrArray) seen = NULL;
  const HostsSeen *gegl = NULL;
  HostsWatch *watch = NULL;

  hosts_image_save (image, path, "Y");
  watch = hosts_watch_begin ();
  hosts_gegl_succeed (NULL, "%s -o %s -- capra:box-blur radius=3", path, hosts_path ("out.tif"));
  seen = hosts_watch_end (watch);
  g_assert_cmpuint (seen->len, ==, 1);
  gegl = hosts_seen_find (seen, "gegl");
  g_assert_true (gegl->left);
  g_assert_cmpuint (gegl->recorded, >=, 3); /* upload, a kernel, download */
  g_assert_nonnull (gegl->last_kernel);
}

/* A process without operations of Capra is not reported. */
static void
test_unseen (void)
{
  g_autoptr (HostsImage) image = hosts_image_sample (31, 17, 1);
  const char *path = hosts_path ("small.tif");
  g_autoptr (GPtrArray) seen = NULL;
  HostsWatch *watch = NULL;

  hosts_image_save (image, path, "Y");
  watch = hosts_watch_begin ();
  hosts_gegl_succeed (NULL, "%s -o %s -- gegl:invert-linear", path, hosts_path ("inverted.tif"));
  seen = hosts_watch_end (watch);
  g_assert_cmpuint (seen->len, ==, 0);
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  g_test_add_func ("/gegl/monitored/seen", test_seen);
  g_test_add_func ("/gegl/monitored/unseen", test_unseen);
  return hosts_end ();
}
