/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of `capra run`: full disks, signals while saving, outputs that are inputs, files that are not regular, and
 * what is reported as an error, once. */
#include <signal.h>
#include <string.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "tests/hosts/hosts.h"

#define WIDTH 203
#define HEIGHT 131
#define LARGE 3000
#define SECONDS 120

static const char *const suffixes[] = { "png", "tif", "jpg", "webp", "exr", "hdr", "ppm", "pgm", "gegl" };
static const char *gray_path, *noise_path, *folder;

/* Runs a shell command in the folder; $CAPRA is the program, $GRAY and $NOISE are images. */
static HostsRun *run_shell (const char *settings, const char *format, ...) G_GNUC_PRINTF (2, 3);

static HostsRun *
run_shell (const char *settings, const char *format, ...)
{
  g_autofree char *all = g_strdup_printf ("GEGL_PATH=%s\nCAPRA=%s\nGRAY=%s\nNOISE=%s\n%s",
                                          g_getenv ("CAPRA_TEST_GEGL_PATH"), g_getenv ("CAPRA_PROGRAM"), gray_path,
                                          noise_path, settings ? settings : "");
  g_autofree char *line = NULL, *whole = NULL;
  va_list list;

  va_start (list, format);
  line = g_strdup_vprintf (format, list);
  va_end (list);
  whole = g_strdup_printf ("cd %s && %s", folder, line);
  return hosts_run (all, SECONDS, (const char *[]){ "sh", "-c", whole, NULL });
}

static char *
write_older (const char *name)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, "older", -1, NULL));
  return path;
}

static void
assert_older (const char *path)
{
  g_autofree char *contents = NULL;

  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "older");
}

/* The folder contains only results. */
static void
assert_clean (void)
{
  g_autoptr (GDir) left = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (left)))
    if (!g_str_has_prefix (name, "out."))
      g_error ("%s was left behind", name);
}

/* A limit for the size of files has the same effect as a full disk, without root. */
static void
test_limit (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *name = g_strconcat ("out.", suffixes[i], NULL);
      g_autofree char *path = write_older (name);
      g_autoptr (HostsRun) run = run_shell (NULL, "ulimit -f 4; exec $CAPRA run -q $NOISE -o %s -- gegl:invert-linear",
                                            name);

      hosts_assert_error (run, 1, "annot write");
      assert_older (path);
      assert_clean ();
    }
}

/* The same on a full file system, if one can be mounted. */
static void
test_full_disk (void)
{
  g_autoptr (HostsRun) able = run_shell (NULL, "unshare -rm mount -t tmpfs -o size=64k capra .");

  if (able->status != 0)
    {
      g_test_skip ("mounting is not allowed here");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autoptr (HostsRun) run = run_shell (
        NULL,
        "unshare -rm sh -c 'mount -t tmpfs -o size=12k capra %s; cd %s; printf older >out.%s; "
        "$CAPRA run -q $NOISE -o out.%s -- gegl:invert-linear; echo $? $(cat out.*) $(ls -A)'",
        folder, folder, suffixes[i], suffixes[i]);
      g_autofree char *expected = g_strdup_printf ("1 older out.%s\n", suffixes[i]);

      g_test_message ("%s", run->err);
      g_assert_cmpstr (run->out, ==, expected);
    }
}

static void
interrupt_one (const char *input, int number, const char *preload)
{
  g_autofree char *path = write_older ("out.png");
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  g_subprocess_launcher_setenv (launcher, "GEGL_PATH", g_getenv ("CAPRA_TEST_GEGL_PATH"), TRUE);
  if (preload)
    g_subprocess_launcher_setenv (launcher, "LD_PRELOAD", preload, TRUE);
  g_subprocess_launcher_set_child_setup (launcher, hosts_die_with_parent, NULL, NULL);
  process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("CAPRA_PROGRAM"), "run", "-q", input, "-o", path,
                                         "--", "gegl:gaussian-blur", NULL);
  g_assert_no_error (error);
  hosts_wait_until_saving (process, folder);
  g_subprocess_send_signal (process, number);
  g_assert_true (g_subprocess_wait (process, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_signaled (process));
  g_assert_cmpint (g_subprocess_get_term_sig (process), ==, number);
  assert_older (path);
  assert_clean ();
}

