/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP 2.10 and 3: the panel's preview is what Apply gives, pixel by pixel; changes of the layer are noticed; steps
 * that were not applied are kept with the layer. */
#include <math.h>
#include <string.h>

#include "tests/hosts/gimp-script.h"
#include "tests/hosts/reference.h"

#define WIDTH 203
#define HEIGHT 147
#define TOLERANCE (1.6 / 255) /* of the screen, where associated colors are rounded */

#define FEATHER \
  "(gimp-context-set-feather TRUE) (gimp-context-set-feather-radius 15 15)" \
  "(gimp-image-select-ellipse image CHANNEL-OP-REPLACE 60 40 90 70)"
#define BLUR "capra:gaussian-blur std-dev-x=6 std-dev-y=6"
#define SMALL_BLUR "capra:gaussian-blur std-dev-x=3 std-dev-y=3" /* exactly as the reference */
#define INVERT "gegl:invert-gamma"

typedef struct {
  const char *name;
  const char *prepare; /* what a script does with "image" and "layer" before */
  const char *steps;   /* as a command */
  const char *panel;   /* commands before the picture is taken */
  const char *finish;  /* what the script does afterwards */
} Case;

static char *
make_path (const char *name, const char *end)
{
  g_autofree char *file = g_strconcat (name, end, NULL);

  return g_strdup (hosts_path (file));
}

/* The color of the screen, over the checkerboard of transparent parts. */
static double
get_shown (const double *pixel, int channel, int x, int y)
{
  double check = ((x >> 3) + (y >> 3)) & 1 ? 0x66 / 255.0 : 0x99 / 255.0;
  double alpha = CLAMP (pixel[3], 0.0, 1.0);

  return CLAMP (pixel[channel], 0.0, 1.0) * alpha + check * (1 - alpha);
}

/* Values of pixels that differ. */
typedef struct {
  int count;
  GeglRectangle area;    /* that contains them */
  double seen, expected; /* of the first one */
} Difference;

static void
add_difference (Difference *difference, int x, int y, double seen, double expected)
{
  if (difference->count++ == 0)
    {
      difference->seen = seen;
      difference->expected = expected;
      difference->area = *GEGL_RECTANGLE (x, y, 1, 1);
    }
  gegl_rectangle_bounding_box (&difference->area, &difference->area, GEGL_RECTANGLE (x, y, 1, 1));
}

/* Fails unless the picture of the panel, at 100 %, shows @result, and differs from @before. */
static void
compare (const HostsRun *run, const char *name, const HostsImage *picture, const HostsImage *result,
         const HostsImage *before)
{
  int left = (int) round (picture->width / 2.0 - WIDTH / 2.0), top = (int) round (picture->height / 2.0 - HEIGHT / 2.0);
  Difference wrong = { .count = 0 }, changed = { .count = 0 };

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      for (int c = 0; c < 3; c++)
        {
          gsize i = 4 * ((gsize) y * WIDTH + (gsize) x);
          double seen = picture->values[3 * ((gsize) (top + y) * (gsize) picture->width + (gsize) (left + x)) + c];
          double expected = get_shown (result->values + i, c, x, y);

          if (fabs (seen - expected) > TOLERANCE)
            add_difference (&wrong, x, y, seen, expected);
          if (fabs (expected - get_shown (before->values + i, c, x, y)) > TOLERANCE)
            add_difference (&changed, x, y, 0, 0);
        }
  if (wrong.count > 0)
    g_error ("%s: %d values differ, all in %dx%d at %d, %d; in the first one the preview shows %g, the layer has %g\n"
             "%s%s",
             name, wrong.count, wrong.area.width, wrong.area.height, wrong.area.x, wrong.area.y, wrong.seen,
             wrong.expected, run->out, run->err);
  if (changed.count <= 3000)
    g_error ("%s: only %d values have changed\n%s%s", name, changed.count, run->out, run->err);
}

/* Fails, with what GIMP said, unless the file was written. */
static HostsImage *
load (const HostsRun *run, const char *path, const char *format)
{
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    g_error ("%s was not written\n%s%s", path, run->out, run->err);
  return hosts_image_load (path, format);
}

