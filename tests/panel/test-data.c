/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw values: loaded and written without conversion, in a sample type that represents them. */
#include <gegl.h>
#include <math.h>
#include <string.h>

#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/graph/display.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/read/npy-reader.h"
#include "ui/pipeline/write/npy-writer.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/text/raw-mark.h"
#include "ui/panel/steps/step-model.h"
#include "ui/panel/steps/presets.h"
#include "ui/pipeline/write/save.h"
#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "tests/support/support.h"

#define WIDTH 61
#define HEIGHT 43

static char *folder;

static GFile *
get_file (const char *name)
{
  return g_file_new_build_filename (folder, name, NULL);
}

/* The samples of a test file. */
typedef struct {
  CapraSampleLayout layout;
  const double *values;
} Source;

static gboolean
give (int y, int rows, gpointer samples, gpointer data, GError **error)
{
  const Source *source = data;
  gsize row = (gsize) source->layout.width * (gsize) source->layout.channels;

  capra_samples_from_doubles (source->layout.type, source->values + (gsize) y * row, row * (gsize) rows, samples);
  return TRUE;
}

static GFile *
write_source (const char *name, const Source *source)
{
  GFile *file = get_file (name);
  g_autoptr (CapraOutputFile) output = capra_output_file_open (g_file_peek_path (file), NULL);

  g_assert_true (capra_npy_write (output, &source->layout, give, (gpointer) source, NULL));
  g_assert_true (capra_output_file_commit (output, NULL));
  return file;
}

static CapraImage *
load (GFile *file)
{
  g_autoptr (GError) error = NULL;
  CapraImage *image = capra_raw_values_load (file, &error);

  g_assert_no_error (error);
  g_assert_nonnull (capra_raw_values_get (image->buffer));
  return image;
}

/* All samples of an image of raw values. */
static double *
read_values (CapraImage *image, gsize *count)
{
  const Babl *format = gegl_buffer_get_format (image->buffer);
  const GeglRectangle *extent = gegl_buffer_get_extent (image->buffer);
  gboolean doubles = babl_format_get_type (format, 0) == babl_type ("double");
  double *values;
  g_autofree gpointer samples = NULL;

  *count = (gsize) extent->width * (gsize) extent->height * (gsize) babl_format_get_n_components (format);
  values = g_new (double, *count);
  samples = g_malloc (*count * sizeof (double));
  gegl_buffer_get (image->buffer, NULL, 1.0, format, samples, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  capra_samples_to_doubles (doubles ? CAPRA_SAMPLE_F64 : CAPRA_SAMPLE_F32, samples, *count, values);
  return values;
}

static GPtrArray *
read_steps (const char *command)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *steps = capra_steps_from_command (command, &error);

  g_assert_no_error (error);
  return steps;
}

/* Applies @command to @file, saves the result as @name and reads it; asserts its sample type. */
static CapraImage *
process (GFile *file, const char *command, const char *name, int bits, CapraSampleType type)
{
  g_autoptr (CapraImage) image = load (file);
  g_autoptr (GPtrArray) steps = read_steps (command);
  g_autoptr (GFile) output = get_file (name);
  g_autoptr (GError) error = NULL;
  CapraImage *result;

  capra_save (output, image->buffer, steps, bits, NULL, NULL, &error);
  g_assert_no_error (error);
  result = load (output);
  g_assert_cmpint (capra_raw_values_get (result->buffer)->type, ==, type);
  return result;
}

static void
assert_refused (GFile *file, const char *command, const char *name, int bits, const char *text)
{
  g_autoptr (CapraImage) image = load (file);
  g_autoptr (GPtrArray) steps = read_steps (command);
  g_autoptr (GFile) output = get_file (name);
  g_autoptr (GError) error = NULL;

  g_assert_false (capra_save (output, image->buffer, steps, bits, NULL, NULL, &error));
  if (!strstr (error->message, text))
    g_error ("“%s” does not contain “%s”", error->message, text);
  g_assert_false (g_file_query_exists (output, NULL));
}