static void
test_signals (void)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
  g_autoptr (HostsImage) image = hosts_image_sample (LARGE, LARGE, 3);
  const char *input = hosts_path ("large.tif");

  hosts_image_save (image, input, "RGB");
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      interrupt_one (input, numbers[i], NULL);
      interrupt_one (input, numbers[i], g_getenv ("CAPRA_TEST_NO_TMPFILE"));
    }
}

/* A file or the target of a link is replaced, with and without O_TMPFILE. */
static void
test_replaces (void)
{
  const char *preload[] = { NULL, g_getenv ("CAPRA_TEST_NO_TMPFILE") };

  for (guint i = 0; i < G_N_ELEMENTS (preload); i++)
    {
      g_autofree char *path = write_older ("out.png"), *link = g_build_filename (folder, "out.link.png", NULL);
      g_autofree char *settings = preload[i] ? g_strdup_printf ("LD_PRELOAD=%s", preload[i]) : NULL;
      g_autoptr (HostsRun) first = NULL, second = NULL;
      g_autoptr (HostsImage) image = NULL;
      GStatBuf status;

      g_assert_cmpint (g_chmod (path, 0640), ==, 0);
      first = run_shell (settings, "ln -s out.png out.link.png; "
                                   "$CAPRA run -q $GRAY -o out.link.png -- gegl:invert-linear");
      hosts_assert_error (first, 0, "");
      g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
      image = hosts_image_load (path, "Y");
      g_assert_cmpint (image->width, ==, WIDTH);
      g_assert_cmpint (g_stat (path, &status), ==, 0);
      g_assert_cmpint (status.st_mode & 0777, ==, 0640);
      assert_clean ();
      g_assert_cmpint (g_remove (link), ==, 0);
      second = run_shell (settings, "mkfifo out.link.png; "
                                    "$CAPRA run -q $GRAY -o out.link.png -- gegl:invert-linear");
      hosts_assert_error (second, 1, "regular");
      g_assert_cmpint (g_remove (link), ==, 0);
    }
}

/* An output does not replace an input, under any name, except with --overwrite. */
static void
test_own_input (void)
{
  static const char *const refused[] = {
    "own.tif -o . -- gegl:invert-linear",
    "own.tif -o own.tif -- gegl:invert-linear",
    "own.tif -o link.tif -- gegl:invert-linear",
    "link.tif -o own.tif -- gegl:invert-linear",
    "own.tif other.tif -o '{name}.tif' -- gegl:invert-linear",
    "other.tif -o own.tif -- gegl:add aux=[ gegl:load path=own.tif ]",
    "-o own.tif -- gegl:load path=own.tif gegl:invert-linear",
    "own.tif -o out.tif --tables=plain -- capra:statistics",
    "own.tif -o out.tif --timings=own.tif -- gegl:invert-linear",
  };
  g_autoptr (HostsRun) made = run_shell (
    NULL, "cp $GRAY own.tif && cp $GRAY other.tif && ln -s own.tif link.tif && ln -s own.tif plain");
  g_autoptr (HostsRun) allowed = NULL;

  hosts_assert_error (made, 0, "");
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (HostsRun) run = run_shell (NULL, "$CAPRA run -q %s", refused[i]);
      g_autoptr (HostsRun) same = run_shell (NULL, "cmp $GRAY own.tif");

      g_test_message ("%s", refused[i]);
      hosts_assert_error (run, 2, "--overwrite");
      hosts_assert_error (same, 0, "");
    }
  allowed = run_shell (NULL, "$CAPRA run -q --overwrite own.tif -o . -- gegl:invert-linear && ! cmp -s own.tif $GRAY "
                             "&& rm own.tif link.tif plain other.tif");
  hosts_assert_error (allowed, 0, "");
  assert_clean ();
}

