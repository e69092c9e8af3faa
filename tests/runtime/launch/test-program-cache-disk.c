/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program cache: files of other versions, and disks that are full or read-only. */
#include <gio/gio.h>
#include <string.h>

#include "tests/runtime/launch/cache-process.h"
#include "tests/support/support-caches.h"
#include "tests/support/support-mount.h"

/* The offsets in the file's header of the format and of the sum, and the header's size. */
#define FORMAT_OFFSET 8
#define SUM_OFFSET 24
#define HEADER_BYTES 56

/* A file whose format, or whose driver, is of another version; all else is right, its sum included. */
static void
test_versions (void)
{
  char *home = cache_new ();
  g_autofree char *path = NULL, *data = NULL;
  gsize length = 0, sum_bytes = HEADER_BYTES - SUM_OFFSET;
  guint32 identity = 0;
  GChecksum *checksum = g_checksum_new (G_CHECKSUM_SHA256);

  cache_assert_built ("fill");
  path = cache_find_file (home, NULL);
  g_assert_true (g_file_get_contents (path, &data, &length, NULL));

  data[FORMAT_OFFSET]++;
  cache_write_file (path, data, length);
  cache_assert_replaced (path);
  data[FORMAT_OFFSET]--;

  memcpy (&identity, data + FORMAT_OFFSET + 4, sizeof identity);
  data[HEADER_BYTES + identity - 2]++; /* the last character of the driver's version, before the end of the line */
  g_checksum_update (checksum, (guchar *) data + HEADER_BYTES, (gssize) (length - HEADER_BYTES));
  g_checksum_get_digest (checksum, (guint8 *) data + SUM_OFFSET, &sum_bytes);
  cache_write_file (path, data, length);
  cache_assert_replaced (path);

  data[HEADER_BYTES + identity - 2]--; /* with the right sum, the file is used again */
  g_checksum_reset (checksum);
  g_checksum_update (checksum, (guchar *) data + HEADER_BYTES, (gssize) (length - HEADER_BYTES));
  sum_bytes = HEADER_BYTES - SUM_OFFSET;
  g_checksum_get_digest (checksum, (guint8 *) data + SUM_OFFSET, &sum_bytes);
  cache_write_file (path, data, length);
  cache_assert_loaded ("fill");
  g_checksum_free (checksum);
  cache_remove (home);
}

/* Each write to a file fails, alone or with all later ones: the kernel is built and works, and nothing half written
 * remains. */
static void
run_failing_writes (const char *after)
{
  gboolean stored = FALSE;

  for (guint moment = 1; !stored; moment++)
    {
      char *home = cache_new ();
      g_autofree char *folder = cache_folder (home), *fault = g_strdup_printf ("file:%u%s", moment, after);
      g_autoptr (GDir) dir = NULL;

      g_assert_cmpuint (moment, <, 50);
      g_setenv ("CAPRA_FAULT", fault, TRUE);
      cache_assert_built ("fill");
      g_unsetenv ("CAPRA_FAULT");
      dir = g_dir_open (folder, 0, NULL);
      stored = dir && g_dir_read_name (dir);
      if (!stored)
        cache_assert_built ("fill");
      cache_assert_loaded ("fill");
      g_free (cache_find_file (home, NULL)); /* the only file */
      cache_remove (home);
    }
}

static void
test_failing_writes (void)
{
  run_failing_writes ("");
  run_failing_writes ("-");
}

/* Runs @script, which mounts a file system on the cache's folder. */
static char *
run_mounted (const char *script)
{
  char *home = cache_new (), *out = support_run_mounted (home, cache_process_get_program (), script);

  cache_remove (home);
  return out;
}

/* Builds twice, as nothing can be stored, and leaves no file. */
static void
test_full_disk (void)
{
  g_autofree char *out = run_mounted ("mount -t tmpfs -o size=64k,mode=700 tmpfs \"$XDG_CACHE_HOME\"\n"
                                      "head -c 61440 /dev/zero >\"$XDG_CACHE_HOME/other\"\n"
                                      "\"$0\" --use fill; \"$0\" --use fill\n"
                                      "find \"$XDG_CACHE_HOME/capra/kernels\" -type f | wc -l");

  if (out)
    g_assert_cmpstr (out, ==, "1 0\n1 0\n0\n");
}

/* Loads what is stored, and builds what is not. */
static void
test_read_only (void)
{
  g_autofree char *out = run_mounted ("mount -t tmpfs -o mode=700 tmpfs \"$XDG_CACHE_HOME\"\n"
                                      "\"$0\" --use fill; mount -o remount,ro \"$XDG_CACHE_HOME\"\n"
                                      "\"$0\" --use fill; \"$0\" --use arithmetic\n");

  if (out)
    g_assert_cmpstr (out, ==, "1 0\n0 1\n1 0\n");
}

int
main (int argc, char **argv)
{
  cache_process_init (argc, argv);
  g_test_init (&argc, &argv, NULL);
  support_keep_driver_caches ();
  g_setenv ("CAPRA_KERNELS", "optimized", TRUE); /* programs are saved when they are built */
  g_test_add_func ("/program-cache-disk/versions", test_versions);
  g_test_add_func ("/program-cache-disk/failing-writes", test_failing_writes);
  g_test_add_func ("/program-cache-disk/full-disk", test_full_disk);
  g_test_add_func ("/program-cache-disk/read-only", test_read_only);
  return g_test_run ();
}
