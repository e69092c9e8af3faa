/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that all area filters share. */
#include "ui/cli/check/check-window.h"

#include <math.h>

gboolean
check_filter (Check *check, const CheckFilter *filter, gconstpointer data, const CapraShape *shape)
{
  g_autofree double *values = NULL, *expected = NULL;
  g_autoptr (CapraArray) input = check_noise (check, shape, 7, &values);
  ReferenceImage image = { shape->width, shape->height, shape->depth, shape->channels, values };

  if (!input)
    return FALSE;
  expected = filter->expect (&image, data, (CapraRect){ 0, 0, (int) shape->width, (int) shape->height });
  return check_values (check, filter->run (input, data, NULL, &check->error), expected,
                       filter->tolerance * check_largest (values, capra_shape_count (shape)));
}

/* The part @rect of an image with one channel. */
static CapraArray *
upload_part (Check *check, const ReferenceImage *image, CapraRect rect)
{
  CapraShape shape = CAPRA_SHAPE_2D ((gsize) rect.width, (gsize) rect.height, CAPRA_F32);
  g_autofree float *part = g_new (float, capra_shape_count (&shape));

  for (gsize i = 0; i < capra_shape_count (&shape); i++)
    part[i] = (float)
                image->values[(i / shape.width + (gsize) rect.y) * image->width + i % shape.width + (gsize) rect.x];
  return check_upload (check, &shape, part);
}

gboolean
check_windows (Check *check, const CheckFilter *filter, gconstpointer data)
{
  enum { WIDTH = 61, HEIGHT = 47 };
  static const CapraRect results[] = { { 20, 10, 30, 20 }, { 0, 0, 5, 5 }, { -9, -11, 90, 70 }, { 60, 46, 1, 1 } };
  CapraShape shape = CAPRA_SHAPE_2D (WIDTH, HEIGHT, CAPRA_F32);
  CapraRect extent = { 0, 0, WIDTH, HEIGHT };
  g_autofree double *values = g_new (double, WIDTH * HEIGHT);
  g_autofree float *noise = g_new (float, WIDTH * HEIGHT);
  ReferenceImage image = { WIDTH, HEIGHT, 1, 1, values };
  int x = 0, y = 0;

  reference_noise (&shape, 3, noise, values);
  filter->reach (data, &x, &y);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      const CapraRect *r = &results[i];
      CapraRect source = capra_window_source (&extent, r, x, x, y, y, CAPRA_BORDER_MIRROR);
      g_autoptr (CapraArray) input = upload_part (check, &image, source);
      g_autofree double *expected = filter->expect (&image, data, *r);
      /* The origin of coordinates can be anywhere. */
      CapraWindow window = { { 100, -70, WIDTH, HEIGHT },
                             { source.x + 100, source.y - 70, source.width, source.height },
                             { r->x + 100, r->y - 70, r->width, r->height } };

      check_case (check, "window of %dx%d at %d, %d of %dx%d", r->width, r->height, r->x, r->y, WIDTH, HEIGHT);
      if (!input
          || !check_values (check, filter->run (input, data, &window, &check->error), expected, filter->tolerance))
        return FALSE;
    }
  return TRUE;
}

gboolean
check_not_finite (Check *check, const CheckFilter *filter, gconstpointer data)
{
  enum { WIDTH = 210, HEIGHT = 63, X = 100, Y = 31 };
  static const float spoilers[] = { NAN, -INFINITY };
  CapraShape shape = CAPRA_SHAPE_2D (WIDTH, HEIGHT, CAPRA_F32);
  g_autofree double *values = g_new (double, WIDTH * HEIGHT), *expected = NULL;
  g_autofree float *noise = g_new (float, WIDTH * HEIGHT), *found = g_new (float, WIDTH * HEIGHT);
  int x = 0, y = 0;

  reference_noise (&shape, 5, noise, values);
  filter->reach (data, &x, &y);
  expected = filter->expect (&(ReferenceImage){ WIDTH, HEIGHT, 1, 1, values }, data,
                             (CapraRect){ 0, 0, WIDTH, HEIGHT });
  for (guint i = 0; i < G_N_ELEMENTS (spoilers); i++)
    {
      g_autoptr (CapraArray) input = NULL, output = NULL;

      check_case (check, "%dx%d with %g at %d, %d", WIDTH, HEIGHT, spoilers[i], X, Y);
      noise[Y * WIDTH + X] = spoilers[i];
      input = check_upload (check, &shape, noise);
      output = input ? filter->run (input, data, NULL, &check->error) : NULL;
      if (!output || !capra_array_download (output, found, &check->error))
        return FALSE;
      if (isfinite (found[Y * WIDTH + X]))
        return check_difference (check, "column %d, row %d: found %g, expected it not to be finite", X, Y,
                                 found[Y * WIDTH + X]);
      for (int at = 0; at < WIDTH * HEIGHT; at++)
        if ((ABS (at % WIDTH - X) > filter->spread * x || ABS (at / WIDTH - Y) > filter->spread * y)
            && !(fabs (found[at] - expected[at]) <= filter->tolerance))
          return check_difference (check, "column %d, row %d: found %.9g, expected %.9g", at % WIDTH, at / WIDTH,
                                   found[at], expected[at]);
    }
  return TRUE;
}
