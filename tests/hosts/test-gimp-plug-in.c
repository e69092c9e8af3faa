/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP 2.10 and 3 without a window: the plug-in's procedures, called by Script-Fu batches. */
#include <string.h>

#include "tests/hosts/gimp-script.h"
#include "tests/hosts/reference.h"

#define TOLERANCE 1.2e-5
#define INVERT "<gegl><node operation='gegl:invert-gamma'/></gegl>"

static void
test_layer (void)
{
  const char *input = hosts_path ("layer.tif"), *output = hosts_path ("layer-out.tif");
  g_autofree char *body = gimp_script_apply (
    "<?xml version='1.0' encoding='UTF-8'?><gegl>"
    "<node operation='capra:box-blur'><params><param name='radius'>3</param></params></node>"
    "<node operation='capra:gaussian-blur'><params><param name='std-dev-x'>2</param>"
    "<param name='std-dev-y'>5</param><param name='abyss-policy'>mirror</param></params></node></gegl>");
  g_autoptr (HostsImage) sample = hosts_image_sample (203, 147, 3);
  g_autoptr (HostsImage) image = NULL, blurred = NULL, expected = NULL, found = NULL;

  hosts_image_save (sample, input, "RGB");
  image = hosts_image_load (input, "RGB");
  blurred = reference_gaussian (image, 2.0, 5.0, 4.0, REFERENCE_MIRROR);
  expected = reference_box (blurred, 3, REFERENCE_CLAMP);
  gimp_script_run (input, output, body);
  found = hosts_image_load (output, "RGB");
  hosts_assert_close (found, expected, 2 * TOLERANCE);
}

/* Also reads the steps from a file. Pixels outside the selection are read, but not changed. */
static void
test_selection (void)
{
  const char *input = hosts_path ("selected.tif"), *output = hosts_path ("selected-out.tif");
  const char *graph = hosts_write ("selected.xml", BOX);
  g_autofree char *call = g_strdup_printf (gimp_is_3 ()
                                             ? "(plug-in-capra-file #:run-mode RUN-NONINTERACTIVE #:image image"
                                               " #:drawables (vector layer) #:file \"%s\")"
                                             : "(plug-in-capra-file RUN-NONINTERACTIVE image layer \"%s\")",
                                           graph);
  g_autofree char *body = g_strconcat ("(gimp-image-select-rectangle image CHANNEL-OP-REPLACE 30 20 100 70)", call,
                                       NULL);
  g_autoptr (HostsImage) sample = hosts_image_sample (150, 131, 1);
  g_autoptr (HostsImage) image = NULL, expected = NULL, found = NULL;

  hosts_image_save (sample, input, "Y");
  image = hosts_image_load (input, "Y");
  expected = reference_box (image, 4, REFERENCE_CLAMP);
  for (int i = 0; i < 150 * 131; i++)
    if (i % 150 < 30 || i % 150 >= 130 || i / 150 < 20 || i / 150 >= 90)
      expected->values[i] = image->values[i];
  gimp_script_run (input, output, body);
  found = hosts_image_load (output, "Y");
  hosts_assert_close (found, expected, TOLERANCE);
}

/* A layer with an offset, partly outside of the image. The selection overlaps it in columns 40 to 59. */
static void
test_offsets (void)
{
  const char *input = hosts_path ("offset.tif"), *output = hosts_path ("offset-out.tif");
  g_autofree char *call = gimp_script_apply (BOX);
  g_autofree char *body = g_strdup_printf ("(gimp-layer-set-offsets layer 40 -10)"
                                           "(gimp-image-select-rectangle image CHANNEL-OP-REPLACE 0 0 60 30)"
                                           "%s (gimp-layer-set-offsets layer 0 0)",
                                           call);
  g_autoptr (HostsImage) sample = hosts_image_sample (150, 131, 1);
  g_autoptr (HostsImage) image = NULL, expected = NULL, found = NULL;

  hosts_image_save (sample, input, "Y");
  image = hosts_image_load (input, "Y");
  expected = reference_box (image, 4, REFERENCE_CLAMP);
  for (int i = 0; i < 150 * 131; i++)
    if (i % 150 >= 20 || i / 150 < 10 || i / 150 >= 40)
      expected->values[i] = image->values[i];
  gimp_script_run (input, output, body);
  found = hosts_image_load (output, "Y");
  hosts_assert_close (found, expected, TOLERANCE);
}

