/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FITS cubes in the panel: the first plane, choosing another one, and the keywords. */
#include <gegl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "capra.h"
#include "tests/panel/shot.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/window.h"

#define WIDTH 160
#define HEIGHT 120
#define PLANES 5
#define BLOCK 2880

static char *folder;

/* Of a pixel counted from the top. */
static float
get_value (int plane, int x, int y)
{
  return x < 8 && y < 8 ? NAN : (float) (plane * 1000 + y) + (float) x / 256;
}

static GFile *
write_cube (void)
{
  static const char *const cards[] = { "SIMPLE  =                    T", "BITPIX  =                  -32",
                                       "NAXIS   =                    3", "NAXIS1  =                  160",
                                       "NAXIS2  =                  120", "NAXIS3  =                    5",
                                       "OBJECT  = 'a cube <&>'",         "END" };
  g_autoptr (GString) file = g_string_new (NULL);
  g_autofree char *path = g_build_filename (folder, "cube.fits", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
    g_string_append_printf (file, "%-80s", cards[i]);
  while (file->len % BLOCK)
    g_string_append_c (file, ' ');
  for (int plane = 0; plane < PLANES; plane++)
    for (int y = HEIGHT - 1; y >= 0; y--)
      for (int x = 0; x < WIDTH; x++)
        {
          float value = get_value (plane, x, y);
          guint32 bits;

          memcpy (&bits, &value, sizeof bits);
          bits = GUINT32_TO_BE (bits);
          g_string_append_len (file, (const char *) &bits, sizeof bits);
        }
  while (file->len % BLOCK)
    g_string_append_c (file, '\0');
  g_assert_true (g_file_set_contents (path, file->str, (gssize) file->len, NULL));
  return g_file_new_for_path (path);
}

static void
assert_plane (CapraPanelWindow *window, int plane)
{
  CapraProbe probe = { .x = -1 };
  double expected = (double) get_value (plane, 30, 70);

  for (int i = 0; i < 200; i++)
    {
      capra_preview_probe (capra_panel_window_get_preview (window), 30, 70);
      shot_rest (0.05);
      capra_preview_get_probe (capra_panel_window_get_preview (window), &probe);
      if (probe.x == 30 && probe.count > 0 && fabs (probe.values[0] - expected) < 1e-3)
        return;
    }
  g_assert_cmpfloat_with_epsilon (probe.values[0], expected, 1e-3);
}

static void
test_planes (void)
{
  g_autoptr (GFile) file = write_cube ();
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, NULL, NULL);
  CapraCanvas *canvas = capra_panel_window_get_canvas (window);
  GtkWidget *button = shot_find (GTK_WIDGET (window), GTK_TYPE_SPIN_BUTTON);

  gtk_window_present (GTK_WINDOW (window));
  g_assert_false (gtk_widget_is_visible (button));
  capra_panel_window_open (window, file);
  SHOT_WAIT_FOR (gtk_widget_is_visible (button));
  assert_plane (window, 0);
  capra_canvas_zoom_to (canvas, 4.0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (button), 3);
  assert_plane (window, 3);
  g_assert_cmpfloat (capra_canvas_get_scale (canvas), ==, 4.0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (button), 100); /* the last one */
  assert_plane (window, PLANES - 1);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (button)), ==, PLANES - 1);
  SHOT_WAIT_FOR (shot_is_complete (window));
  shot_rest (0.5);
  shot_take (GTK_WIDGET (window), "cube");
  shot_close (GTK_WIDGET (window));
}

static GtkWidget *
find_keywords (CapraPanelWindow *window)
{
  g_autoptr (GList) list = gtk_window_list_toplevels ();

  for (GList *item = list; item; item = item->next)
    if (gtk_window_get_transient_for (GTK_WINDOW (item->data)) == GTK_WINDOW (window)
        && shot_find (item->data, GTK_TYPE_TEXT_VIEW))
      return item->data;
  return NULL;
}

static void
test_keywords (void)
{
  g_autoptr (GFile) file = write_cube ();
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, NULL, NULL);
  GtkWidget *keywords = NULL;
  g_autofree char *text = NULL;

  gtk_window_present (GTK_WINDOW (window));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "show-keywords"));
  capra_panel_window_open (window, file);
  SHOT_WAIT_FOR (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "show-keywords"));
  g_action_group_activate_action (G_ACTION_GROUP (window), "show-keywords", NULL);
  keywords = find_keywords (window);
  g_assert_nonnull (keywords);
  g_object_get (gtk_text_view_get_buffer (GTK_TEXT_VIEW (shot_find (keywords, GTK_TYPE_TEXT_VIEW))), "text", &text,
                NULL);
  g_assert_nonnull (strstr (text, "OBJECT  = 'a cube <&>'"));
  SHOT_WAIT_FOR (gtk_widget_get_mapped (keywords));
  shot_take (keywords, "keywords");
  shot_close (GTK_WIDGET (window));
}

int
main (int argc, char **argv)
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  folder = g_dir_make_tmp ("capra-frames-XXXXXX", NULL);
  if (capra_fits_is_supported ())
    {
      g_test_add_func ("/frames/planes", test_planes);
      g_test_add_func ("/frames/keywords", test_keywords);
    }
  status = g_test_run ();
  shot_remove (folder);
  g_free (folder);
  return status;
}
