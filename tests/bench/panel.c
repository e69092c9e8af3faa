/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time from the move of a slider to the picture in the panel's preview, as a distribution.
 *
 * Usage: bench-panel [OPERATION [WIDTH HEIGHT FORMAT [SIGMA [MOVES [STRETCH]]]]]
 * STRETCH: none (the default), linear, sqrt, log or asinh.
 * The view shows all of the image at full scale; "first" is when the view was covered by anything new,
 * "final" when it was computed from the image itself. */
#include <gegl.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/pipeline/log-catcher.h"
#include "ui/panel/preview/preview.h"
#include "ui/pipeline/steps/step.h"

static GeglBuffer *
make_image (int width, int height, const char *format)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, width, height), babl_format (format));
  g_autofree float *row = g_new (float, (gsize) width * 4);

  for (int y = 0; y < height; y++)
    {
      for (int i = 0; i < width * 4; i++)
        row[i] = (i & 3) == 3 ? 1.0f : (float) g_random_double ();
      gegl_buffer_set (buffer, GEGL_RECTANGLE (0, y, width, 1), 0, babl_format ("R'G'B'A float"), row,
                       GEGL_AUTO_ROWSTRIDE);
    }
  return buffer;
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
print (const char *name, double *times, int count)
{
  qsort (times, (gsize) count, sizeof *times, compare);
  printf ("%-6s min %6.1f  median %6.1f  90 %% %6.1f  max %6.1f ms\n", name, times[0], times[count / 2],
          times[count * 9 / 10], times[count - 1]);
}

static void
set_sigma (CapraStep *step, double sigma)
{
  static const char *const names[] = { "std-dev-x", "std-dev-y" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GParamSpec *property = capra_operation_find_property (capra_step_get_operation (step), names[i]);
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, G_TYPE_DOUBLE);
      g_value_set_double (&value, sigma);
      capra_step_set (step, property, &value);
    }
}

int
main (int argc, char **argv)
{
  const char *operation = argc > 1 ? argv[1] : "capra:gaussian-blur";
  int width = argc > 2 ? atoi (argv[2]) : 1920, height = argc > 3 ? atoi (argv[3]) : 1080;
  const char *format = argc > 4 ? argv[4] : "R'G'B'A u8";
  double sigma = argc > 5 ? atof (argv[5]) : 10.0;
  int moves = argc > 6 ? atoi (argv[6]) : 40;
  CapraDisplayStretch stretch = { .percent = CAPRA_DISPLAY_AUTOMATIC };
  GeglRectangle view = { 0, 0, width, height };
  g_autofree double *first = g_new0 (double, moves), *final = g_new0 (double, moves);
  g_autoptr (GeglBuffer) image = NULL;
  g_autoptr (CapraPreview) preview = NULL;
  CapraPyramid *pyramid;

  gegl_init (NULL, NULL);
  if (!gegl_has_operation (operation))
    {
      fprintf (stderr, "unknown operation \"%s\"\n", operation);
      return 1;
    }
  image = make_image (width, height, format);
  pyramid = capra_pyramid_new (image);
  preview = capra_preview_new (pyramid);
  capra_pyramid_unref (pyramid);
  stretch.enabled = argc > 7 && capra_stretch_curve_from_name (argv[7], &stretch.curve);
  capra_preview_set_stretch (preview, &stretch);
  capra_preview_set_view (preview, &view, 1.0);
  for (int i = -5; i < moves; i++) /* the first moves build kernels and measure the cost of pixels */
    {
      g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func (g_object_unref);
      g_autoptr (CapraStep) step = capra_step_new (operation);
      static CapraStep *same; /* one step that is changed, as by a slider */
      CapraPreviewStatus status;

      if (!same)
        same = g_object_ref (step);
      set_sigma (same, sigma + 0.01 * (i % 10));
      g_ptr_array_add (steps, capra_step_copy (same));
      capra_preview_set_steps (preview, steps);
      do
        {
          g_usleep (500);
          capra_preview_get_status (preview, &status);
        }
      while (!status.complete);
      if (i >= 0)
        {
          first[i] = status.first_ms;
          final[i] = status.final_ms;
        }
      g_usleep (150000); /* the surroundings of the view are rendered, too */
    }
  printf ("%s, %d x %d %s, sigma %g, %d moves\n", operation, width, height, format, sigma, moves);
  print ("first", first, moves);
  print ("final", final, moves);
  g_clear_object (&preview);
  capra_preview_wait_for_workers ();
  return 0;
}
