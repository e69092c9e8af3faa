/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A client of the library, built with the installed headers and library alone: it blurs a point. */
#include <math.h>
#include <stdio.h>

#include <capra.h>

#define SIZE 21

int
main (void)
{
  const double sigma[3] = { 1.5, 1.5, 0.0 };
  CapraShape shape = CAPRA_SHAPE_2D (SIZE, SIZE, CAPRA_F32);
  float values[SIZE * SIZE] = { 0 };
  double sum = 0.0;
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) point = NULL, blurred = NULL;
  CapraDevice *device = capra_device_select (NULL, &error);

  values[SIZE / 2 * SIZE + SIZE / 2] = 1.0f;
  if (device)
    point = capra_array_new (device, &shape, &error);
  if (point && capra_array_upload (point, values, &error))
    blurred = capra_gaussian_blur (point, sigma, CAPRA_GAUSSIAN_AUTO, 4.0, CAPRA_BORDER_CLAMP, NULL, &error);
  if (!blurred || !capra_array_download (blurred, values, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  for (int i = 0; i < SIZE * SIZE; i++)
    sum += values[i];
  printf ("%.6f on %s\n", sum, capra_device_get_info (device)->name);
  return fabs (sum - 1.0) < 1e-5 ? 0 : 1;
}
