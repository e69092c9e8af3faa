/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the panel copies is run by a shell, and gives the result that the panel saves. */
#include <gegl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/message-bar.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/read/frames.h"
#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/script-fu.h"
#include "ui/pipeline/text/shell-quote.h"
#include "ui/pipeline/write/save.h"

#define WIDTH 61
#define HEIGHT 47

static char *folder;

/* Names that a shell would change. */
static char *
write_image (const char *name, const char *format)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, format);
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  capra_save (file, image, none, strstr (format, "u16") ? 16 : 8, NULL, NULL, &error);
  g_assert_no_error (error);
  return path;
}

static CapraPanelWindow *
open_window (const char *path, const char *chain)
{
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, NULL, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) steps = capra_steps_from_command (chain, &error);

  g_assert_no_error (error);
  gtk_window_present (GTK_WINDOW (window));
  capra_document_open (capra_panel_window_get_document (window), file);
  SHOT_WAIT_FOR (capra_panel_window_get_preview (window) != NULL);
  capra_step_model_replace (capra_panel_window_get_pipeline (window), steps);
  if (g_str_has_prefix (chain, "--data"))
    shot_rest (1.0); /* the image is read again */
  return window;
}

static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, &error);
  g_assert_no_error (error);
}

static char *
copy (CapraPanelWindow *window, const char *action)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (window));
  char *text = NULL;

  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (window), action + strlen ("win.")));
  gdk_clipboard_set_content (clipboard, NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), action, NULL);
  SHOT_WAIT_FOR (gdk_clipboard_get_content (clipboard));
  gdk_clipboard_read_text_async (clipboard, NULL, on_text, &text);
  SHOT_WAIT_FOR (text);
  return text;
}

static void
run (const char *command)
{
  const char *const words[] = { "sh", "-c", command, NULL };
  g_autofree char *out = NULL, *err = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_spawn_sync ("/", (char **) words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err, &status, &error);
  g_assert_no_error (error);
  if (status != 0 || strstr (err, "rror") || strstr (err, "WARNING"))
    g_error ("status %d\n%s\n%s%s", status, command, out, err);
}

/* Colors, or raw values. */
static double *
load (const char *path, gboolean raw, int *channels)
{
  CapraFrame frame = { .path = path, .index = -1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraImage) image = capra_frames_load (&frame, raw, NULL, NULL, &error);
  const Babl *native = image ? gegl_buffer_get_format (image->buffer) : NULL;
  g_autofree float *floats = NULL;
  double *values = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (gegl_buffer_get_width (image->buffer), ==, WIDTH);
  g_assert_cmpint (gegl_buffer_get_height (image->buffer), ==, HEIGHT);
  *channels = raw ? babl_format_get_n_components (native) : 4;
  values = g_new (double, WIDTH * HEIGHT * *channels);
  if (!raw)
    {
      gegl_buffer_get (image->buffer, NULL, 1.0, babl_format ("R'G'B'A double"), values, GEGL_AUTO_ROWSTRIDE,
                       GEGL_ABYSS_NONE);
      return values;
    }
  g_assert_true (babl_format_get_type (native, 0) == babl_type ("float"));
  floats = g_new (float, WIDTH * HEIGHT * *channels);
  gegl_buffer_get (image->buffer, NULL, 1.0, native, floats, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (int i = 0; i < WIDTH * HEIGHT * *channels; i++)
    values[i] = (double) floats[i];
  return values;
}

static void
assert_same (const char *path, const char *expected, gboolean raw, double tolerance)
{
  int channels = 0, others = 0;
  g_autofree double *a = load (path, raw, &channels), *b = load (expected, raw, &others);

  g_assert_cmpint (channels, ==, others);
  for (int i = 0; i < WIDTH * HEIGHT * channels; i++)
    if (!(fabs (a[i] - b[i]) <= tolerance))
      g_error ("%s: value %d is %g instead of %g", path, i, a[i], b[i]);
}

/* The result that the panel saves. */
static char *
save (CapraPanelWindow *window, const char *suffix, int bits)
{
  g_autofree char *name = g_strconcat ("saved.", suffix, NULL);
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_remove (path);
  capra_panel_window_save (window, file, bits);
  SHOT_WAIT_FOR (g_file_test (path, G_FILE_TEST_EXISTS));
  return path;
}

/* Pasting the command gives the same steps, and hides the message of an earlier attempt. */
static void
assert_pasted (CapraPanelWindow *window, const char *text)
{
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (pipeline), none = g_ptr_array_new (), pasted = NULL;
  GtkWidget *errors = gtk_widget_get_first_child (shot_find (GTK_WIDGET (window), CAPRA_TYPE_MESSAGE_BAR));

  capra_step_model_replace (pipeline, none);
  capra_panel_window_show_error (window, "The clipboard contains no steps");
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (window)), text);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.paste-steps", NULL);
  SHOT_WAIT_FOR (capra_step_model_get_length (pipeline) == steps->len);
  g_assert_false (gtk_info_bar_get_revealed (GTK_INFO_BAR (errors)));
  pasted = capra_step_model_snapshot (pipeline);
  steps_assert_same (steps, pasted, TRUE);
  g_assert_cmpint (capra_step_get_raw_values (pasted->pdata[0]), ==, capra_step_get_raw_values (steps->pdata[0]));
}

