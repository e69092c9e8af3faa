/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs while a call of OpenCL or a write to a file fails: calls of each kind, alone or with all later ones. The
 * results are right, or there is a message and an exit status, and each file is complete, as it was before, or does
 * not exist. A run without faults counts the calls: up to its fault a run does the same, so that later moments are not
 * tried. Two moments are tried for each program; with `-m slow` the first ones of each kind, and some of the later ones
 * by chance, others in each run (`--seed`); with `-m slow -m perf` all. */
#include <string.h>

#include <glib/gstdio.h>

#include "runtime/base/fault-kinds.h"
#include "tests/hosts/hosts.h"

/* A run takes a tenth of a second, but `capra check` builds kernels, on a busy machine for minutes. */
#define SECONDS 600
/* All moments before this one are tried with `-m slow`. */
#define LATER 4
#define OLD "old contents\n"

typedef struct {
  const char *name;
  const char *arguments; /* of capra, run in the folder of outputs */
  const char *replaced;  /* nullable: an output that may exist before */
  const char *report;    /* nullable: an output that contains times */
  gboolean resumes;      /* --resume: the next run computes what is missing */
  gboolean stack;        /* an output holds several results, of which some may be missing after a failure */
  /* Runs take seconds: only `-m slow`, and only moments 1, 16, 256, …; with `-m perf` 1, 2, 4, … */
  gboolean slow;
} Program;

#define MEASURE "-- capra:threshold method=otsu capra:label rendering=numbers capra:measure"
#define INTEGRATE "integrate ../frames.h5 --poni ../geometry.poni -q -d 0 --bins 50 "

static const Program programs[] = {
  { "run-image", "run -q --data ../a.tif -o image.tif --tables=image.csv --figure=image.svg " MEASURE, "image.csv" },
  { "run-batch",
    "run -q ../a.tif ../b.tif --resume -o '{n}.pgm' --tables='{n}.json' -- capra:box-blur capra:statistics",
    .resumes = TRUE },
  /* Thresholds: the sums of a box blur differ in their last digits if a part is computed again, and differently. */
  { "run-stack", "run -q ../a.tif ../c.tif --resume -o all.h5 -- capra:threshold value=0.5", .resumes = TRUE,
    .stack = TRUE },
  { "run-fits", "run -q --data ../sky.fits -o sky.npy --tables=sky.csv -- capra:statistics", "sky.csv" },
  { "run-frames", "run -q --data ../frames.h5 --frames=0-2 -o frames.h5 -- capra:threshold value=10", .stack = TRUE },
  { "run-integrate",
    "run -q --data ../frames.h5 --frames=1 -o curve.npy --tables=curve{frame}.dat -- capra:azimuthal-integrate "
    "poni=../geometry.poni bins=50",
    NULL },
  { "join", "join joined.h5 ../rank.1-of-2.h5 ../rank.2-of-2.h5", "joined.h5" },
  { "integrate-text", INTEGRATE "-o curves.txt --matrix matrix.h5", "curves.txt" },
  { "integrate-nexus", INTEGRATE "-o curves.h5", "curves.h5" },
  { "plot", "plot ../curves.txt -o plot.svg", "plot.svg" },
  { "check", "check -d 0 -s 'label-colors,threshold-colors' --report report.txt", "report.txt", "report.txt" },
  { "check-all", "check -d 0 --report report.txt", "report.txt", "report.txt", .slow = TRUE },
};

static const char *const kinds[CAPRA_N_FAULTS] = { "alloc", "staging", "build", "launch", "upload", "download",
                                                   "map",   "copy",    "wait",  "device", "file" };

static const char *const inputs[] = { "a.tif",         "b.tif",      "c.tif",          "sky.fits",      "frames.h5",
                                      "geometry.poni", "curves.txt", "rank.1-of-2.h5", "rank.2-of-2.h5" };

static const char *folder, *temporary;

static void
clear_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name = NULL;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_assert_cmpint (g_remove (file), ==, 0);
    }
}

/* The files of the folder by name. */
static GHashTable *
read_folder (void)
{
  GHashTable *files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = NULL;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL), *contents = NULL;
      g_autoptr (GError) error = NULL;
      gsize length = 0;

      g_file_get_contents (path, &contents, &length, &error);
      g_assert_no_error (error);
      g_hash_table_insert (files, g_strdup (name), g_bytes_new_take (g_steal_pointer (&contents), length));
    }
  return files;
}

