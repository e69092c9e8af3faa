/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window without an image: the sample images with their steps, pasting, the shortcuts, and what the window says about
 * an image. */
#include <gegl.h>
#include <glib/gstdio.h>
#include <string.h>

#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "tests/support/support-caches.h"
#include "tests/support/support-files.h"
#include "ui/panel/preview/image-view.h"
#include "ui/panel/steps/step-list.h"
#include "ui/panel/widgets/shortcuts.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/image-description.h"
#include "ui/panel/window/sample-images.h"
#include "ui/panel/window/sidebar.h"
#include "ui/panel/window/welcome.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/read/frames.h"
#include "ui/pipeline/text/pipeline-command.h"

static char *folder;

static CapraPanelWindow *
open_window (int width, int height)
{
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, NULL, NULL);

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (gtk_widget_get_mapped (GTK_WIDGET (window)) && gtk_widget_get_width (GTK_WIDGET (window)) > 0);
  shot_rest (0.2);
  g_test_message ("%d x %d", gtk_widget_get_width (GTK_WIDGET (window)), gtk_widget_get_height (GTK_WIDGET (window)));
  return window;
}

static gboolean
has_picture (GtkWidget *welcome)
{
  GtkWidget *picture = shot_find (welcome, GTK_TYPE_PICTURE);

  return picture && gtk_picture_get_paintable (GTK_PICTURE (picture));
}

static void
test_welcome (void)
{
  static const int sizes[][2] = { { 800, 600 }, { 1600, 1000 } };
  static const char *const names[] = { "welcome-800", "welcome-1600" };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      CapraPanelWindow *window = open_window (sizes[i][0], sizes[i][1]);
      GtkWidget *welcome = shot_find (GTK_WIDGET (window), CAPRA_TYPE_WELCOME);

      g_assert_true (gtk_widget_get_mapped (welcome));
      SHOT_WAIT_FOR (has_picture (welcome));
      shot_rest (1.0);
      shot_assert_mnemonics (GTK_WIDGET (window));
      shot_take (GTK_WIDGET (window), names[i]);
      shot_close (GTK_WIDGET (window));
    }
}

static gboolean
have_errors (CapraStepModel *pipeline)
{
  for (guint i = 0; i < capra_step_model_get_length (pipeline); i++)
    if (capra_step_get_error (capra_step_model_get_step (pipeline, i)))
      {
        g_test_message ("%s", capra_step_get_error (capra_step_model_get_step (pipeline, i)));
        return TRUE;
      }
  return FALSE;
}

/* No page needs more than the 300 pixels that leave the picture beside the sidebar at a width of 800. */
static void
assert_narrow (CapraPanelWindow *window)
{
  int minimum = 0;

  gtk_widget_measure (shot_find (GTK_WIDGET (window), CAPRA_TYPE_SIDEBAR), GTK_ORIENTATION_HORIZONTAL, -1, &minimum,
                      NULL, NULL, NULL);
  g_assert_cmpint (minimum, <=, 300);
}

/* Each sample opens with its steps, which run. */
static void
test_samples (void)
{
  CapraSampleImage *sample;
  guint count = 0;

  for (; (sample = capra_sample_image_get (count)); count++)
    {
      CapraPanelWindow *window = open_window (1000, 700);
      CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
      g_autofree char *name = g_strconcat ("sample-", sample->name, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) steps = capra_steps_from_command (sample->command, &error);

      g_assert_no_error (error);
      g_action_group_activate_action (G_ACTION_GROUP (window), "open-sample", g_variant_new_string (sample->name));
      SHOT_WAIT_FOR (shot_is_complete (window));
      g_assert_cmpuint (capra_step_model_get_length (pipeline), >, 0);
      g_assert_false (have_errors (pipeline));
      assert_narrow (window);
      shot_rest (1.5);
      shot_take (GTK_WIDGET (window), name);
      shot_close (GTK_WIDGET (window));
      g_free (sample);
    }
  g_assert_cmpuint (count, ==, 4);
}