/* Values in the whole range of a type. */
static double *
make_values (CapraSampleType type, int channels)
{
  gsize count = (gsize) WIDTH * HEIGHT * (gsize) channels;
  double *values = g_new (double, count), opaque = capra_sample_type_get_opaque (type);
  gboolean sign = capra_sample_type_holds (type, -1.0), whole = capra_sample_type_is_integer (type);

  for (gsize i = 0; i < count; i++)
    {
      double share = (guint32) (i * 2654435761u) / 4294967295.0;

      if (type == CAPRA_SAMPLE_F32)
        values[i] = (float) ((share - 0.5) * 1e6);
      else
        values[i] = whole ? rint (share * opaque * (sign ? 1.9 : 1.0)) - (sign ? rint (0.9 * opaque) : 0) : share / 3;
      if (channels % 2 == 0 && i % (gsize) channels == (gsize) channels - 1)
        values[i] = whole ? rint (share * opaque) : (float) share;
    }
  return values;
}

/* Without operations, and through a crop, values are unchanged, for each sample type and file format. */
static void
test_exact (void)
{
  static const char *const names[] = { "exact.npy", "exact.tif", "exact.png" };

  for (CapraSampleType type = CAPRA_SAMPLE_U8; type <= CAPRA_SAMPLE_F64; type++)
    for (int channels = 1; channels <= 4; channels++)
      for (guint n = 0; n < G_N_ELEMENTS (names) && type != CAPRA_SAMPLE_F16; n++)
        {
          g_autofree double *values = make_values (type, channels);
          Source source = { { WIDTH, HEIGHT, channels, FALSE, type }, values };
          g_autoptr (GFile) file = NULL;
          g_autoptr (CapraImage) image = NULL, whole = NULL, part = NULL;
          g_autofree double *in = NULL, *same = NULL, *cropped = NULL;
          gsize count, part_count;

          if (n == 2 && type != CAPRA_SAMPLE_U8 && type != CAPRA_SAMPLE_U16)
            continue;
          if (n == 1 && (type == CAPRA_SAMPLE_I64 || type == CAPRA_SAMPLE_U64))
            continue;
          file = write_source ("source.npy", &source);
          image = load (file);
          in = read_values (image, &count);
          for (gsize i = 0; i < count; i++)
            if (channels % 2 || i % (gsize) channels < (gsize) channels - 1)
              g_assert_cmpfloat (in[i], ==, values[i]);
          whole = process (file, "", names[n], 0, type);
          same = read_values (whole, &part_count);
          g_assert_cmpmem (same, part_count * sizeof *same, in, count * sizeof *in);
          part = process (file, "gegl:crop x=3 y=2 width=50 height=40", names[n], 0, type);
          cropped = read_values (part, &part_count);
          for (gsize i = 0; i < part_count; i++)
            {
              gsize pixel = i / (gsize) channels;

              g_assert_cmpfloat (
                cropped[i], ==,
                in[((pixel / 50 + 2) * WIDTH + pixel % 50 + 3) * (gsize) channels + i % (gsize) channels]);
            }
        }
}

/* Blobs of two heights on a ramp: integers. */
static double *
make_blobs (double height)
{
  double *values = g_new (double, WIDTH * HEIGHT);

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    {
      int x = i % WIDTH, y = i / WIDTH;

      values[i] = floor (height * (0.1 + 0.1 * x / WIDTH + ((x / 6 + y / 5) % 3 == 0 ? 0.3 + 0.01 * (i * 7 % 29) : 0)));
    }
  return values;
}

/* Otsu with a bin for each integer, as in scikit-image. */
static double
find_otsu (const double *values, gsize count)
{
  double best = -1, found = 0;

  for (double t = 0; t < 65536; t++)
    {
      double n[2] = { 0, 0 }, sum[2] = { 0, 0 }, variance;

      for (gsize i = 0; i < count; i++)
        {
          n[values[i] > t]++;
          sum[values[i] > t] += values[i];
        }
      if (n[0] == 0)
        continue;
      if (n[1] == 0)
        break;
      variance = n[0] * n[1] * pow (sum[0] / n[0] - sum[1] / n[1], 2);
      if (variance > best)
        {
          best = variance;
          found = t;
        }
    }
  return found;
}

