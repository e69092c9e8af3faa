/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `capra check` finds a change in each kernel file: shows that the checks can fail. Files are changed by resource
 * overlays, at places that follow from the text: operators and numbers outside of loops' heads and conditions of the
 * preprocessor. Not each change has an effect (a tie may be decided either way), so that one of several must be found.
 */
#include <gio/gio.h>
#include <string.h>

#include "tests/support/support.h"

#define KERNELS "/capra/kernels/"
#define MAX_CHANGES 16

/* What is run for the files that begin with a prefix: families, and the tunings in which they use different kernels.
 * The first prefix that fits is used. */
static const struct {
  const char *prefix, *families;
  const char *tunings[4];
} runs[] = {
  { "azimuthal-steps", "azimuthal,azimuthal-clip", { "azimuthal.variant=row" } },
  { "azimuthal-bands", "azimuthal,azimuthal-clip", { "azimuthal.variant=row", "azimuthal.variant=group" } },
  { "azimuthal-sums", "azimuthal-clip", { "azimuthal.variant=row", "azimuthal.variant=group" } },
  { "azimuthal-narrow", "azimuthal-clip", { "azimuthal.variant=row" } },
  { "azimuthal-clip", "azimuthal-clip", { "azimuthal.variant=row", "azimuthal.variant=group" } },
  { "azimuthal", "azimuthal", { "azimuthal.variant=row", "azimuthal.variant=group,azimuthal.doubles=0" } },
  { "bitshuffle", "bitshuffle", { "bitshuffle.variant=item", "bitshuffle.variant=group" } },
  { "box", "box-blur", { "box-blur.variant=vector", "box-blur.variant=group" } },
  { "clip", "clip", { "clip.variant=vector", "clip.variant=group" } },
  { "convolve-fft",
    "convolve-fourier",
    { "convolve.variant=vector,convolve.fourier=0", "convolve.variant=group,convolve.fourier=0" } },
  { "convolve-spectrum", "convolve-fourier", { "convolve.variant=vector,convolve.fourier=0" } },
  { "fft64",
    "convolve-fourier",
    { "convolve.variant=vector,convolve.fourier=0", "convolve.variant=group,convolve.fourier=0" } },
  { "transpose",
    "convolve-fourier",
    { "convolve.variant=vector,convolve.fourier=0", "convolve.variant=group,convolve.fourier=0" } },
  { "convolve", "convolve,convolve-separable,convolve-many", { "convolve.variant=vector", "convolve.variant=group" } },
  { "gaussian",
    "gaussian,gaussian-whole",
    { "gaussian.variant=vector", "gaussian.variant=group,gaussian.separable=1000000",
      "gaussian.variant=group,gaussian.separable=0" } },
  { "histogram",
    "threshold-find,threshold-whole",
    { "histogram.variant=vector,threshold.search=host", "histogram.variant=group,threshold.search=host",
      "histogram.variant=group" } },
  { "label", "label*", { "label.variant=runs", "label.variant=blocks" } },
  { "levels", "threshold-find", { "" } },
  { "measure", "measure", { "measure.variant=strips", "measure.variant=blocks" } },
  { "wide", "measure", { "measure.variant=strips", "measure.variant=blocks" } },
  { "median", "median", { "median.variant=vector", "median.variant=group", "median.variant=bracket" } },
  { "moments", "statistics", { "statistics.variant=vector", "statistics.variant=group" } },
  { "otsu", "otsu", { "histogram.variant=group,threshold.search=device" } },
  { "position", "threshold,threshold-find,otsu", { "histogram.variant=group,threshold.search=device" } },
  { "residuals", "threshold-find", { "histogram.variant=vector", "histogram.variant=group" } },
  { "statistics", "statistics", { "statistics.variant=vector", "statistics.variant=group" } },
  { "straight", "blur-converted", { "gaussian.variant=vector,box-blur.variant=vector" } },
  { "taps", "separable", { "taps.variant=vector", "taps.variant=group" } },
  { "stream", "box-blur", { "box-blur.variant=vector" } },
  { "threshold", "threshold*", { "" } },
  { "color-rows", "blur-converted", { "gaussian.variant=vector,box-blur.variant=vector" } },
  { "color", "convert,threshold-colors", { "" } },
  { "convert", "convert", { "" } },
  { "crop", "crop", { "" } },
  { "fill", "fill", { "" } },
  { "extremes", "extremes", { "extremes.variant=vector", "extremes.variant=group" } },
  /* Shared by several algorithms. */
  { "bits", "measure,label", { "measure.variant=strips,label.variant=runs" } },
  { "border", "separable,convolve", { "taps.variant=group,convolve.variant=group" } },
  { "group-order", "convolve,gaussian", { "convolve.variant=group", "gaussian.variant=group,gaussian.separable=0" } },
  { "lanes",
    "statistics,extremes,median",
    { "statistics.variant=group,extremes.variant=group,median.variant=bracket" } },
  { "last-group",
    "median,clip,otsu",
    { "median.variant=bracket,clip.variant=group,histogram.variant=group,threshold.search=device" } },
  { "load", "convolve,gaussian,separable", { "convolve.variant=vector,gaussian.variant=vector,taps.variant=vector" } },
  { "finite", "gaussian", { "gaussian.variant=vector", "gaussian.variant=group,gaussian.separable=1000000" } },
  { "padded", "gaussian", { "gaussian.variant=vector", "gaussian.variant=group,gaussian.separable=1000000" } },
  { "sum", "separable,convolve", { "taps.variant=vector,convolve.variant=vector" } },
  { "values", "extremes,statistics", { "statistics.variant=vector,extremes.variant=vector" } },
  { "macros", "fill,crop,convert,threshold,box-blur", { "box-blur.variant=vector" } },
  { "vectors", "convert,gaussian,box-blur", { "box-blur.variant=vector,gaussian.variant=vector" } },
};