static void
run_cases (const Case *cases, guint count)
{
  g_autoptr (HostsImage) sample = hosts_image_sample (WIDTH, HEIGHT, 3);
  g_autoptr (GPtrArray) scripts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) panels = g_string_new (NULL);
  g_autofree char *input = make_path ("preview", ".tif");
  g_autoptr (HostsImage) before = NULL;
  g_autoptr (HostsRun) run = NULL;

  hosts_image_save (sample, input, "RGB");
  before = hosts_image_load (input, "R'G'B'A");
  for (guint i = 0; i < count; i++)
    {
      g_autofree char *picture = make_path (cases[i].name, ".png"), *output = make_path (cases[i].name, ".tif");
      g_autofree char *body = g_strconcat (cases[i].prepare, gimp_script_get_panel (), cases[i].finish, NULL);

      g_ptr_array_add (scripts, gimp_script_make (input, output, body));
      g_string_append_printf (panels, "%spaste %s;action win.zoom-fit;picture %s;action win.save\n", cases[i].panel,
                              cases[i].steps, picture);
    }
  run = gimp_run_panels (scripts, panels->str);
  if (!gimp_succeeded (run) || strstr (run->err, "error for procedure")) /* which GIMP shows to the user */
    g_error ("GIMP: status %d\n%s%s", run->status, run->out, run->err);
  for (guint i = 0; i < count; i++)
    {
      g_autofree char *picture = make_path (cases[i].name, ".png"), *output = make_path (cases[i].name, ".tif");
      g_autoptr (HostsImage) shown = load (run, picture, "R'G'B'"), result = load (run, output, "R'G'B'A");

      g_test_message ("%s", cases[i].name);
      compare (run, cases[i].name, shown, result, before);
    }
}