/* An image after the option for timings is an input, not a file that they replace. */
static void
test_timings_before_input (void)
{
  static const char *const options[] = { "-t", "-qt", "--timings" };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr (HostsRun) run = run_shell (NULL,
                                            "cp $GRAY own.tif && cp $GRAY other.tif && "
                                            "$CAPRA run %s own.tif other.tif -o 'made-{name}.png' -- capra:box-blur && "
                                            "cmp $GRAY own.tif && rm own.tif other.tif made-own.png made-other.png",
                                            options[i]);

      hosts_assert_success (run);
      g_assert_nonnull (strstr (run->out, "median"));
    }
  assert_clean ();
}

/* So that an endless file that is read does not fill the memory. AddressSanitizer reserves more than that. */
#ifdef __SANITIZE_ADDRESS__
#define LIMIT ""
#else
#define LIMIT "ulimit -v 8000000; "
#endif

/* Endless and blocking files are not read. */
static void
test_not_regular (void)
{
  static const char *const lines[] = {
    "$CAPRA run -q $GRAY -o out.png --graph=/dev/zero",
    "mkfifo out.fifo; $CAPRA run -q $GRAY -o out.png --graph=out.fifo",
    "$CAPRA run -q out.fifo -o out.png -- gegl:invert-linear",
    "$CAPRA run -q /dev/zero -o out.png -- gegl:invert-linear",
    "$CAPRA run -q $GRAY -o out.png -- gegl:add aux=[ gegl:load path=out.fifo ]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (HostsRun) run = run_shell (NULL, LIMIT "%s", lines[i]);

      hosts_assert_error (run, 1, "regular");
    }
}

/* A warning is not a failure, in any format. */
static void
test_warnings (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autoptr (HostsRun) run = run_shell ("CAPRA_MEMORY_BUDGET=bogus",
                                            "$CAPRA run -q $GRAY -o out.%s -- capra:box-blur", suffixes[i]);

      hosts_assert_error (run, 0, "bogus");
    }
}

static guint
count_in (const char *text, const char *part)
{
  guint count = 0;

  for (const char *at = strstr (text, part); at; at = strstr (at + 1, part))
    count++;
  return count;
}

/* The error of an operation is reported once, and other warnings still are. */
static void
test_once (void)
{
  static const char line[] = "$CAPRA run -q $GRAY -o out.png -- capra:box-blur capra:box-blur device=nonsense";
  g_autoptr (HostsRun) one = run_shell (NULL, "%s", line);
  g_autoptr (HostsRun) two = run_shell ("CAPRA_MEMORY_BUDGET=bogus", "%s", line);
  g_autoptr (HostsRun) fatal = run_shell ("CAPRA_FATAL=1", "%s", line);

  hosts_assert_error (one, 1, "nonsense");
  g_assert_cmpuint (count_in (one->err, "nonsense"), ==, 1);
  hosts_assert_error (two, 1, "bogus");
  g_assert_cmpuint (count_in (two->err, "nonsense"), ==, 1);
  hosts_assert_error (fatal, 1, "nonsense");
  g_assert_cmpuint (count_in (fatal->err, "nonsense"), ==, 1);
}