/* Files whose results no check sees. */
static const char *const exempt[] = {
  "arithmetic.cl",  /* only its time counts: it measures the arithmetic rate */
  "builtins.clh",   /* declarations of the functions of OpenCL C, without which the driver uses its own */
  "clip-sample.cl", /* only the number of passes depends on it: test-clip-sample */
  NULL,
};

static const char *const changes[][2] = {
  { " += ", " -= " },    { " * ", " + " },       { " - ", " + " },           { " + ", " - " },
  { " < ", " <= " },     { " < ", " > " },       { " > ", " >= " },          { " == ", " != " },
  { " & ", " | " },      { " >> ", " << " },     { "1.0f", "1.5f" },         { " = layout->", " = 1.5f * layout->" },
  { " ? ", " == 0 ? " }, { "(p))", "(p) + 1)" }, { "(word)", "(word + 2)" },
};

/* A place in a file, and the text that replaces its own. */
typedef struct {
  gsize offset, length;
  const char *text;
} Change;

static gboolean
is_suitable (const char *line)
{
  static const char *const excluded[] = { "for (", "while (", "#if", "#elif", "#include", "barrier", "//", NULL };
  const char *first = line + strspn (line, " ");

  if (g_str_has_prefix (first, "/*") || g_str_has_prefix (first, "* "))
    return FALSE;
  for (guint i = 0; excluded[i]; i++)
    if (strstr (line, excluded[i]))
      return FALSE;
  return TRUE;
}

/* Whether @text has lines that are neither comments nor of the preprocessor, such as those of files that only include
 * others. */
static gboolean
has_code (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gboolean comment = FALSE;

  for (char **line = lines; *line; line++)
    {
      gboolean begins = g_str_has_prefix (*line, "/*");

      if (!comment && !begins && **line && **line != '#')
        return TRUE;
      comment = (comment || begins) && !strstr (*line, "*/");
    }
  return FALSE;
}

/* Where changes of a line begin: in the definition of a macro, after its name and parameters. */
static const char *
find_code (const char *line)
{
  const char *space = g_str_has_prefix (line, "#define ") ? strstr (line, ") ") : NULL;

  return space ? space : line;
}

/* All places where @text can be changed. */
static GArray *
find_changes (const char *text)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Change));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gsize offset = 0;
  gboolean comment = FALSE;

  for (char **line = lines; *line; offset += strlen (*line++) + 1)
    {
      Change larger = { offset + strlen (*line) - 1, 1, " + 1;" };
      const char *begin = strstr (*line, "/*"), *end = strstr (*line, "*/");
      gboolean code = !comment && is_suitable (*line);

      comment = (comment || begin) && !end;
      /* What is stored or returned becomes larger by 1. */
      if (code && g_str_has_suffix (*line, ";") && (strstr (*line, "] = ") || strstr (*line, " return ")))
        g_array_append_val (found, larger);
      for (guint i = 0; code && i < G_N_ELEMENTS (changes); i++)
        {
          const char *at = strstr (find_code (*line), changes[i][0]);
          Change change = { offset + (gsize) (at - *line), strlen (changes[i][0]), changes[i][1] };

          if (at && !(begin && at > begin))
            g_array_append_val (found, change);
        }
    }
  return found;
}