/* Every precision, with a tolerance for its rounding. */
static void
test_precisions (void)
{
  static const struct {
    int precision; /* numbers, since Script-Fu has no names for precisions that are not linear */
    double tolerance;
  } precisions[] = {
    { 150 /* U8_NON_LINEAR */, 0.006 },        { 200 /* U16_LINEAR */, 5e-5 },
    { 350 /* U32_NON_LINEAR */, TOLERANCE },   { 500 /* HALF_LINEAR */, 6e-4 },
    { 650 /* FLOAT_NON_LINEAR */, TOLERANCE }, { 700 /* DOUBLE_LINEAR */, TOLERANCE },
  };
  const char *input = hosts_path ("precise.tif");
  g_autoptr (HostsImage) sample = hosts_image_sample (131, 70, 3);
  g_autoptr (HostsImage) image = NULL, expected = NULL;
  g_autoptr (GPtrArray) scripts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (HostsRun) run = NULL;

  hosts_image_save (sample, input, "RGB");
  image = hosts_image_load (input, "RGB");
  expected = reference_box (image, 4, REFERENCE_CLAMP);
  for (guint i = 0; i < G_N_ELEMENTS (precisions); i++)
    {
      g_autofree char *name = g_strdup_printf ("precise-%d.tif", precisions[i].precision);
      g_autofree char *call = gimp_script_apply (BOX);
      g_autofree char *body = g_strdup_printf (
        "(if (not (= %d (car (gimp-image-get-precision image))))"
        "    (gimp-image-convert-precision image %d))"
        "(gimp-layer-add-alpha layer) %s (gimp-image-convert-precision image PRECISION-FLOAT-LINEAR)",
        precisions[i].precision, precisions[i].precision, call);

      g_ptr_array_add (scripts, gimp_script_make (input, hosts_path (name), body));
    }
  run = gimp_run_scripts (NULL, scripts);
  g_assert_true (gimp_succeeded (run));
  for (guint i = 0; i < G_N_ELEMENTS (precisions); i++)
    {
      g_autofree char *name = g_strdup_printf ("precise-%d.tif", precisions[i].precision);
      g_autoptr (HostsImage) found = hosts_image_load (hosts_path (name), "RGB");

      g_test_message ("precision %d", precisions[i].precision);
      hosts_assert_close (found, expected, precisions[i].tolerance);
    }
}

/* The colors of labels are the same bytes in layers of every precision. The background is transparent, or black in
 * layers without alpha. */
static void
test_label_colors (void)
{
  static const struct {
    int precision;
    gboolean alpha;
  } layers[] = { { 150, TRUE }, { 150, FALSE }, { 250, TRUE }, { 650, TRUE }, { 600, FALSE } };
  static const double colors[2][3] = { { 0x21, 0x56, 0xd9 }, { 0x8a, 0xb3, 0x50 } }; /* of labels 1 and 2 */
  const char *input = hosts_path ("regions.tif");
  g_autoptr (HostsImage) image = hosts_image_new (90, 70, 3), expected = hosts_image_new (90, 70, 4);
  g_autoptr (GPtrArray) scripts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (HostsRun) run = NULL;

  for (int i = 0; i < 90 * 70; i++)
    {
      int region = i / 90 < 10 || i / 90 > 50 ? 0 : i % 90 < 30 ? 1 : i % 90 < 40 ? 0 : 2;

      for (int c = 0; c < 3; c++)
        {
          image->values[3 * i + c] = region > 0;
          expected->values[4 * i + c] = region > 0 ? colors[region - 1][c] / 255 : 0;
        }
    }
  hosts_image_save (image, input, "RGB");
  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    {
      g_autofree char *name = g_strdup_printf ("regions-%u.tif", i);
      g_autofree char *call = gimp_script_apply ("<gegl><node operation='capra:label'/></gegl>");
      g_autofree char *body = g_strdup_printf ("(if (not (= %d (car (gimp-image-get-precision image))))"
                                               "    (gimp-image-convert-precision image %d)) %s %s",
                                               layers[i].precision, layers[i].precision,
                                               layers[i].alpha ? "(gimp-layer-add-alpha layer)" : "", call);

      g_ptr_array_add (scripts, gimp_script_make (input, hosts_path (name), body));
    }
  run = gimp_run_scripts (NULL, scripts);
  g_assert_true (gimp_succeeded (run));
  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    {
      g_autofree char *name = g_strdup_printf ("regions-%u.tif", i);
      g_autoptr (HostsImage) found = hosts_image_load (hosts_path (name), "R'G'B'A");

      for (int k = 0; k < 90 * 70; k++)
        expected->values[4 * k + 3] = !layers[i].alpha || image->values[3 * k] > 0;
      g_test_message ("precision %d, alpha %d", layers[i].precision, layers[i].alpha);
      hosts_assert_close (found, expected, 0.4 / 255);
    }
}