/* Every output that cannot be written is an error. */
static void
test_outputs (void)
{
  static const struct {
    int status;
    const char *line, *says;
  } cases[] = {
    { 1, "$CAPRA devices >/dev/full", "standard output" },
    { 1, "$CAPRA devices --json >/dev/full", "standard output" },
    { 1, "$CAPRA memory >/dev/full", "standard output" },
    { 1, "$CAPRA memory --json >/dev/full", "standard output" },
    { 1, "$CAPRA --help >/dev/full", "standard output" },
    { 1, "$CAPRA --version >/dev/full", "standard output" },
    { 1, "$CAPRA bench --help >/dev/full", "standard output" },
    { 1, "$CAPRA tune --help >/dev/full", "standard output" },
    { 1, "$CAPRA run --help >/dev/full", "standard output" },
    { 1, "$CAPRA run -q $GRAY -o out.png --timings=/nodir/x -- capra:box-blur", "/nodir/x" },
    { 1, "$CAPRA run -q $GRAY -o out.png --timings=/dev/full -- capra:box-blur", "timings" },
    { 1, "$CAPRA run -q $GRAY -o out.png --timings -- capra:box-blur >/dev/full", "standard output" },
    { 1, "$CAPRA run -q $GRAY -o out.png --tables=/nodir/x.csv -- capra:statistics", "/nodir/x.csv" },
    { 1, "$CAPRA run -q $GRAY -o out.png --tables=- -- capra:statistics >/dev/full", "standard output" },
    { 2, "$CAPRA run -q $GRAY --tables=out.xyz -- capra:statistics", "out.xyz: tables are written as .csv, .json or" },
    { 0, "$CAPRA run -q $GRAY --tables=out.JSON -- capra:statistics && grep -q '{' out.JSON", "" },
    { 2, "$CAPRA run -q $GRAY -o out.png --tables=out.csv -- capra:box-blur", "--tables" },
    { 2, "$CAPRA run -q $GRAY -o out.png --tables=out.csv -- gegl:add aux=[ gegl:load path=$GRAY ]", "--tables" },
    { 0, "$CAPRA run -q $GRAY -o out.png --tables=out.csv -- capra:statistics && test -s out.csv", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HostsRun) run = run_shell (NULL, "%s", cases[i].line);

      hosts_assert_error (run, cases[i].status, cases[i].says);
    }
}

/* A file that a node cannot load is an error with its name; nothing is written. The image that ImageMagick has
 * converted for GEGL before is not loaded instead. */
static void
test_loaders (void)
{
  static const struct {
    const char *arguments, *says;
  } cases[] = {
    { "-o out.x.png -- gegl:load path=nope.png capra:box-blur", "nope.png" },
    { "-o out.x.png -- gegl:png-load path=out.cut.png capra:box-blur", "out.cut.png" },
    { "-o out.x.png -- gegl:load path=out.cut.tif", "out.cut.tif" },
    { "-o out.x.png -- gegl:load path=out.unknown capra:box-blur", "out.unknown" },
    { "-o out.x.png -- gegl:load", "gegl:load" },
    { "$GRAY -o out.x.png -- gegl:add aux=[ gegl:load path=nope.png ]", "nope.png" },
    { "$GRAY -o out.x.png -- gegl:add aux=[ gegl:load path=nope.png gegl:invert-linear ]", "nope.png" },
    { "$GRAY -o out.x.png -- gegl:add aux=[ gegl:load path=out.cut.png gegl:invert-linear ]", "out.cut.png" },
    { "$GRAY -o out.x.png --graph=out.branch.xml", "path" },
    { "--tables=out.x.csv -- gegl:load path=nope.png capra:statistics", "nope.png" },
  };
  g_autoptr (HostsRun) made = run_shell (
    NULL, "$CAPRA run -q $NOISE -o out.png -- gegl:nop && head -c 5000 out.png >out.cut.png && "
          "head -c 5000 $NOISE >out.cut.tif && echo text >out.unknown && mkdir out.tmp && echo \"<gegl><gegl:add>"
          "<gegl:invert-linear/><gegl:load path='nope.png'/></gegl:add></gegl>\" >out.branch.xml");
  g_autoptr (HostsRun) well = NULL;

  hosts_assert_error (made, 0, "");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HostsRun) run = run_shell ("G_DEBUG=",
                                            "cp out.png out.tmp/gegl-magick.png; TMPDIR=$PWD/out.tmp $CAPRA run -q %s; "
                                            "s=$?; ls; exit $s",
                                            cases[i].arguments);

      hosts_assert_error (run, 1, cases[i].says);
      g_assert_null (strstr (run->out, "out.x."));
    }
  well = run_shell (NULL, "$CAPRA run -q -o out.png -- gegl:load path=$GRAY gegl:invert-linear && "
                          "$CAPRA run -q $GRAY -o out.tif -- gegl:invert-linear && "
                          "$CAPRA run -q out.png -o out.png --overwrite -- gegl:nop");
  hosts_assert_error (well, 0, "");
}