/* Thresholds compare raw values; masks are 0 and 1 in the sample type of the file; labels are 1, 2, 3, … */
static void
test_operations (void)
{
  static const struct {
    double height;
    CapraSampleType type;
    const char *value; /* of a manual threshold */
  } cases[] = { { 255, CAPRA_SAMPLE_U8, "value=77" }, { 4095, CAPRA_SAMPLE_U16, "value=1234" } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree double *values = make_blobs (cases[c].height);
      Source source = { { WIDTH, HEIGHT, 1, FALSE, cases[c].type }, values };
      g_autoptr (GFile) file = write_source ("blobs.npy", &source);
      g_autofree char *by_hand = g_strdup_printf ("capra:threshold %s", cases[c].value);
      double limits[2] = { find_otsu (values, WIDTH * HEIGHT),
                           g_ascii_strtod (strchr (cases[c].value, '=') + 1, NULL) };
      g_autofree double *labels = NULL;
      g_autoptr (CapraImage) labeled = NULL;
      double most = 0;
      gsize count;

      for (int manual = 0; manual < 2; manual++)
        {
          g_autoptr (CapraImage) mask = process (file, manual ? by_hand : "capra:threshold method=otsu",
                                                 manual ? "m.png" : "m.tif", 0, cases[c].type);
          g_autofree double *found = read_values (mask, &count);

          for (gsize i = 0; i < count; i++)
            g_assert_cmpfloat (found[i], ==, manual ? values[i] >= limits[1] : values[i] > limits[0]);
        }
      labeled = process (file, "capra:threshold method=otsu capra:label", "labels.tif", 0, CAPRA_SAMPLE_U8);
      labels = read_values (labeled, &count);
      for (gsize i = 0; i < count; i++) /* numbered in the order of their first pixels */
        {
          g_assert_cmpint (labels[i] > 0, ==, values[i] > limits[0]);
          g_assert_cmpfloat (labels[i], <=, most + 1);
          most = MAX (most, labels[i]);
        }
      g_assert_cmpfloat (most, >, 5);
    }
}

/* Labels that floats do not represent, from a file, passed through, and on a second input. */
static void
test_large_labels (void)
{
  double values[WIDTH * HEIGHT];
  Source source = { { WIDTH, HEIGHT, 1, FALSE, CAPRA_SAMPLE_U32 }, values };
  g_autoptr (GFile) file = NULL;
  g_autoptr (CapraImage) result = NULL;
  g_autofree double *found = NULL;
  gsize count;

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = 4294967295.0 - 3 * i;
  file = write_source ("large.npy", &source);
  result = process (file, "gegl:crop x=0 y=1 width=61 height=42", "large.tif", 0, CAPRA_SAMPLE_U32);
  found = read_values (result, &count);
  for (gsize i = 0; i < count; i++)
    g_assert_cmpfloat (found[i], ==, values[WIDTH + i]);
}

static void
test_types (void)
{
  double values[WIDTH * HEIGHT];
  Source source = { { WIDTH, HEIGHT, 1, FALSE, CAPRA_SAMPLE_U16 }, values };
  g_autoptr (GFile) file = NULL;
  g_autoptr (CapraImage) blurred = NULL, rounded = NULL;
  g_autofree double *exact = NULL, *whole = NULL;
  gsize count;

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = i * i % 60013;
  file = write_source ("types.npy", &source);
  /* Fractions are stored as floats; PNG needs rounding. */
  blurred = process (file, "capra:box-blur radius=2", "blurred.tif", 0, CAPRA_SAMPLE_F32);
  exact = read_values (blurred, &count);
  assert_refused (file, "capra:box-blur radius=2", "blurred.png", 0, "Save as TIFF");
  rounded = process (file, "capra:box-blur radius=2", "rounded.png", 16, CAPRA_SAMPLE_U16);
  whole = read_values (rounded, &count);
  for (gsize i = 0; i < count; i++)
    g_assert_cmpfloat (whole[i], ==, rint (exact[i]));
  assert_refused (file, "", "narrow.png", 8, "8 bits store values from 0 to 255");
  assert_refused (file, "", "picture.jpg", 0, ".npy");
}