/* The image has three channels. */
static void
assert_pixel (CapraPanelWindow *window, int x, int y, const double *values)
{
  CapraProbe probe = { .x = -1 };

  for (int i = 0; i < 100 && !(probe.x == x && probe.count > 0); i++)
    {
      capra_preview_probe (capra_panel_window_get_preview (window), x, y);
      shot_rest (0.05);
      capra_preview_get_probe (capra_panel_window_get_preview (window), &probe);
    }
  g_assert_cmpuint (probe.count, ==, 3);
  for (int c = 0; c < 3; c++)
    g_assert_cmpfloat (probe.values[c], ==, values[c]);
}

static void
test_paste (void)
{
  CapraPanelWindow *window = open_window (1000, 700);
  g_autofree guint32 *pixels = g_new (guint32, 200 * 100);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  for (int i = 0; i < 200 * 100; i++)
    pixels[i] = 0xff000000u | (guint32) (i % 200) << 16 | (guint32) (i / 200) << 8 | 7u;
  bytes = g_bytes_new (pixels, 200 * 100 * 4);
  texture = gdk_memory_texture_new (200, 100, GDK_MEMORY_DEFAULT, bytes, 200 * 4);
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (window)), texture);
  g_action_group_activate_action (G_ACTION_GROUP (window), "paste-image", NULL);
  SHOT_WAIT_FOR (shot_is_complete (window));
  assert_pixel (window, 120, 30, (const double[]){ 120, 30, 7 });
  shot_close (GTK_WIDGET (window));
}

/* The texture has 16 bits, of which the low ones differ. */
static void
test_paste_deep (void)
{
  CapraPanelWindow *window = open_window (1000, 700);
  const guint16 pixels[] = { 0x1234, 0x1235, 0xfffe, 1, 2, 3 };
  g_autoptr (GBytes) bytes = g_bytes_new (pixels, sizeof pixels);
  g_autoptr (GdkTexture) texture = gdk_memory_texture_new (2, 1, GDK_MEMORY_R16G16B16, bytes, sizeof pixels);

  gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (window)), texture);
  g_action_group_activate_action (G_ACTION_GROUP (window), "paste-image", NULL);
  SHOT_WAIT_FOR (shot_is_complete (window));
  assert_pixel (window, 0, 0, (const double[]){ 0x1234, 0x1235, 0xfffe });
  assert_pixel (window, 1, 0, (const double[]){ 1, 2, 3 });
  shot_close (GTK_WIDGET (window));
}

/* A clipboard without an image is an error that says so; so are steps that cannot be used. */
static void
test_paste_nothing (void)
{
  CapraPanelWindow *window = open_window (1000, 700);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (window)), "text");
  g_action_group_activate_action (G_ACTION_GROUP (window), "paste-image", NULL);
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (window), "The clipboard contains no image"));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (window)), "gegl:invert-linear");
  g_action_group_activate_action (G_ACTION_GROUP (window), "paste-image", NULL);
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (window), "contains steps, not an image. Press Shift+Ctrl+V to"));
  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (window)), NULL);
  g_action_group_activate_action (G_ACTION_GROUP (window), "paste-steps", NULL);
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (window), "The clipboard contains no steps"));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (window)), "gegl:invert-linear gegl:no-such value=3");
  g_action_group_activate_action (G_ACTION_GROUP (window), "paste-steps", NULL);
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (window), "\"gegl:no-such\": it is misspelt, or its plug-in is not "
                                                       "installed. “Add Step” lists all operations."));
  shot_close (GTK_WIDGET (window));
}

