/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number-places: where numbers over a picture have space, so that none covers another. */
#include "ui/panel/results/number-places.h"

#include <math.h>

struct _CapraNumberPlaces {
  graphene_rect_t area;
  float cell;
  int columns, rows;
  guint8 *taken;
};

CapraNumberPlaces *
capra_number_places_new (const graphene_rect_t *area, float cell)
{
  CapraNumberPlaces *places = g_new0 (CapraNumberPlaces, 1);

  places->area = *area;
  places->cell = MAX (cell, 1.0f);
  places->columns = (int) ceilf (area->size.width / places->cell);
  places->rows = (int) ceilf (area->size.height / places->cell);
  places->taken = g_new0 (guint8, (gsize) places->columns * (gsize) places->rows);
  return places;
}

void
capra_number_places_free (CapraNumberPlaces *places)
{
  g_free (places->taken);
  g_free (places);
}

gboolean
capra_number_places_take (CapraNumberPlaces *places, const graphene_rect_t *box)
{
  float x = box->origin.x - places->area.origin.x, y = box->origin.y - places->area.origin.y;
  int left = MAX ((int) floorf (x / places->cell), 0), top = MAX ((int) floorf (y / places->cell), 0);
  int right = MIN ((int) ceilf ((x + box->size.width) / places->cell), places->columns);
  int bottom = MIN ((int) ceilf ((y + box->size.height) / places->cell), places->rows);

  for (int row = top; row < bottom; row++)
    for (int column = left; column < right; column++)
      if (places->taken[row * places->columns + column])
        return FALSE;
  for (int row = top; row < bottom; row++)
    for (int column = left; column < right; column++)
      places->taken[row * places->columns + column] = 1;
  return TRUE;
}