static HostsRun *
run_program (const Program *program, const char *faults)
{
  g_autofree char *line = g_strdup_printf ("cd '%s' && exec \"$CAPRA_PROGRAM\" %s", folder, program->arguments);
  g_autofree char *settings = g_strdup_printf ("GEGL_PATH=%s\nTMPDIR=%s\nCAPRA_FAULT=%s",
                                               g_getenv ("CAPRA_TEST_GEGL_PATH"), temporary, faults);
  const char *command[] = { "sh", "-c", line, NULL };

  return hosts_run (settings, SECONDS, command);
}

/* Whether a report is complete and no value in it differs. */
static gboolean
is_good_report (const char *text)
{
  return g_regex_match_simple ("\\n\\d+ passed, 0 differ, \\d+ failed, \\d+ not run, in [0-9.]+ s\\n$", text, 0, 0);
}

/* What `--resume` needs to know of a run with failures. */
static gboolean
is_journal (const char *name)
{
  return g_str_has_prefix (name, ".capra-run-") && g_str_has_suffix (name, ".journal");
}

static gboolean
is_good_file (const Program *program, const char *name, GBytes *contents, GBytes *expected, gboolean replaced)
{
  g_autofree char *text = g_strndup (g_bytes_get_data (contents, NULL), g_bytes_get_size (contents));

  if (replaced && g_strcmp0 (name, program->replaced) == 0 && g_str_equal (text, OLD))
    return TRUE;
  if (g_strcmp0 (name, program->report) == 0)
    return is_good_report (text);
  return is_journal (name) || g_bytes_equal (contents, expected);
}

/* Each file after a run is one of those in @expected and complete; if it succeeded, all of them exist. */
static void
check_files (const Program *program, const HostsRun *run, GHashTable *expected, gboolean replaced, const char *faults)
{
  g_autoptr (GHashTable) files = read_folder ();
  GHashTableIter iter;
  gpointer name, contents;

  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, &name, &contents))
    {
      GBytes *wanted = g_hash_table_lookup (expected, name);
      gboolean old = replaced && run->status != 0;

      if (run->status != 0 && ((!wanted && is_journal (name)) || program->stack))
        continue;
      if (!wanted || !is_good_file (program, name, contents, wanted, old))
        g_error ("CAPRA_FAULT=%s capra %s: status %d, %s is %s (%" G_GSIZE_FORMAT " bytes)\n%s%s", faults,
                 program->arguments, run->status, (char *) name, wanted ? "not as expected" : "left",
                 g_bytes_get_size (contents), run->out, run->err);
    }
  if (run->status == 0)
    g_assert_cmpuint (g_hash_table_size (files), ==, g_hash_table_size (expected));
}

/* Reads how many calls of each kind the processes of a run had, at most in one of them. `capra check` may end those
 * that compute before they say so. */
static void
count_calls (const Program *program, const HostsRun *run, guint counts[CAPRA_N_FAULTS])
{
  g_autoptr (GRegex) regex = g_regex_new ("(\\w+):(\\d+)(?=[,\\d\\w:]*$)", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  for (guint kind = 0; kind < CAPRA_N_FAULTS; kind++)
    counts[kind] = program->report ? G_MAXUINT : 0;
  for (g_regex_match (regex, run->err, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *name = g_match_info_fetch (match, 1), *number = g_match_info_fetch (match, 2);

      for (guint kind = 0; kind < CAPRA_N_FAULTS; kind++)
        if (g_str_equal (name, kinds[kind]))
          counts[kind] = MAX (counts[kind], (guint) g_ascii_strtoull (number, NULL, 10));
    }
}

/* Removes the lines about faults from the messages. Returns whether there were any. */
static gboolean
cut_faults (HostsRun *run)
{
  g_autoptr (GRegex) regex = g_regex_new ("^CAPRA_FAULT .*\\n", G_REGEX_MULTILINE, 0, NULL);
  char *rest = g_regex_replace_literal (regex, run->err, -1, 0, "", 0, NULL);
  gboolean any = !g_str_equal (rest, run->err);

  g_free (run->err);
  run->err = rest;
  return any;
}

static char *
hash_inputs (void)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      g_autofree char *contents = NULL;
      gsize length = 0;

      g_assert_true (g_file_get_contents (hosts_path (inputs[i]), &contents, &length, NULL));
      g_checksum_update (sum, (const guchar *) contents, (gssize) length);
    }
  return g_strdup (g_checksum_get_string (sum));
}