/* An image that cannot be read is not said to be missing, and the one that is shown stays. */
static void
test_paste_damaged (void)
{
  static const char damaged[] = "\x89PNG\r\n\x1a\n, and no more";
  CapraPanelWindow *window = open_window (1000, 700);
  g_autoptr (GBytes) bytes = g_bytes_new_static (damaged, sizeof damaged - 1);
  g_autoptr (GdkContentProvider) content = gdk_content_provider_new_for_bytes ("image/png", bytes);
  GtkWidget *label = NULL;

  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (window)), content);
  g_action_group_activate_action (G_ACTION_GROUP (window), "paste-image", NULL);
  SHOT_WAIT_FOR ((label = shot_find_label (GTK_WIDGET (window), "The image in the clipboard could not be read. ")));
  g_assert_null (strstr (gtk_label_get_text (GTK_LABEL (label)), "/proc"));
  shot_close (GTK_WIDGET (window));
}

/* What is dragged over the window shows that it can be dropped there: over its contents, which cover the area. */
static void
test_drop_outline (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (64, 48, "R'G'B' u8");
  CapraPanelWindow *window = shot_open (image, "image.png");
  GtkWidget *area = shot_find (GTK_WIDGET (window), ADW_TYPE_TOAST_OVERLAY);
  int width = 0, height = 0;
  g_autofree guint32 *before = NULL, *during = NULL;
  guint changed = 0;

  SHOT_WAIT_FOR (shot_is_complete (window));
  before = shot_draw_pixels (area, &width, &height);
  gtk_widget_set_state_flags (area, GTK_STATE_FLAG_DROP_ACTIVE, FALSE);
  shot_rest (0.3);
  during = shot_draw_pixels (area, &width, &height);
  for (int x = 0; x < width; x++)
    changed += before[x] != during[x];
  g_assert_cmpuint (changed, >, (guint) width * 9 / 10);
  shot_take (GTK_WIDGET (window), "drop-outline");
  shot_close (GTK_WIDGET (window));
}

/* Several files: the first one is opened in the window, the other one in a window of its own. */
static void
test_paste_files (void)
{
  CapraPanelApplication *application = capra_panel_application_new ();
  GSList *files = NULL; /* a GdkFileList */
  GtkWindow *window = NULL;

  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE | G_APPLICATION_HANDLES_OPEN);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_application_activate (G_APPLICATION (application));
  window = gtk_application_get_active_window (GTK_APPLICATION (application));
  files = g_slist_prepend (files, capra_sample_image_make ("coins", NULL));
  files = g_slist_prepend (files, capra_sample_image_make ("blobs", NULL));
  gdk_clipboard_set (gtk_widget_get_clipboard (GTK_WIDGET (window)), GDK_TYPE_FILE_LIST, files);
  g_action_group_activate_action (G_ACTION_GROUP (window), "paste-image", NULL);
  SHOT_WAIT_FOR (shot_count_windows (application) == 2);
  for (guint i = 0; i < 2; i++)
    {
      GList *windows = gtk_application_get_windows (GTK_APPLICATION (application));
      GtkWindow *found = windows->data == window ? windows->next->data : windows->data;
      const char *title = i == 0 ? "blobs.png" : "coins.png";

      SHOT_WAIT_FOR (g_str_has_prefix (gtk_window_get_title (i == 0 ? window : found), title));
    }
  g_slist_free_full (files, g_object_unref);
  shot_quit (application);
}

