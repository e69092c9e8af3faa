/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels of images in a color space other than sRGB: they are read and saved as the numbers that they are. */
#include <gegl.h>
#include <glib/gstdio.h>

#include "tests/panel/steps.h"
#include "tests/support/support.h"
#include "ui/pipeline/graph/graph-numbers.h"
#include "ui/pipeline/write/save.h"

#define WIDTH 24
#define HEIGHT 6

/* Bright squares of 2 x 2 pixels, in two rows, with gaps between them. */
static gboolean
is_bright (int x, int y)
{
  return x % 4 < 2 && y % 4 < 2;
}

/* The number of the square at a pixel, in raster order; 0 between them. */
static guint32
number_at (int x, int y)
{
  return is_bright (x, y) ? (guint32) (y / 4 * (WIDTH / 4) + x / 4 + 1) : 0;
}

static GeglBuffer *
make_image (const char *space)
{
  const GeglRectangle extent = { 0, 0, WIDTH, HEIGHT };
  GeglBuffer *image = gegl_buffer_new (&extent, babl_format_with_space ("Y' u8", babl_space (space)));
  guint8 pixels[WIDTH * HEIGHT];

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    pixels[i] = is_bright (i % WIDTH, i / WIDTH) ? 255 : 0;
  gegl_buffer_set (image, &extent, 0, NULL, pixels, GEGL_AUTO_ROWSTRIDE);
  return image;
}

static GPtrArray *
make_steps (const char *rendering)
{
  static const char *const operations[] = { "capra:threshold", "capra:label", "capra:measure" };
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    g_ptr_array_add (steps, capra_step_new (operations[i]));
  steps_set_text (steps->pdata[1], "rendering", rendering);
  return steps;
}

/* @data: whether the labels are rendered as numbers, or as colors. */
static void
test_read (gconstpointer data)
{
  g_autoptr (GeglBuffer) image = make_image ("ProPhoto");
  g_autoptr (GPtrArray) steps = make_steps (data);
  g_autoptr (CapraGraph) graph = capra_graph_new (image, 1.0, FALSE);
  guint32 labels[WIDTH * HEIGHT];

  capra_graph_update (graph, steps);
  g_assert_true (capra_graph_read_labels (graph, capra_step_get_id (steps->pdata[2]),
                                          GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), 1.0, labels));
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpuint (labels[i], ==, number_at (i % WIDTH, i / WIDTH));
}

/* A GeglBuffer file has no color space, and stores the numbers. */
static void
test_saved (void)
{
  g_autoptr (GeglBuffer) image = make_image ("ProPhoto"), saved = NULL;
  g_autoptr (GPtrArray) steps = make_steps ("numbers");
  g_autofree char *folder = g_dir_make_tmp ("capra-labels-XXXXXX", NULL), *path = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  guint32 labels[WIDTH * HEIGHT];

  path = g_build_filename (folder, "labels.gegl", NULL);
  file = g_file_new_for_path (path);
  g_ptr_array_set_size (steps, 2);
  g_assert_true (capra_save (file, image, steps, 8, NULL, NULL, &error));
  g_assert_no_error (error);
  saved = gegl_buffer_load (path);
  g_assert_true (gegl_buffer_get_format (saved) == babl_format ("Y' u32"));
  gegl_buffer_get (saved, GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), 1.0, NULL, labels, GEGL_AUTO_ROWSTRIDE,
                   GEGL_ABYSS_NONE);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpuint (labels[i], ==, number_at (i % WIDTH, i / WIDTH));
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  g_test_add_data_func ("/labels/read/numbers", "numbers", test_read);
  g_test_add_data_func ("/labels/read/colors", "colors", test_read);
  g_test_add_func ("/labels/saved", test_saved);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