/* Colors are not saved as raw values, and the two modes of loading do not mix. */
static void
test_pictures (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (GFile) array = get_file ("picture.npy"), jpeg = get_file ("picture.jpeg");
  g_autoptr (CapraImage) numbers = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree double *values = NULL;
  double most = 0;
  gsize count;

  g_assert_false (capra_save (array, image, none, 8, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "--data"));
  /* In formats that GEGL decodes, samples are loaded without color conversion. */
  g_assert_true (capra_save (jpeg, image, none, 8, NULL, NULL, NULL));
  numbers = load (jpeg);
  g_assert_cmpint (capra_raw_values_get (numbers->buffer)->type, ==, CAPRA_SAMPLE_U8);
  values = read_values (numbers, &count);
  g_assert_cmpuint (count, ==, WIDTH * HEIGHT * 3);
  for (gsize i = 0; i < count; i++)
    {
      g_assert_cmpfloat (values[i], ==, rint (values[i]));
      most = MAX (most, values[i]);
    }
  g_assert_cmpfloat (most, >, 128);
}

/* Second inputs and loader nodes load raw values, too. */
static void
test_second_inputs (void)
{
  g_autofree double *values = make_blobs (4095);
  Source source = { { WIDTH, HEIGHT, 1, FALSE, CAPRA_SAMPLE_U16 }, values };
  g_autoptr (GFile) file = write_source ("second.npy", &source);
  g_autofree char *command = g_strdup_printf ("gegl:add 'aux=[' gegl:load path=%s ']'", g_file_peek_path (file));
  g_autofree char *loading = g_strdup_printf ("gegl:load path=%s gegl:crop width=20 height=10",
                                              g_file_peek_path (file));
  g_autoptr (CapraImage) sum = process (file, command, "sum.tif", 0, CAPRA_SAMPLE_U16);
  g_autoptr (CapraImage) loaded = process (file, loading, "loaded.tif", 0, CAPRA_SAMPLE_U16);
  g_autofree double *twice = NULL, *part = NULL;
  gsize count;

  twice = read_values (sum, &count);
  for (gsize i = 0; i < count; i++)
    g_assert_cmpfloat (twice[i], ==, 2 * values[i]);
  part = read_values (loaded, &count);
  g_assert_cmpuint (count, ==, 200);
  for (gsize i = 0; i < count; i++)
    g_assert_cmpfloat (part[i], ==, values[i / 20 * WIDTH + i % 20]);
}

/* The setting is stored with the pipeline: in XML, in arguments, in a PNG. */
static void
test_kept (void)
{
  g_autofree double *values = make_blobs (255);
  Source source = { { WIDTH, HEIGHT, 1, FALSE, CAPRA_SAMPLE_U8 }, values };
  g_autoptr (GFile) file = write_source ("kept.npy", &source);
  g_autoptr (GPtrArray) steps = read_steps ("capra:threshold method=li");
  g_autofree char *xml = capra_steps_to_xml (steps), *command = capra_steps_to_command (steps);
  g_autofree char *data_xml = capra_text_mark_raw_values (g_strdup (xml));
  g_autofree char *data_command = capra_text_mark_raw_values (g_strdup (command));
  g_autoptr (CapraImage) saved = process (file, "capra:threshold method=li", "kept.png", 0, CAPRA_SAMPLE_U8);
  g_autoptr (GPtrArray) from_xml = capra_steps_from_xml (data_xml, NULL);
  g_autoptr (GPtrArray) from_command = capra_steps_from_command (data_command, NULL);

  g_assert_false (capra_text_has_raw_values (xml));
  g_assert_false (capra_text_has_raw_values (command));
  g_assert_false (capra_text_has_raw_values ("<gegl/>"));
  g_assert_false (capra_text_has_raw_values ("--database"));
  g_assert_true (capra_text_has_raw_values (data_xml));
  g_assert_true (capra_text_has_raw_values (data_command));
  steps_assert_same (steps, from_xml, FALSE);
  steps_assert_same (steps, from_command, FALSE);
  g_assert_nonnull (saved->graph);
  g_assert_true (capra_text_has_raw_values (saved->graph));
}