/* GIMP 3: each step becomes an effect, in the order of the steps. Merging them gives the same result as applying. */
static void
test_effects (void)
{
  const char *input = hosts_path ("effects.tif"), *output = hosts_path ("effects-out.tif");
  g_autoptr (HostsImage) sample = hosts_image_sample (150, 131, 3);
  g_autoptr (HostsImage) image = NULL, expected = NULL, found = NULL;

  hosts_image_save (sample, input, "RGB");
  image = hosts_image_load (input, "RGB");
  expected = reference_gaussian (image, 3.0, 5.0, 4.0, REFERENCE_MIRROR);
  for (int i = 0; i < 3 * 150 * 131; i++)
    expected->values[i] = 1.0 - expected->values[i];
  gimp_script_run (input, output,
                   "(plug-in-capra #:run-mode RUN-NONINTERACTIVE #:image image #:drawables (vector layer)"
                   " #:effects TRUE #:xml \"<gegl><node operation='gegl:invert-linear'/>"
                   "<node operation='capra:gaussian-blur'><params><param name='std-dev-x'>3</param>"
                   "<param name='std-dev-y'>5</param><param name='abyss-policy'>mirror</param></params></node>"
                   "</gegl>\")"
                   "(if (not (= 2 (vector-length (car (gimp-drawable-get-filters layer))))) (error \"effects\"))"
                   "(gimp-drawable-merge-filters layer)");
  found = hosts_image_load (output, "RGB");
  hosts_assert_close (found, expected, 2 * TOLERANCE);
}

/* GIMP 3: scripts use the operations as filters. GIMP sets every property of a type that it supports, also results.
 * Scripts can set all properties except for the file of a matrix. */
static void
test_filters (void)
{
  const char *input = hosts_path ("filters.tif"), *output = hosts_path ("filters-out.tif");
  g_autoptr (HostsImage) sample = hosts_image_sample (150, 131, 3);
  g_autoptr (HostsImage) image = NULL, found = NULL;
  g_autofree char *log = NULL;

  hosts_image_save (sample, input, "RGB");
  image = hosts_image_load (input, "RGB");
  for (int i = 0; i < 3 * 150 * 131; i++)
    image->values[i] = 0.25 + image->values[i] / 2;
  log = gimp_script_run_log (
    input, output,
    "(gimp-drawable-append-new-filter layer \"capra:statistics\" \"\" LAYER-MODE-REPLACE 1.0)"
    "(gimp-drawable-merge-filters layer)"
    "(let* ((own (car (gimp-layer-copy layer TRUE))))"
    "  (gimp-image-insert-layer image own 0 0)"
    "  (gimp-drawable-append-new-filter own \"capra:label\" \"\" LAYER-MODE-REPLACE 1.0 \"min-size\" 2)"
    "  (gimp-drawable-merge-filters own)"
    "  (gimp-drawable-merge-new-filter own \"capra:threshold\" \"\" LAYER-MODE-REPLACE 1.0 \"method\" \"otsu\")"
    "  (gimp-drawable-merge-new-filter own \"capra:measure\" \"\" LAYER-MODE-REPLACE 1.0 \"device\" \"0\")"
    "  (gimp-image-remove-layer image own))"
    "(gimp-drawable-merge-new-filter layer \"capra:convolve\" \"\" LAYER-MODE-REPLACE 1.0 \"matrix\" \"1\""
    " \"correlate\" TRUE \"divisor\" 2.0 \"offset\" 0.25 \"extent\" \"same\" \"border\" \"mirror\""
    " \"stride-x\" 1 \"stride-y\" 1 \"device\" \"0\")");
  if (strstr (log, "is not writable"))
    g_error ("GIMP: %s", log);
  found = hosts_image_load (output, "RGB");
  hosts_assert_close (found, image, 2 * TOLERANCE);
}