static const struct {
  const char *name, *format, *chain, *program, *output; /* "" for the chain alone */
  double tolerance;
} cases[] = {
  /* The program gegl writes 16 bits. */
  { "a $(test) \"more\" #1.png", "R'G'B' u8", "capra:box-blur radius=3", "gegl ", "a $(test) \"more\" #1-capra.png",
    0.5 / 255.0 + 1e-4 },
  { "it's <a> & b.png", "R'G'B' u8", "capra:box-blur radius=3", "capra run ", "it's <a> & b-capra.png", 0.0 },
  { "alpha.png", "R'G'B'A u16", "capra:gaussian-blur std-dev-x=2 std-dev-y=3 abyss-policy=none", "gegl ",
    "alpha-capra.png", 2.0 / 65535.0 },
  { "grey.png", "Y' u8", "gegl:nop id=input gegl:invert-gamma gegl:subtract 'aux=[' ref=input ']'", "gegl ",
    "grey-capra.png", 0.5 / 255.0 + 1e-4 },
  { "-labels.png", "Y' u8", "capra:threshold value=0.4 capra:label rendering=numbers", "capra run ",
    "-labels-capra.tif", 0.0 },
  { "counts.tif", "Y u8", "--data -- capra:box-blur radius=2", "capra run --data ", "counts-capra.tif", 0.0 },
  { "linear.tif", "RGB float", "capra:box-blur radius=2", "capra run ", "linear-capra.png", 0.0 },
};

static void
test_command (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  gboolean raw = g_str_has_prefix (cases[i].chain, "--data"), numbers = g_str_has_suffix (cases[i].output, ".tif");
  g_autofree char *path = write_image (cases[i].name, cases[i].format);
  g_autofree char *output = g_build_filename (folder, cases[i].output, NULL);
  CapraPanelWindow *window = open_window (path, cases[i].chain);
  g_autofree char *text = copy (window, "win.copy-command");
  int bits = raw ? 0 : strstr (cases[i].format, "u8") ? 8 : 16;
  g_autofree char *saved = save (window, numbers ? "tif" : "png", bits);

  g_assert_true (g_str_has_prefix (text, cases[i].program));
  g_assert_false (g_file_test (output, G_FILE_TEST_EXISTS));
  run (text);
  assert_same (output, saved, raw || numbers, cases[i].tolerance);
  assert_pasted (window, text);
  shot_close (GTK_WIDGET (window));
}

/* Steps that make their image themselves read no file, and their result has the size of the image. */
static void
test_source (void)
{
  static const char *const names[] = { "source.png", "source.tif" }, *const programs[] = { "gegl ", "capra run " };
  static const char *const formats[] = { "R'G'B' u8", "RGB float" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = write_image (names[i], formats[i]);
      g_autofree char *output = g_build_filename (folder, "source-capra.png", NULL);
      CapraPanelWindow *window = open_window (path, "gegl:checkerboard x=7 y=5 gegl:invert-gamma");
      g_autofree char *text = copy (window, "win.copy-command"), *saved = save (window, "png", i == 0 ? 8 : 16);

      g_assert_true (g_str_has_prefix (text, programs[i]));
      g_assert_null (strstr (text, names[i]));
      run (text);
      assert_same (output, saved, FALSE, 0.5 / 255.0 + 1e-4);
      shot_remove (output);
      shot_close (GTK_WIDGET (window));
    }
}

