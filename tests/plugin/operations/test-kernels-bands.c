/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations in bands under a small budget, on a small image: the same results as at once. Intended for a checker of
 * memory accesses and races (tests/support/oclgrind.sh). */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "runtime/device/tuning.h"
#include "tests/support/graph.h"

enum { WIDTH = 61, HEIGHT = 353, COUNT = WIDTH * HEIGHT };

typedef struct {
  const char *name, *chain, *format;
  guint budget;        /* KiB */
  const char *variant; /* (nullable): of the labels */
} Case;

static char *geometry; /* the path of a PONI file */

static const Case cases[] = {
  { "gaussian-blur", "capra:gaussian-blur std-dev-x=1.3 std-dev-y=2", "Y float", 100 },
  { "box-blur", "capra:box-blur radius=3", "Y float", 100 },
  { "convolve", "capra:convolve matrix='1 2 3;4 5 6;7 8 10'", "Y float", 100 },
  { "threshold", "capra:threshold method=otsu", "Y float", 100 },
  { "statistics", "capra:statistics", "Y float", 100 },
  { "label", "capra:label rendering=numbers min-size=3", "Y' u32", 130, "runs" },
  { "label-blocks", "capra:label rendering=numbers", "Y' u32", 100, "blocks" },
  { "azimuthal", "capra:azimuthal-integrate unit=2th-deg splitting=bbox bins=20 error-model=hybrid sigma-clip=true",
    "Y float", 100 },
  { "measure", "capra:measure", "Y float", 100 }, /* of whole numbers: Oclgrind 21.10 crashes after a label */
};

/* The only device of the checker, or the first one. */
static CapraDevice *
get_device (void)
{
  return capra_device_list (NULL)->pdata[0];
}

/* Sets @bytes to the size of the pixels. */
static gpointer
render (GeglBuffer *buffer, const Case *c, gsize *bytes)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = graph_chain (graph_source (graph, buffer), c->chain, capra_device_get_info (get_device ())->id);
  g_autofree char *error = NULL;
  GeglRectangle box;
  gpointer pixels = NULL;

  if (gegl_node_find_property (node, "poni"))
    gegl_node_set (node, "poni", geometry, NULL);
  pixels = graph_render (node, NULL, c->format);
  box = gegl_node_get_bounding_box (node);
  *bytes = (gsize) box.width * (gsize) box.height * (gsize) babl_format_get_bytes_per_pixel (babl_format (c->format));
  error = graph_error (node);
  g_assert_cmpstr (error, ==, "");
  return pixels;
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  GeglRectangle rect = { -7, 5, WIDTH, HEIGHT };
  g_autofree float *values = support_noise (COUNT, -0.5, 0.5, 3);
  g_autoptr (GeglBuffer) buffer = NULL;
  gsize bytes = 0;
  g_autofree guint8 *wanted = NULL, *got = NULL;
  guint64 at_once = 0, uploads = 0;

  if (g_str_equal (c->name, "measure"))
    for (gsize i = 0; i < COUNT; i++)
      values[i] = floorf (100 * (values[i] + 0.5f));
  buffer = graph_buffer ("Y float", &rect, values);
  capra_tuning_try ("label.variant", c->variant);
  graph_forget ();
  wanted = render (buffer, c, &bytes);
  at_once = graph_count ("upload");
  graph_touch (buffer);
  capra_memory_free_unused (get_device ());
  capra_memory_trim (get_device ());
  capra_memory_set_budget (get_device (), c->budget << 10);
  graph_forget ();
  got = render (buffer, c, &bytes);
  uploads = graph_count ("upload");
  capra_memory_set_budget (get_device (), 0);
  capra_tuning_try ("label.variant", NULL);
  g_assert_cmpuint (uploads, >, 2 * at_once); /* three bands at least */
  g_assert_cmpmem (got, bytes, wanted, bytes);
}

static char *
write_geometry (void)
{
  static const char text[] = "poni_version: 2\nDetector: Detector\n"
                             "Detector_config: {\"pixel1\": 1e-4, \"pixel2\": 1e-4}\n"
                             "Distance: 0.05\nPoni1: 0.01\nPoni2: 0.002\nRot1: 0.1\nRot2: 0\nRot3: 0\n";
  char *path = NULL;
  int file = g_file_open_tmp ("capra-test-XXXXXX.poni", &path, NULL);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  geometry = write_geometry ();
  /* Oclgrind 21.10 crashes when commands of three queues wait for each other, as in the construction on the device. */
  capra_tuning_try ("azimuthal.build", "host");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/kernels-bands/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  status = g_test_run ();
  gegl_exit ();
  g_remove (geometry);
  g_free (geometry);
  return status;
}