/* Runs a quick check with the tuning, in which a kernel may hang. Returns whether a value differs from its reference.
 */
static gboolean
is_found (const char *families, const char *tuning)
{
  g_autofree char *command = g_strdup_printf ("exec timeout 600 \"$CAPRA_PROGRAM\" check -d 0 --json -s '%s' 2>&1",
                                              families);
  const char *arguments[] = { "sh", "-c", command, NULL };
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("CAPRA_TUNING", tuning, TRUE);
  g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL, NULL, &error);
  g_unsetenv ("CAPRA_TUNING");
  g_assert_no_error (error);
  return strstr (output, "\"differs\"") != NULL;
}

/* Whether a check finds @change in the file @name with the contents @text. */
static gboolean
try_change (const char *folder, const char *name, const char *text, const Change *change, guint run)
{
  g_autofree char *file = g_build_filename (folder, name, NULL);
  g_autofree char *overlay = g_strdup_printf (KERNELS "%s=%s", name, file);
  g_autoptr (GString) changed = g_string_new (text);
  gboolean found = FALSE;

  g_string_erase (changed, (gssize) change->offset, (gssize) change->length);
  g_string_insert (changed, (gssize) change->offset, change->text);
  g_assert_true (g_file_set_contents (file, changed->str, (gssize) changed->len, NULL));
  g_setenv ("G_RESOURCE_OVERLAYS", overlay, TRUE);
  for (guint t = 0; !found && t < G_N_ELEMENTS (runs[run].tunings) && runs[run].tunings[t]; t++)
    found = is_found (runs[run].families, runs[run].tunings[t]);
  g_unsetenv ("G_RESOURCE_OVERLAYS");
  return found;
}

static guint
find_run (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    if (g_str_has_prefix (name, runs[i].prefix))
      return i;
  g_error ("%s: add it to the table in this test", name);
}

/* Tries changes that are spread over the file until one is found. */
static void
test_file (gconstpointer data)
{
  const char *name = data;
  g_autofree char *path = g_strconcat (KERNELS, name, NULL), *text = NULL;
  g_autofree char *folder = g_dir_make_tmp ("capra-check-XXXXXX", NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
  g_autoptr (GArray) places = NULL;
  guint run = find_run (name), tried = 0;
  gboolean found = FALSE;

  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  places = find_changes (text);
  for (; !found && tried < MIN (places->len, MAX_CHANGES); tried++)
    {
      /* All of few places; of many, distant ones, by an odd stride that is near the golden section. */
      guint64 turn = (guint64) tried * 0x9e3779b9u % G_GUINT64_CONSTANT (0x100000000);
      guint place = places->len <= MAX_CHANGES ? tried : (guint) (turn * places->len >> 32);

      found = try_change (folder, name, text, &g_array_index (places, Change, place), run);
    }
  g_test_message ("%s: %s after %u changes", name, found ? "found" : "not found", tried);
  if (!found && (places->len > 0 || has_code (text)))
    g_test_fail ();
  support_folder_remove (g_steal_pointer (&folder));
}

static gboolean
is_tried (const char *name)
{
  return !g_str_has_suffix (name, ".h") && !g_strv_contains (exempt, name);
}

/* No file is missing in the table: a default test, since the others take hours. */
static void
test_table (void)
{
  g_auto (GStrv) names = g_resources_enumerate_children (KERNELS, 0, NULL);

  for (char **name = names; *name; name++)
    if (is_tried (*name))
      find_run (*name);
}

int
main (int argc, char **argv)
{
  g_auto (GStrv) names = g_resources_enumerate_children (KERNELS, 0, NULL);

  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (names);
  g_assert_cmpint (capra_device_list (NULL)->len, >, 0);
  g_test_add_func ("/check-kernels/table", test_table);
  for (char **name = names; *name; name++)
    {
      g_autofree char *path = g_strconcat ("/check-kernels/", *name, NULL);

      if (is_tried (*name))
        g_test_add_data_func (path, *name, test_file);
    }
  return g_test_run ();
}