/* Other kinds of drawables, each inverted: layers of indexed images, masks, and floating selections. */
static void
test_kinds (void)
{
  static const char *const bodies[] = {
    "(gimp-image-convert-precision image 150)"
    "(gimp-image-convert-indexed image CONVERT-DITHER-NONE CONVERT-PALETTE-MONO 0 FALSE FALSE \"\")"
    "%s (gimp-image-convert-rgb image)"
    "(gimp-image-convert-precision image PRECISION-FLOAT-LINEAR)",
    "(let* ((mask (car (gimp-layer-create-mask layer ADD-MASK-WHITE))) (own layer))"
    "  (gimp-layer-add-mask layer mask) (set! layer mask) %s (set! layer own)"
    "  (gimp-layer-set-apply-mask layer TRUE) (gimp-layer-remove-mask layer MASK-APPLY)"
    "  (gimp-image-flatten image) (set! layer (car (gimp-image-get-active-drawable image))))",
    "(let* ((own layer)) (gimp-selection-all image)"
    "  (gimp-edit-copy layer) (set! layer (car (gimp-edit-paste layer FALSE)))"
    "  %s (gimp-floating-sel-anchor layer) (set! layer own))",
  };
  const char *input = hosts_path ("kinds.tif");
  g_autofree char *call = gimp_script_apply (INVERT);
  g_autoptr (HostsImage) sample = hosts_image_new (70, 50, 3);
  g_autoptr (GPtrArray) scripts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (HostsRun) run = NULL;

  for (int i = 0; i < 3 * 70 * 50; i++)
    sample->values[i] = i / 3 % 70 < 30;
  hosts_image_save (sample, input, "RGB");
  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      g_autofree char *name = g_strdup_printf ("kinds-%u.tif", i);
      GString *body = g_string_new (bodies[i]);

      g_string_replace (body, "%s", call, 0);
      g_ptr_array_add (scripts, gimp_script_make (input, hosts_path (name), body->str));
      g_string_free (body, TRUE);
    }
  run = gimp_run_scripts (NULL, scripts);
  g_assert_true (gimp_succeeded (run));
  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      g_autofree char *name = g_strdup_printf ("kinds-%u.tif", i);
      g_autoptr (HostsImage) found = hosts_image_load (hosts_path (name), "RGB");

      for (int j = 0; j < 3 * 70 * 50; j++)
        /* The mask hides all of the layer: the background is white. */
        g_assert_cmpfloat_with_epsilon (found->values[j], i == 1 ? 1.0 : 1.0 - sample->values[j], 1e-6);
    }
}