/* The next result has another name. A step that measures writes its table. */
static void
test_again (void)
{
  g_autofree char *path = write_image ("again.png", "R'G'B' u8");
  g_autofree char *output = g_build_filename (folder, "again-capra-2.png", NULL);
  g_autofree char *table = g_build_filename (folder, "again-capra.csv", NULL);
  CapraPanelWindow *window = open_window (path, "gegl:invert-gamma");
  g_autofree char *first = copy (window, "win.copy-command"), *second = NULL, *third = NULL;
  g_autoptr (CapraStep) statistics = capra_step_new ("capra:statistics");

  run (first);
  second = copy (window, "win.copy-command");
  g_assert_nonnull (strstr (second, "again-capra-2.png"));
  run (second);
  g_assert_true (g_file_test (output, G_FILE_TEST_EXISTS));
  capra_step_model_insert (capra_panel_window_get_pipeline (window), statistics, -1);
  third = copy (window, "win.copy-command");
  g_assert_true (g_str_has_prefix (third, "capra run "));
  run (third);
  g_assert_true (g_file_test (table, G_FILE_TEST_EXISTS));
  shot_close (GTK_WIDGET (window));
}

static void
test_xml (void)
{
  g_autofree char *path = write_image ("xml.png", "R'G'B' u8"), *graph = g_build_filename (folder, "copied.xml", NULL);
  g_autofree char *output = g_build_filename (folder, "xml-out.png", NULL);
  CapraPanelWindow *window = open_window (path, "capra:box-blur radius=4 gegl:invert-gamma");
  g_autofree char *text = copy (window, "win.copy-xml"), *saved = save (window, "png", 8);
  g_autofree char *command = g_strdup_printf ("capra run %s -o %s --graph=%s", path, output, graph);

  g_assert_true (g_file_set_contents (graph, text, -1, NULL));
  run (command);
  assert_same (output, saved, FALSE, 0.0);
  assert_pasted (window, text);
  shot_close (GTK_WIDGET (window));
}

/* Bytes that are not UTF-8 reach a program unchanged. */
static void
test_quote (void)
{
  static const char *const words[] = {
    "plain-1.2_3", "", "it's", "a b", "$HOME `x` \\", "caf\xe9 'x' %d \\1.png", "{a,b}", "\xff", "new\nline"
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *quoted = capra_shell_quote (words[i]);
      g_autofree char *command = g_strdup_printf ("printf '<%%s>' %s", quoted), *out = NULL;
      const char *const list[] = { "sh", "-c", command, NULL };
      g_autofree char *expected = g_strdup_printf ("<%s>", words[i]);

      g_assert_true (g_utf8_validate (quoted, -1, NULL));
      g_assert_true (
        g_spawn_sync (NULL, (char **) list, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL, NULL));
      g_assert_cmpstr (out, ==, expected);
    }
}

/* The installed GIMP runs a script in tests/hosts. Here: the other version, and actions. */
static void
test_script_fu (void)
{
  g_autofree char *path = write_image ("script \"x\".png", "R'G'B' u8");
  CapraPanelWindow *window = open_window (path, "gegl:invert-gamma");
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (capra_panel_window_get_pipeline (window));
  g_autofree char *text = copy (window, "win.copy-script-fu");
  g_autofree char *two = capra_steps_to_script_fu (steps, NULL, NULL, CAPRA_GIMP_2);
  g_autofree char *three = capra_steps_to_script_fu (steps, "a.png", "b.png", CAPRA_GIMP_3);

  g_assert_nonnull (strstr (text, "script \\\"x\\\".png"));
  g_assert_nonnull (strstr (text, "script \\\"x\\\"-capra.png"));
  g_assert_nonnull (strstr (two, "(plug-in-capra RUN-NONINTERACTIVE image layer"));
  g_assert_nonnull (strstr (two, "(cadr (gimp-image-list))"));
  g_assert_nonnull (strstr (three, "#:drawables (vector layer)"));
  capra_step_model_set_raw_values (capra_panel_window_get_pipeline (window), TRUE);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "copy-script-fu"));
  shot_close (GTK_WIDGET (window));
}

int
main (int argc, char **argv)
{
  g_autofree char *programs = g_path_get_dirname (g_getenv ("CAPRA_PROGRAM"));
  g_autofree char *path = g_strdup_printf ("%s:%s", programs, g_getenv ("PATH"));
  int status = 0;

  folder = g_dir_make_tmp ("capra-copied-XXXXXX", NULL);
  g_setenv ("PATH", path, TRUE);
  g_test_init (&argc, &argv, NULL);
  /* GEGL and GTK's theme warn of what they miss on this machine. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/panel/copied/command/%u", i);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_command);
    }
  g_test_add_func ("/panel/copied/source", test_source);
  g_test_add_func ("/panel/copied/again", test_again);
  g_test_add_func ("/panel/copied/xml", test_xml);
  g_test_add_func ("/panel/copied/quote", test_quote);
  g_test_add_func ("/panel/copied/script-fu", test_script_fu);
  status = g_test_run ();
  shot_remove (folder);
  g_free (folder);
  return status;
}