/* GEGL's loader accepts a PPM that ends too early. Comments, text and samples of two bytes are read as before. */
static void
test_cut_netpbm (void)
{
  static const struct {
    const char *file, *says; /* NULL: is read */
  } cases[] = {
    { "P6\n# 9 9 9\n2 1\n255\nabcdef", NULL },
    { "P6\n2 1\n255\nabcde", "incomplete" },
    { "P5\n2 2\n65535\nabcdefgh", NULL },
    { "P5\n2 2\n65535\nabcdefg", "incomplete" },
    { "P2\n3 1\n255\n0 128\n255\n", NULL },
    { "P2\n3 1\n255\n0 128\n", "incomplete" },
    { "P3\n1 1\n255\n1 2 3", NULL },
    { "P3\n1 1\n255\n1 2", "incomplete" },
    { "P6\n2147483647 2147483647 65535\nabc", "incomplete" },
    { "P6\n2 0 255\nabc", "header" },
    { "P6\n2 1", "header" },
    { "P5\n99999999999999999999 1 255\na", "header" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_build_filename (folder, "image.ppm", NULL);
      g_autoptr (HostsRun) run = NULL;

      g_assert_true (g_file_set_contents (path, cases[i].file, -1, NULL));
      run = run_shell (NULL, "$CAPRA run -q image.ppm -o out.png -- capra:box-blur; s=$?; ls; rm -f out.png; exit $s");
      hosts_assert_error (run, cases[i].says ? 1 : 0, cases[i].says ? cases[i].says : "");
      g_assert_cmpint (strstr (run->out, "out.png") != NULL, ==, cases[i].says == NULL);
    }
}

/* An unusable color profile is ignored, with a warning that names the file and the reason. */
static void
test_profile (void)
{
  g_autoptr (HostsRun) run = run_shell (NULL, "$CAPRA run -q $GRAY -o out.jpg -- gegl:nop && { head -c 2 out.jpg; "
                                              "printf '\\377\\342\\000\\024ICC_PROFILE\\000\\001\\001xxxx'; "
                                              "tail -c +3 out.jpg; } >out.bad.jpg && "
                                              "$CAPRA run -q out.bad.jpg -o out.png -- gegl:invert-linear");

  hosts_assert_error (run, 0, "out.bad.jpg: Color profile ignored");
}

int
main (int argc, char **argv)
{
  g_autoptr (HostsImage) image = NULL, noise = NULL;

  hosts_begin (&argc, &argv);
  folder = hosts_path ("folder");
  g_assert_cmpint (g_mkdir (folder, 0755), ==, 0);
  image = hosts_image_sample (WIDTH, HEIGHT, 1);
  hosts_image_save (image, gray_path = hosts_path ("gray.tif"), "Y");
  noise = hosts_image_sample (WIDTH, HEIGHT, 3);
  for (int i = 0; i < WIDTH * HEIGHT * 3; i++)
    noise->values[i] = g_random_double ();
  hosts_image_save (noise, noise_path = hosts_path ("noise.tif"), "RGB");
  g_test_add_func ("/capra-run-files/limit", test_limit);
  g_test_add_func ("/capra-run-files/full-disk", test_full_disk);
  g_test_add_func ("/capra-run-files/signals", test_signals);
  g_test_add_func ("/capra-run-files/replaces", test_replaces);
  g_test_add_func ("/capra-run-files/own-input", test_own_input);
  g_test_add_func ("/capra-run-files/timings-before-input", test_timings_before_input);
  g_test_add_func ("/capra-run-files/not-regular", test_not_regular);
  g_test_add_func ("/capra-run-files/warnings", test_warnings);
  g_test_add_func ("/capra-run-files/once", test_once);
  g_test_add_func ("/capra-run-files/outputs", test_outputs);
  g_test_add_func ("/capra-run-files/loaders", test_loaders);
  g_test_add_func ("/capra-run-files/cut-netpbm", test_cut_netpbm);
  g_test_add_func ("/capra-run-files/profile", test_profile);
  return hosts_end ();
}