/* Runs the program with a fault. Returns whether it had such a call. */
static gboolean
try_fault (const Program *program, const char *faults, GHashTable *expected, gboolean replaced)
{
  g_autoptr (HostsRun) run = NULL;
  g_autoptr (GDir) rest = NULL;
  gboolean reached = FALSE;
  const char *message = NULL;

  clear_folder (folder);
  if (replaced)
    {
      g_autofree char *path = g_build_filename (folder, program->replaced, NULL);

      g_assert_true (g_file_set_contents (path, OLD, -1, NULL));
    }
  run = run_program (program, faults);
  reached = cut_faults (run);
  message = program->report && !*run->err ? run->out : run->err;
  if (run->status > 1 || (run->status == 1 && !*message) || strstr (run->err, "CRITICAL") || strstr (run->err, "leaked")
      || (program->report && run->status == 0 && !strstr (run->out, " 0 failed, 0 not")))
    g_error ("CAPRA_FAULT=%s capra %s: status %d\n%s%s", faults, program->arguments, run->status, run->out, run->err);
  check_files (program, run, expected, replaced, faults);
  if (program->resumes && run->status != 0)
    {
      g_autoptr (HostsRun) again = run_program (program, "");

      hosts_assert_success (again);
      check_files (program, again, expected, FALSE, faults);
    }
  rest = g_dir_open (temporary, 0, NULL);
  g_assert_null (g_dir_read_name (rest));
  return reached;
}

/* Tries one moment, once and with all later ones, or a later moment in one of these ways by chance. If all moments are
 * tried, those from the tenth on are tried once, and every seventh in both ways. Those of a slow program are tried in
 * one way and the other in turn, with `-m perf` in both. An output exists before every second run. */
static gboolean
try_moment (const Program *program, guint kind, guint moment, GHashTable *expected)
{
  gboolean reached = FALSE;
  gboolean both = g_test_perf () ? program->slow || moment < 10 || moment % 7 == 0 : moment < LATER && !program->slow;
  guint turn = program->slow ? (kind + g_bit_storage (moment) / 4) % 2 : (guint) g_test_rand_bit ();
  guint way = both || g_test_perf () ? 0 : turn;

  for (guint ever = way; ever <= (both ? 1 : way) && (ever == way || reached); ever++)
    {
      g_autofree char *faults = g_strdup_printf ("%s:%u%s", kinds[kind], moment, ever ? "-" : "");

      reached |= try_fault (program, faults, expected, program->replaced && (moment + ever) % 2 == 0);
    }
  return reached;
}

static guint
get_next (const Program *program, guint moment)
{
  if (program->slow)
    return moment * (g_test_perf () ? 2 : 16);
  return moment < LATER || g_test_perf () ? moment + 1 : moment + (guint) g_test_rand_int_range (1, 28);
}

/* Tries moments of a kind of which a run has @calls, until a run has none. Returns their number. */
static guint
try_kind (const Program *program, guint kind, guint calls, GHashTable *expected)
{
  guint moment = 1, tried = 0;

  while (moment <= calls && try_moment (program, kind, moment, expected))
    {
      moment = get_next (program, moment);
      tried++;
    }
  return tried;
}

