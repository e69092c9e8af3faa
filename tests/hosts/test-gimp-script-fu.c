/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The script that the panel copies runs in the installed GIMP, and gives the result that the panel saves. */
#include <string.h>

#include <glib/gstdio.h>

#include "tests/hosts/gimp.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/script-fu.h"
#include "ui/pipeline/write/save.h"

#define WIDTH 123
#define HEIGHT 87

static const char chain[] = "capra:box-blur radius=3 gegl:invert-gamma capra:gaussian-blur std-dev-x=2 std-dev-y=1";

static GeglBuffer *
make_image (void)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format ("R'G'B' u8"));
  g_autofree guint8 *pixels = g_malloc (3 * WIDTH * HEIGHT);

  for (int i = 0; i < 3 * WIDTH * HEIGHT; i++)
    pixels[i] = (guint8) (i * 7 + i / (3 * WIDTH) * 13 + i % 3 * 60);
  gegl_buffer_set (buffer, NULL, 0, babl_format ("R'G'B' u8"), pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static void
save (const char *path, GeglBuffer *image, GPtrArray *steps)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  capra_save (file, image, steps, 8, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
run (const char *script, const char *output)
{
  g_autoptr (GPtrArray) scripts = g_ptr_array_new ();
  g_autoptr (HostsRun) result = NULL;

  g_ptr_array_add (scripts, (gpointer) script);
  result = gimp_run_scripts (NULL, scripts);
  if (!gimp_succeeded (result) || !g_file_test (output, G_FILE_TEST_IS_REGULAR))
    g_error ("GIMP: status %d\n%s\n%s%s", result->status, script, result->out, result->err);
}

/* From a file to a file. Each step of the plug-in's result is rounded once to 8 bits, as in the saved file. */
static void
check_file (const char *text)
{
  const char *input = hosts_path ("in \"quoted\" it's.png"), *output = hosts_path ("in \"quoted\" it's-capra.png");
  const char *expected = hosts_path ("expected.png");
  g_autoptr (GeglBuffer) image = make_image ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) steps = capra_steps_from_command (text, &error), none = g_ptr_array_new ();
  g_autofree char *script = NULL;
  g_autoptr (HostsImage) found = NULL, reference = NULL;

  g_assert_no_error (error);
  save (input, image, none);
  save (expected, image, steps);
  script = capra_steps_to_script_fu (steps, input, output, gimp_is_3 () ? CAPRA_GIMP_3 : CAPRA_GIMP_2);
  run (script, output);
  found = hosts_image_load (output, "R'G'B'");
  reference = hosts_image_load (expected, "R'G'B'");
  hosts_assert_close (found, reference, 1.001 / 255.0);
  g_remove (output);
}

static void
test_file (void)
{
  check_file (chain);
}

/* GIMP's Scheme reads strings of at most 1023 bytes: the XML of some steps is longer, and so can be one of its lines.
 */
static void
test_long (void)
{
  g_autoptr (GString) text = g_string_new (chain);

  g_string_append (text, " 'capra:convolve' 'matrix=");
  for (int i = 0; i < 15 * 15; i++)
    g_string_append_printf (text, "%.8f%s", 1.0 / (15 * 15), i % 15 == 14 && i < 15 * 15 - 1 ? "; " : " ");
  g_string_append (text, "' capra:gaussian-blur std-dev-x=1 std-dev-y=1 capra:box-blur radius=1");
  check_file (text->str);
}

/* On the image that is open. */
static void
test_open (void)
{
  const char *input = hosts_path ("open.png"), *output = hosts_path ("open-out.tif"), *expected = hosts_path ("e.png");
  g_autoptr (GeglBuffer) image = make_image ();
  g_autoptr (GPtrArray) steps = capra_steps_from_command (chain, NULL), none = g_ptr_array_new ();
  g_autofree char *call = NULL, *script = NULL;
  g_autoptr (HostsImage) found = NULL, reference = NULL;

  save (input, image, none);
  save (expected, image, steps);
  call = capra_steps_to_script_fu (steps, NULL, NULL, gimp_is_3 () ? CAPRA_GIMP_3 : CAPRA_GIMP_2);
  script = g_strdup_printf (
    gimp_is_3 () ? "(begin (gimp-file-load RUN-NONINTERACTIVE \"%s\") %s"
                   " (file-tiff-export #:run-mode RUN-NONINTERACTIVE"
                   " #:image (vector-ref (car (gimp-get-images)) 0) #:file \"%s\"))"
                 : "(let* ((opened (car (gimp-file-load RUN-NONINTERACTIVE \"%s\" \"\")))) %s"
                   " (file-tiff-save RUN-NONINTERACTIVE opened (car (gimp-image-get-active-drawable opened)) \"%s\""
                   " \"\" 0))",
    input, call, output);
  run (script, output);
  found = hosts_image_load (output, "R'G'B'");
  reference = hosts_image_load (expected, "R'G'B'");
  hosts_assert_close (found, reference, 1.001 / 255.0);
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  g_test_add_func ("/gimp-script-fu/file", test_file);
  g_test_add_func ("/gimp-script-fu/long", test_long);
  g_test_add_func ("/gimp-script-fu/open", test_open);
  return hosts_end ();
}