/* The display range of raw values is stretched from black to white. */
static void
test_display (void)
{
  g_autofree double *values = make_blobs (65535);
  Source source = { { WIDTH, HEIGHT, 1, FALSE, CAPRA_SAMPLE_U16 }, values };
  g_autoptr (GFile) file = write_source ("shown.npy", &source);
  g_autoptr (CapraImage) image = load (file);
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (CapraGraph) graph = capra_graph_new (image->buffer, 1.0, FALSE);
  guint32 pixels[WIDTH * HEIGHT], least = 255, most = 0;
  const CapraDisplayStretch wanted = capra_display_stretch_get_default (capra_display_kind_find (image->buffer, NULL));
  g_autofree CapraStretchTable *table = g_new (CapraStretchTable, 1);
  CapraStretch stretch;

  g_assert_true (wanted.enabled && wanted.curve == CAPRA_STRETCH_LINEAR);
  capra_graph_update (graph, none);
  stretch = capra_display_find_limits (graph, &wanted);
  g_assert_cmpfloat (stretch.low, >=, 6000);
  g_assert_cmpfloat (stretch.high, >, 40000);
  capra_stretch_table_init (table, &stretch);
  capra_display_render (graph, GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), 0, table, 8, pixels, WIDTH * 4);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    {
      double share = CLAMP ((values[i] - stretch.low) / (stretch.high - stretch.low), 0, 1);

      g_assert_cmpuint (pixels[i] >> 24, ==, 255);
      g_assert_cmpuint (pixels[i] & 255, ==, pixels[i] >> 8 & 255);
      g_assert_cmpfloat_with_epsilon (pixels[i] & 255, 255 * share, 1.01);
      least = MIN (least, pixels[i] & 255);
      most = MAX (most, pixels[i] & 255);
    }
  g_assert_cmpuint (least, ==, 0);
  g_assert_cmpuint (most, ==, 255);
}

/* Undo, texts and presets keep the setting. */
static void
test_pipeline (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new (), other = capra_step_model_new ();
  g_autoptr (CapraStep) step = capra_step_new ("gegl:gaussian-blur");
  g_autoptr (GPtrArray) steps = NULL, again = NULL;
  g_autofree char *command = NULL;
  g_autoptr (GError) error = NULL;

  capra_step_model_insert (pipeline, step, -1);
  g_assert_false (capra_step_model_get_raw_values (pipeline));
  capra_step_model_set_raw_values (pipeline, TRUE);
  g_assert_true (capra_step_model_get_raw_values (pipeline));
  capra_step_model_undo (pipeline);
  g_assert_false (capra_step_model_get_raw_values (pipeline));
  capra_step_model_redo (pipeline);
  g_assert_true (capra_step_model_get_raw_values (pipeline));

  steps = capra_step_model_snapshot (pipeline);
  command = capra_steps_to_command (steps);
  g_assert_true (g_str_has_prefix (command, "--data -- gegl:gaussian-blur"));
  g_assert_true (capra_presets_save ("numbers", steps, &error));
  g_assert_no_error (error);
  again = capra_presets_load ("numbers", &error);
  g_assert_no_error (error);
  capra_step_model_replace (other, again);
  g_assert_true (capra_step_model_get_raw_values (other));
}

int
main (int argc, char **argv)
{
  int status;

  support_devices (); /* without a writable cache folder, as in a sandbox, PoCL has no devices */
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  gegl_init (NULL, NULL);
  capra_log_catcher_install ();
  folder = g_dir_make_tmp ("capra-data-XXXXXX", NULL);
  g_test_add_func ("/data/exact", test_exact);
  g_test_add_func ("/data/large-labels", test_large_labels);
  g_test_add_func ("/data/types", test_types);
  g_test_add_func ("/data/pictures", test_pictures);
  g_test_add_func ("/data/second-inputs", test_second_inputs);
  g_test_add_func ("/data/kept", test_kept);
  g_test_add_func ("/data/display", test_display);
  g_test_add_func ("/data/pipeline", test_pipeline);
  if (gegl_has_operation ("capra:threshold"))
    g_test_add_func ("/data/operations", test_operations);
  status = g_test_run ();
  shot_remove (folder);
  g_free (folder);
  return status;
}