/* Errors are reported with their reason, and the image is unchanged. */
static void
test_errors (void)
{
  static const struct {
    const char *before, *xml, *words;
  } cases[] = {
    { "", "", "No steps to apply" },
    { "", "<gegl></gegl>", "No steps to apply" },
    { "", "<gegl><node", "line 1" },
    { "", "<gegl><node operation='gegl:no-such'/></gegl>", "Unknown operation \"gegl:no-such\"" },
    { "", "<gegl><node operation='gegl:png-save'/></gegl>", "\"gegl:png-save\", which writes files" },
    { "", "<gegl><node operation='capra:measure-save'/></gegl>", "\"capra:measure-save\", which writes files" },
    { "", "<gegl><node operation='gegl:gegl'/></gegl>", "\"gegl:gegl\", which writes files or runs other" },
    { "", "<gegl><node operation='capra:box-blur'><params><param name='radius'>x</param></params></node></gegl>",
      "Invalid value \"x\"" },
    { "", "<gegl><node operation='capra:box-blur'><params><param name='device'>none</param></params></node></gegl>",
      "unknown device \"none\"" },
    { "(gimp-layer-set-offsets layer 0 15)(gimp-image-select-rectangle image CHANNEL-OP-REPLACE 0 0 30 10)", INVERT,
      "The selection does not intersect the layer" },
    { "(gimp-item-set-lock-content layer TRUE)", INVERT, "pixels are locked" },
    { "(let* ((group (car %s))) (gimp-image-insert-layer image group 0 0) (set! layer group))", INVERT,
      "A layer group has no pixels" },
  };
  const char *input = hosts_path ("errors.tif"), *output = hosts_path ("errors-out.tif");
  g_autoptr (HostsImage) sample = hosts_image_sample (30, 20, 1);
  g_autoptr (GPtrArray) scripts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (HostsRun) run = NULL;
  const char *said = NULL;

  hosts_image_save (sample, input, "Y");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *call = gimp_script_apply (cases[i].xml);
      GString *body = g_string_new (cases[i].before);

      g_string_replace (body, "%s",
                        gimp_is_3 () ? "(gimp-group-layer-new image \"group\")" : "(gimp-layer-group-new image)", 0);
      g_string_append (body, call);
      g_ptr_array_add (scripts, gimp_script_make (input, output, body->str));
      g_string_free (body, TRUE);
    }
  run = gimp_run_scripts (NULL, scripts);
  said = run->err; /* in the order of the cases */
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      said = strstr (said, "rror for procedure 'plug-in-capra':\n");
      if (!said || !strstr (said, cases[i].words))
        g_error ("no error “%s”:\n%s%s", cases[i].words, run->out, run->err);
      said++;
    }
  g_assert_false (g_file_test (output, G_FILE_TEST_EXISTS)); /* no script exported an image */
}

/* Without OpenCL, GEGL's own operations work, and Capra's operations report the missing OpenCL device. */
static void
test_no_device (void)
{
  const char *input = hosts_path ("device.tif");
  const char *good = hosts_path ("device-good.tif"), *bad = hosts_path ("device-bad.tif");
  g_autofree char *settings = g_strdup_printf ("OCL_ICD_VENDORS=%s", hosts_path ("no-vendors"));
  g_autofree char *box = gimp_script_apply (BOX);
  g_autofree char *invert = gimp_script_apply (INVERT);
  g_autoptr (HostsImage) sample = hosts_image_sample (30, 20, 1);
  g_autoptr (GPtrArray) scripts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (HostsRun) run = NULL;

  hosts_image_save (sample, input, "Y");
  g_ptr_array_add (scripts, gimp_script_make (input, bad, box));
  g_ptr_array_add (scripts, gimp_script_make (input, good, invert));
  run = gimp_run_scripts (settings, scripts);
  g_assert_nonnull (strstr (run->err, "OpenCL"));
  g_assert_false (g_file_test (bad, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (good, G_FILE_TEST_EXISTS));
}

/* GIMP 2.10 has stored the icon of the menu item as pixels, since its themes do not have an icon of that name. */
static void
test_icon (void)
{
  g_autoptr (GPtrArray) scripts = g_ptr_array_new ();
  g_autoptr (HostsRun) run = gimp_run_scripts (NULL, scripts);
  g_autofree char *known = NULL;
  gsize length = 0;

  g_assert_true (gimp_succeeded (run));
  g_assert_true (g_file_get_contents (hosts_path ("gimp/pluginrc"), &known, &length, NULL));
  g_assert_nonnull (g_strstr_len (known, (gssize) length, "(icon inline-pixbuf"));
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  g_test_add_func ("/gimp/plug-in/layer", test_layer);
  g_test_add_func ("/gimp/plug-in/errors", test_errors);
  if (!g_test_slow ())
    return hosts_end ();
  g_test_add_func ("/gimp/plug-in/selection", test_selection);
  g_test_add_func ("/gimp/plug-in/offsets", test_offsets);
  g_test_add_func ("/gimp/plug-in/precisions", test_precisions);
  g_test_add_func ("/gimp/plug-in/label-colors", test_label_colors);
  if (gimp_is_3 ())
    {
      g_test_add_func ("/gimp/plug-in/effects", test_effects);
      g_test_add_func ("/gimp/plug-in/filters", test_filters);
    }
  else
    {
      g_test_add_func ("/gimp/plug-in/kinds", test_kinds);
      g_test_add_func ("/gimp/plug-in/icon", test_icon);
    }
  g_test_add_func ("/gimp/plug-in/no-device", test_no_device);
  return hosts_end ();
}