static void
test_program (gconstpointer data)
{
  const Program *program = data;
  guint number = (guint) (program - programs), tried = 0, calls[CAPRA_N_FAULTS];
  g_autofree char *before = hash_inputs (), *after = NULL;
  g_autoptr (HostsRun) run = NULL, count = NULL;
  g_autoptr (GHashTable) expected = NULL;

  clear_folder (folder);
  run = run_program (program, ""); /* builds the kernels */
  hosts_assert_success (run);
  clear_folder (folder);
  count = run_program (program, "count");
  count_calls (program, count, calls);
  g_assert_true (cut_faults (count));
  hosts_assert_success (count);
  expected = read_folder ();
  g_assert_cmpuint (g_hash_table_size (expected), >, 0);
  for (guint i = 0; i < CAPRA_N_FAULTS && (g_test_slow () || tried == 0); i++)
    {
      guint kind = (i + 3 * number) % CAPRA_N_FAULTS; /* the default tests begin at another kind for each program */
      guint moment = 1 + number % 3;

      if (g_test_slow ())
        tried += try_kind (program, kind, calls[kind], expected);
      else if (moment <= calls[kind])
        tried += (guint) try_moment (program, kind, moment, expected);
    }
  g_assert_cmpuint (tried, >, 0);
  after = hash_inputs ();
  g_assert_cmpstr (before, ==, after);
  g_test_message ("%s: %u moments", program->name, tried);
}

/* A FITS file of floats. */
static void
write_sky (void)
{
  static const char *const cards[] = { "SIMPLE  =                    T", "BITPIX  =                  -32",
                                       "NAXIS   =                    2", "NAXIS1  =                  120",
                                       "NAXIS2  =                   90", "END" };
  enum { BLOCK = 2880, BYTES = 120 * 90 * 4, SIZE = BLOCK + (BYTES + BLOCK - 1) / BLOCK * BLOCK };
  g_autofree char *data = g_malloc0 (SIZE);
  g_autoptr (GError) error = NULL;

  memset (data, ' ', BLOCK);
  for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
    memcpy (data + 80 * i, cards[i], strlen (cards[i]));
  for (guint i = 0; i < BYTES / 4; i++)
    {
      float value = (float) (i * 7919 % 1013) / 8;
      guint32 bits;

      memcpy (&bits, &value, sizeof bits);
      bits = GUINT32_TO_BE (bits);
      memcpy (data + BLOCK + 4 * i, &bits, sizeof bits);
    }
  g_file_set_contents (hosts_path ("sky.fits"), data, SIZE, &error);
  g_assert_no_error (error);
}

static void
make_inputs (void)
{
  g_autoptr (HostsImage) one = hosts_image_sample (203, 131, 1), other = hosts_image_sample (67, 85, 1);
  g_autofree char *line = g_strdup_printf ("cd '%s/..' && \"$CAPRA_FRAMES\" -n 9 -d 5 --width 203 --height 151 -t u16 "
                                           "-p geometry.poni frames.h5 && cd out && \"$CAPRA_PROGRAM\" " INTEGRATE
                                           "-o ../curves.txt",
                                           folder);
  g_autofree char *parts = g_strdup_printf (
    "cd '%s/..' && for rank in 0 1; do OMPI_COMM_WORLD_RANK=$rank "
    "OMPI_COMM_WORLD_SIZE=2 \"$CAPRA_PROGRAM\" run -q a.tif c.tif -o rank.h5 -- "
    "capra:box-blur || exit 1; done",
    folder);
  g_autofree char *settings = g_strdup_printf ("GEGL_PATH=%s", g_getenv ("CAPRA_TEST_GEGL_PATH"));
  g_autoptr (HostsRun) run = hosts_run (NULL, SECONDS, (const char *[]){ "sh", "-c", line, NULL }), ranks = NULL;

  g_assert_cmpint (run->status, ==, 0);
  write_sky ();
  hosts_image_save (one, hosts_path ("a.tif"), "Y");
  for (int i = 0; i < one->width * one->height; i++)
    one->values[i] *= 0.5;
  hosts_image_save (one, hosts_path ("c.tif"), "Y");
  hosts_image_save (other, hosts_path ("b.tif"), "Y");
  ranks = hosts_run (settings, SECONDS, (const char *[]){ "sh", "-c", parts, NULL });
  hosts_assert_success (ranks);
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  folder = hosts_path ("out");
  temporary = hosts_path ("temporary");
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (temporary, 0700), ==, 0);
  make_inputs ();
  for (guint i = 0; i < G_N_ELEMENTS (programs) && (g_test_slow () || !programs[i].slow); i++)
    {
      g_autofree char *path = g_strconcat ("/program-faults/", programs[i].name, NULL);

      g_test_add_data_func (path, &programs[i], test_program);
    }
  return hosts_end ();
}