static void
test_description (void)
{
  static const struct {
    const char *format, *text;
  } cases[] = {
    { "R'G'B' u8", "31 × 17, RGB, 8 bits" },
    { "R'G'B'A u16", "31 × 17, RGB, transparency, 16 bits" },
    { "Y' u8", "31 × 17, gray, 8 bits" },
    { "YA float", "31 × 17, gray, transparency, floats" },
    { "RGBA half", "31 × 17, RGB, transparency, 16-bit floats" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const GeglRectangle extent = { 0, 0, 31, 17 };
      g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&extent, babl_format (cases[i].format));
      g_autofree char *text = capra_image_description_new (buffer);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* Two frames of 2 x 1 pixels: black and white, then white and black. */
static char *
write_animation (void)
{
  static const guint8 bytes[] = {
    'G', 'I',  'F',  '8', '9', 'a', 2, 0, 1,   0, 0x80, 0, 0,    0,    0, 0, 255, 255, 255, /* two colors */
    '!', 0xf9, 4,    0,   10,  0,   0, 0,                                                   /* the delay */
    ',', 0,    0,    0,   0,   2,   0, 1, 0,   0, 2,    2, 0x44, 0x0a, 0,                   /* codes 4 0 1 5 */
    '!', 0xf9, 4,    0,   10,  0,   0, 0, ',', 0, 0,    0, 0,    2,    0, 1, 0,   0,   2,
    2,   0x0c, 0x0a, 0, /* codes 4 1 0 5 */
    ';',
  };
  char *path = g_build_filename (folder, "animation.gif", NULL);

  g_assert_true (g_file_set_contents (path, (const char *) bytes, sizeof bytes, NULL));
  return path;
}

static void
assert_frame (const char *path, gint64 index, guint8 left, guint8 right)
{
  g_autoptr (GError) error = NULL;
  const CapraFrame frame = { .path = path, .index = index };
  g_autoptr (CapraImage) image = capra_frames_load (&frame, FALSE, NULL, NULL, &error);
  guint8 pixels[2] = { 0, 0 };

  g_assert_no_error (error);
  g_assert_null (image->warning);
  gegl_buffer_get (image->buffer, GEGL_RECTANGLE (0, 0, 2, 1), 1.0, babl_format ("Y' u8"), pixels, GEGL_AUTO_ROWSTRIDE,
                   GEGL_ABYSS_NONE);
  g_assert_cmpuint (pixels[0], ==, left);
  g_assert_cmpuint (pixels[1], ==, right);
}

/* Its frames open with a warning. */
static void
assert_cut (const char *path)
{
  guint64 count = capra_frames_count (path, NULL, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *wanted = g_strdup_printf ("The file is cut: %u frame", (guint) count);
  const CapraFrame frame = { .path = path };
  g_autoptr (CapraImage) image = capra_frames_load (&frame, FALSE, NULL, NULL, NULL);
  g_autoptr (CapraImage) first = capra_image_load (file, NULL);

  g_assert_true (g_str_has_prefix (image->warning, wanted));
  g_assert_true (g_str_has_prefix (first->warning, wanted));
}

static void
test_animation (void)
{
  g_autofree char *path = write_animation (), *bytes = NULL;
  gsize length = 0;

  g_assert_cmpuint (capra_frames_count (path, NULL, NULL), ==, 2);
  assert_frame (path, 0, 0, 255);
  assert_frame (path, 1, 255, 0);
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  for (gsize part = 6; part < length; part++) /* frames before the damage are counted */
    {
      g_autofree char *cut = g_build_filename (folder, "cut.gif", NULL);

      g_assert_true (g_file_set_contents (cut, bytes, (gssize) part, NULL));
      g_assert_cmpuint (capra_frames_count (cut, NULL, NULL), <=, 2);
      if (capra_frames_count (cut, NULL, NULL) > 0)
        assert_cut (cut);
    }
}

static void
test_chooser (void)
{
  g_autofree char *path = write_animation ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  CapraPanelWindow *window = open_window (1000, 700);
  GtkWidget *label = NULL;

  capra_document_open (capra_panel_window_get_document (window), file);
  SHOT_WAIT_FOR (shot_is_complete (window));
  label = shot_find_label (GTK_WIDGET (window), "of 2");
  g_assert_nonnull (label);
  g_assert_true (gtk_widget_is_visible (label));
  shot_take (GTK_WIDGET (window), "animation");
  shot_close (GTK_WIDGET (window));
}

static int
measure_shortcuts (gboolean narrow)
{
  g_autoptr (GtkShortcutsWindow) window = capra_shortcuts_window_new (narrow);
  int minimum = 0;

  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (gtk_widget_get_mapped (GTK_WIDGET (window)));
  shot_rest (0.5);
  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  shot_take (GTK_WIDGET (window), narrow ? "shortcuts-narrow" : "shortcuts");
  gtk_window_destroy (GTK_WINDOW (window));
  return minimum;
}

/* On a narrow monitor the window of shortcuts has a column, beside which a second one would have no room. */
static void
test_shortcuts (void)
{
  g_assert_cmpint (measure_shortcuts (FALSE), >, 800);
  g_assert_cmpint (measure_shortcuts (TRUE), <=, 800);
}

static gboolean
fits (GtkWidget *scroller)
{
  GtkAdjustment *scroll = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  return gtk_adjustment_get_upper (scroll) <= gtk_adjustment_get_page_size (scroll);
}

/* What is said without steps is seen completely in a low window that offers the steps of the last session. */
static void
test_empty (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (300, 200, "R'G'B' u8");
  CapraPanelWindow *window = capra_panel_window_new (NULL, image, "image.png", NULL, NULL);
  GtkWidget *list = shot_find (GTK_WIDGET (window), CAPRA_TYPE_STEP_LIST);
  GtkWidget *empty = shot_find (list, ADW_TYPE_STATUS_PAGE);

  gtk_window_set_default_size (GTK_WINDOW (window), 800, 600);
  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (shot_is_complete (window));
  capra_panel_window_offer_steps (window, "<gegl><node operation='gegl:invert-linear'/></gegl>");
  shot_rest (1.0);
  g_assert_true (shot_shows (window, "Restore Steps"));
  g_assert_true (shot_shows (window, "its result is shown at once"));
  g_assert_true (fits (shot_find (empty, GTK_TYPE_SCROLLED_WINDOW)));
  g_assert_true (fits (gtk_widget_get_ancestor (empty, GTK_TYPE_SCROLLED_WINDOW)));
  shot_take (GTK_WIDGET (window), "empty");
  shot_close (GTK_WIDGET (window));
}

/* An image of few pixels is enlarged by a whole number, so that it can be seen; others are not. */
static void
test_small (void)
{
  static const struct {
    int width, height;
    double scale;
  } cases[] = { { 1, 1, 64 }, { 5, 3, 51 }, { 16, 90, 2 }, { 129, 20, 1 }, { 4000, 1, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GeglBuffer) image = steps_make_image (cases[i].width, cases[i].height, "R'G'B' u8");
      CapraPanelWindow *window = capra_panel_window_new (NULL, image, "image.png", NULL, NULL);
      CapraCanvas *canvas = capra_panel_window_get_canvas (window);
      double width = 0;

      gtk_window_present (GTK_WINDOW (window));
      SHOT_WAIT_FOR (shot_is_complete (window));
      width = gtk_widget_get_width (GTK_WIDGET (canvas));
      g_assert_cmpfloat (capra_canvas_get_scale (canvas), ==,
                         cases[i].scale > 0 ? cases[i].scale : width / cases[i].width);
      shot_close (GTK_WIDGET (window));
    }
}

int
main (int argc, char **argv)
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  folder = support_folder_make ("capra-start-XXXXXX");
  support_keep_driver_caches ();
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_setenv ("XDG_STATE_HOME", folder, TRUE); /* else windows of earlier programs are opened again */
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/start/welcome", test_welcome);
  if (gegl_has_operation ("capra:label"))
    g_test_add_func ("/start/samples", test_samples);
  g_test_add_func ("/start/paste", test_paste);
  g_test_add_func ("/start/paste-deep", test_paste_deep);
  g_test_add_func ("/start/paste-nothing", test_paste_nothing);
  g_test_add_func ("/start/paste-damaged", test_paste_damaged);
  g_test_add_func ("/start/drop-outline", test_drop_outline);
  g_test_add_func ("/start/paste-files", test_paste_files);
  g_test_add_func ("/start/description", test_description);
  g_test_add_func ("/start/shortcuts", test_shortcuts);
  g_test_add_func ("/start/empty", test_empty);
  g_test_add_func ("/start/small", test_small);
  if (gegl_has_operation ("gegl:gif-load"))
    {
      g_test_add_func ("/start/animation", test_animation);
      g_test_add_func ("/start/chooser", test_chooser);
    }
  status = g_test_run ();
  g_free (folder);
  return status;
}
