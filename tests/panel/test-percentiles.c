/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The percentiles below the panel's histogram. */
#include <gegl.h>
#include <math.h>
#include <stdio.h>

#include "capra.h"
#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "ui/pipeline/gegl-start.h"

/* Larger than what is computed at full size at once. */
#define WIDTH 1501
#define HEIGHT 1203

/* The percentiles of a gray image are numbers, those of a color image one for each channel. */
static void
test_channels (void)
{
  static const struct {
    const char *format, *shown;
  } cases[] = { { "Y' u8", "1 %: 0.2  50 %: 0.6  99 %: 0.8" }, { "R'G'B' u8", "50 %: 0.6 0.6 0.4" } };
  static const guint8 levels[] = { 51, 153, 204 };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const GeglRectangle extent = { 0, 0, 3, 1 };
      g_autoptr (GeglBuffer) image = gegl_buffer_new (&extent, babl_format (cases[c].format));
      CapraPanelWindow *window;

      for (int x = 0; x < 3; x++)
        {
          const guint8 pixel[] = { levels[x], levels[x], c ? 102 : 0 };

          gegl_buffer_set (image, GEGL_RECTANGLE (x, 0, 1, 1), 0, NULL, pixel, GEGL_AUTO_ROWSTRIDE);
        }
      window = capra_panel_window_new (NULL, image, "image.png", NULL, NULL);
      gtk_window_present (GTK_WINDOW (window));
      SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (window), cases[c].shown));
      shot_close (GTK_WIDGET (window));
    }
}

/* Gray levels, each as often as the others, without order. */
static GeglBuffer *
make_noise (void)
{
  GeglBuffer *image = gegl_buffer_new (GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format ("Y float"));
  g_autofree float *values = g_new (float, WIDTH * HEIGHT);
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = (float) g_rand_double (random);
  gegl_buffer_set (image, NULL, 0, babl_format ("Y float"), values, GEGL_AUTO_ROWSTRIDE);
  return image;
}

/* Whether the histogram shows the percentiles of such levels, as those of all pixels, after @add was added to them. */
static gboolean
shows (CapraPanelWindow *window, double add)
{
  GtkWidget *label = shot_find_label (GTK_WIDGET (window), "99 %:");
  double found[3] = { 0 };

  return label && gtk_widget_get_mapped (label)
         && sscanf (gtk_label_get_text (GTK_LABEL (label)), "1 %%: %lf 50 %%: %lf 99 %%: %lf", &found[0], &found[1],
                    &found[2])
              == 3
         && fabs (found[0] - 0.01 - add) < 0.006 && fabs (found[1] - 0.5 - add) < 0.006
         && fabs (found[2] - 0.99 - add) < 0.006;
}

/* The result of steps over a large image has the percentiles of all its pixels; while it changes, those of a reduced
 * one, which are marked. */
static void
test_result (void)
{
  g_autoptr (GeglBuffer) image = make_noise ();
  CapraPanelWindow *window = capra_panel_window_new (NULL, image, "noise", NULL, NULL);
  CapraStep *step = NULL, *other = NULL;

  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (shows (window, 0));
  step = shot_add_step (window, "gegl:brightness-contrast");
  steps_set_text (step, "brightness", "1");
  SHOT_WAIT_FOR (shows (window, 1));
  for (int i = -6; i <= 6; i++)
    {
      g_autofree char *value = g_strdup_printf ("%g", i * 0.5);

      steps_set_text (step, "brightness", value);
      shot_rest ((i + 6) * 0.05); /* changes at any stage of the computation */
    }
  SHOT_WAIT_FOR (shows (window, 3));
  other = shot_add_step (window, "gegl:invert-linear");
  SHOT_WAIT_FOR (shows (window, -3));
  capra_step_model_select (capra_panel_window_get_pipeline (window), step);
  SHOT_WAIT_FOR (shows (window, 3));
  capra_step_set_enabled (step, FALSE);
  capra_step_model_select (capra_panel_window_get_pipeline (window), other);
  SHOT_WAIT_FOR (shows (window, 0));
  shot_close (GTK_WIDGET (window));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  capra_gegl_start ();
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/percentiles/channels", test_channels);
  g_test_add_func ("/percentiles/result", test_result);
  return g_test_run ();
}
