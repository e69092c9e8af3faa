/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outlines of regions over a picture at any scale, pixel by pixel; numbers of regions that do not cover each other. */
#include <gegl.h>
#include <math.h>

#include "tests/panel/shot.h"
#include "ui/panel/results/number-places.h"
#include "ui/panel/results/region-outlines.h"

/* The label of a pixel of the screen. */
static guint32
screen_label (const CapraRegionLabels *labels, int px, int py, double x, double y, double scale)
{
  return capra_region_labels_get (labels, x + (px + 0.5) / scale, y + (py + 0.5) / scale);
}

/* Whether another label is within @distance pixels of the screen, which ends at its edges. */
static gboolean
differs (const CapraRegionLabels *labels, int px, int py, int width, int height, double x, double y, double scale,
         int distance)
{
  guint32 label = screen_label (labels, px, py, x, y, scale);

  for (int d = -distance; d <= distance; d++)
    if ((px + d >= 0 && px + d < width && screen_label (labels, px + d, py, x, y, scale) != label)
        || (py + d >= 0 && py + d < height && screen_label (labels, px, py + d, x, y, scale) != label))
      return TRUE;
  return FALSE;
}

/* Against a scalar reference, at several scales and offsets. */
static void
check_outlines (double label_scale, double scale, double x, double y, int width, int height)
{
  static const CapraOutlineStyle style = { 0xff0000ff, 0xffff0000, 0x40400000 };
  GeglRectangle rect = { -2, 3, 23, 17 };
  g_autoptr (CapraRegionLabels) labels = capra_region_labels_new (1, &rect, label_scale);
  g_autoptr (GHashTable) selected = g_hash_table_new (NULL, NULL);
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree guint32 *pixels = g_new0 (guint32, (gsize) (width * height));

  labels->labels = g_new (guint32, (gsize) (rect.width * rect.height));
  for (int i = 0; i < rect.width * rect.height; i++)
    labels->labels[i] = (guint32) ((i % rect.width / 5 + i / rect.width / 4) % 4);
  g_hash_table_add (selected, GUINT_TO_POINTER (2));
  texture = capra_region_outlines_new (labels, width, height, x, y, scale, selected, &style);
  gdk_texture_download (texture, (guchar *) pixels, (gsize) width * 4);
  for (int py = 0; py < height; py++)
    for (int px = 0; px < width; px++)
      {
        guint32 label = screen_label (labels, px, py, x, y, scale), expected = 0;

        if (label == 2)
          expected = differs (labels, px, py, width, height, x, y, scale, 2) ? style.selected : style.fill;
        else if (label && differs (labels, px, py, width, height, x, y, scale, 1))
          expected = style.all;
        g_assert_cmphex (pixels[py * width + px], ==, expected);
      }
}

static void
test_outlines (void)
{
  check_outlines (1.0, 1.0, 0.0, 0.0, 31, 29);
  check_outlines (1.0, 3.5, -4.25, 1.5, 67, 43);
  check_outlines (0.5, 0.5, -10.0, 0.0, 33, 21);
  check_outlines (0.25, 0.4, 0.5, 7.75, 19, 1);
  check_outlines (1.0, 1.0, 100.0, 100.0, 1, 1); /* outside the labels */
}

/* Numbers at random places, also across the edges. */
static void
test_places (void)
{
  const graphene_rect_t area = GRAPHENE_RECT_INIT (40, -3, 301, 203);
  g_autoptr (CapraNumberPlaces) places = capra_number_places_new (&area, 17);
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t));

  for (int i = 0; i < 3000; i++)
    {
      graphene_rect_t box = GRAPHENE_RECT_INIT ((float) g_test_rand_double_range (20, 345),
                                                (float) g_test_rand_double_range (-20, 199), 35, 17);

      if (!capra_number_places_take (places, &box))
        continue;
      for (guint k = 0; k < taken->len; k++)
        {
          graphene_rect_t both;

          if (graphene_rect_intersection (&box, &g_array_index (taken, graphene_rect_t, k), &both))
            g_assert_false (graphene_rect_intersection (&both, &area, NULL));
        }
      g_array_append_val (taken, box);
    }
  g_assert_cmpuint (taken->len, >, 25);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  adw_init ();
  g_test_add_func ("/outlines", test_outlines);
  g_test_add_func ("/places", test_places);
  return g_test_run ();
}