/* Selections, alpha, precisions and palettes. */
static void
test_layers (void)
{
  static const Case cases[] = {
    { "preview-feather", "(gimp-image-convert-precision image 150) (gimp-layer-add-alpha layer)" FEATHER, INVERT, "",
      "" },
    { "preview-float", FEATHER, BLUR, "", "" },
    { "preview-transparent", "(gimp-image-convert-precision image 150) (gimp-layer-add-alpha layer)" FEATHER,
      "gegl:opacity value=0.4", "", "" },
    { "preview-locked",
      "(gimp-image-convert-precision image 150) (gimp-layer-add-alpha layer) (gimp-layer-set-lock-alpha layer TRUE)",
      "gegl:opacity value=0.4 " INVERT, "", "" },
    { "preview-labels", "(gimp-image-convert-precision image 150)", "capra:threshold method=otsu capra:label", "", "" },
    { "preview-colors",
      "(gimp-image-convert-precision image 150)"
      "(gimp-image-convert-indexed image CONVERT-DITHER-NONE CONVERT-PALETTE-GENERATE 8 FALSE FALSE \"\")" FEATHER,
      BLUR, "", "" },
    { "preview-gray", "(gimp-image-convert-precision image 250) (gimp-image-convert-grayscale image)" FEATHER, INVERT,
      "", "" },
    { "preview-gray-alpha",
      "(gimp-image-convert-precision image 150) (gimp-image-convert-grayscale image)"
      "(gimp-layer-add-alpha layer)" FEATHER,
      "gegl:opacity value=0.4", "", "" },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

/* Layers that reach over the image's borders, that have a mask, or a palette with alpha; and a mask, whose values are
 * linear, and which becomes a layer to be saved. */
static void
test_drawables (void)
{
  static const Case cases[] = {
    { "preview-offset", "(gimp-image-convert-precision image 250) (gimp-layer-set-offsets layer 31 -17)" FEATHER, BLUR,
      "", "(gimp-layer-set-offsets layer 0 0)" },
    { "preview-float-gray",
      "(gimp-image-convert-precision image 600) (gimp-image-convert-grayscale image)"
      "(gimp-layer-set-offsets layer -40 20)" FEATHER,
      INVERT, "", "(gimp-layer-set-offsets layer 0 0)" },
    { "preview-colors-alpha",
      "(gimp-image-convert-precision image 150) (gimp-layer-add-alpha layer)"
      "(gimp-image-convert-indexed image CONVERT-DITHER-NONE CONVERT-PALETTE-GENERATE 8 FALSE FALSE \"\")" FEATHER,
      "gegl:opacity value=0.4 " INVERT, "", "(gimp-image-convert-rgb image)" },
    { "preview-masked",
      "(gimp-image-convert-precision image 150) (gimp-layer-add-alpha layer)"
      "(gimp-layer-add-mask layer (car (gimp-layer-create-mask layer ADD-MASK-COPY)))"
      "(gimp-layer-set-edit-mask layer FALSE)" FEATHER,
      INVERT, "", "(gimp-layer-remove-mask layer MASK-DISCARD)" },
    { "preview-mask",
      "(gimp-image-convert-precision image 150) (gimp-layer-add-alpha layer)"
      "(let* ((mask (car (gimp-layer-create-mask layer ADD-MASK-COPY))))"
      "  (gimp-layer-add-mask layer mask) (set! layer mask))" FEATHER,
      INVERT, "",
      "(let* ((old (car (gimp-layer-from-mask layer))) (new (car (gimp-layer-new-from-drawable layer image))))"
      "  (gimp-image-insert-layer image new 0 -1) (gimp-image-remove-layer image old) (set! layer new))" },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

/* GIMP 3: with the choice "with effects", the steps come after those that the layer has, and Apply merges them. Before
 * them, the effects remain. */
static void
test_effects (void)
{
  static const Case cases[] = {
    { "preview-with",
      "(gimp-image-convert-precision image 150)"
      "(gimp-drawable-append-new-filter layer \"gegl:invert-gamma\" \"\" LAYER-MODE-REPLACE 1.0)" FEATHER,
      BLUR, "wait before its effect;choose 1;wait with its effect;",
      "(if (not (= 0 (vector-length (car (gimp-drawable-get-filters layer))))) (error \"effects\"))" },
    { "preview-before",
      "(gimp-image-convert-precision image 150)"
      "(gimp-drawable-append-new-filter layer \"gegl:invert-gamma\" \"\" LAYER-MODE-REPLACE 1.0)" FEATHER,
      BLUR, "wait before its effect;",
      "(gimp-drawable-filter-delete (vector-ref (car (gimp-drawable-get-filters layer)) 0))" },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

/* The layer is filled with black while the panel is open. After Reload the preview shows that. */
static void
test_reload (void)
{
  static const Case cases[] = {
    { "preview-reload", "(gimp-image-convert-precision image 150) (gimp-context-set-foreground \"black\")", INVERT,
      "wait 100 %;fill;wait has changed;click Reload;", "" },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

/* Closing the panel keeps its steps, without an undo step; opening it again offers them; applying them removes them. */
static void
test_kept_steps (void)
{
  g_autoptr (HostsImage) sample = hosts_image_sample (WIDTH, HEIGHT, 3);
  g_autoptr (HostsImage) image = NULL, expected = NULL, found = NULL;
  g_autoptr (GPtrArray) scripts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *input = make_path ("kept", ".tif"), *output = make_path ("kept-out", ".tif");
  g_autofree char *xcf = make_path ("kept", ".xcf"), *body = NULL;
  g_autoptr (HostsRun) run = NULL;
  const char *open = gimp_script_get_panel ();

  hosts_image_save (sample, input, "RGB");
  image = hosts_image_load (input, "RGB");
  /* The calls that are closed return as canceled, an error in scripts. The last panel has no steps at first: none were
   * applied before. */
  if (gimp_is_3 ())
    body = g_strdup_printf ("(catch #t %s)"
                            "(gimp-xcf-save RUN-NONINTERACTIVE image \"%s\")"
                            "(set! image (car (gimp-file-load RUN-NONINTERACTIVE \"%s\")))"
                            "(set! layer (vector-ref (car (gimp-image-get-layers image)) 0))"
                            "(gimp-item-get-parasite layer \"capra-steps\")"
                            "(catch #t %s) (gimp-item-get-parasite layer \"capra-steps\") %s"
                            "(if (member \"capra-steps\" (car (gimp-item-get-parasite-list layer))) (error \"kept\"))",
                            open, xcf, xcf, open, open);
  else
    body = g_strdup_printf ("(catch #t %s)"
                            "(gimp-xcf-save RUN-NONINTERACTIVE image layer \"%s\" \"%s\")"
                            "(set! image (car (gimp-file-load RUN-NONINTERACTIVE \"%s\" \"%s\")))"
                            "(set! layer (car (gimp-image-get-active-drawable image)))"
                            "(gimp-item-get-parasite layer \"capra-steps\")"
                            "(catch #t %s) (gimp-item-get-parasite layer \"capra-steps\") %s"
                            "(if (> (car (gimp-item-get-parasite-list layer)) 0) (error \"kept\"))",
                            open, xcf, xcf, xcf, xcf, open, open);
  g_ptr_array_add (scripts, gimp_script_make (input, output, body));
  run = gimp_run_panels (scripts, "paste " SMALL_BLUR ";wait Gaussian;close\n"
                                  "wait kept with this layer;close\n"
                                  "wait kept with this layer;click Restore Steps;wait Gaussian;action win.save\n");
  if (!gimp_succeeded (run))
    g_error ("GIMP: status %d\n%s%s", run->status, run->out, run->err);
  found = hosts_image_load (output, "RGB");
  expected = reference_gaussian (image, 3.0, 3.0, 4.0, REFERENCE_CLAMP);
  hosts_assert_close (found, expected, 1.2e-5);
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  g_test_add_func ("/gimp/preview/layers", test_layers);
  g_test_add_func ("/gimp/preview/drawables", test_drawables);
  if (gimp_is_3 ())
    g_test_add_func ("/gimp/preview/effects", test_effects);
  g_test_add_func ("/gimp/preview/reload", test_reload);
  g_test_add_func ("/gimp/preview/kept-steps", test_kept_steps);
  return hosts_end ();
}
