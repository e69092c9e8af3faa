/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the benchmarks of operations in GEGL: images, graphs and times. */
#include "tests/bench/graphs.h"

#include <stdio.h>
#include <stdlib.h>

gboolean
bench_init (void)
{
  gegl_init (NULL, NULL);
  /* Without a swap folder. GEGL also knows the name "RAM" for this, but creates a folder of that name. */
  g_object_set (gegl_config (), "swap", NULL, "tile-cache-size", (guint64) 4 << 30, NULL);
  if (gegl_has_operation ("capra:gaussian-blur"))
    return TRUE;
  fprintf (stderr, "GEGL cannot find Capra's module; set GEGL_PATH to its folder and GEGL's own\n");
  return FALSE;
}

GeglBuffer *
bench_new_image (int width, int height, const Babl *format)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, width, height), format);
  gsize bytes = (gsize) width * (gsize) babl_format_get_bytes_per_pixel (format);
  gboolean real = babl_format_get_type (format, 0) == babl_type ("float");
  g_autofree guint8 *row = g_malloc (bytes);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (int y = 0; y < height; y++)
    {
      for (gsize i = 0; real && i < bytes / sizeof (float); i++)
        ((float *) row)[i] = (float) g_rand_double (random);
      for (gsize i = 0; !real && i < bytes; i++)
        row[i] = (guint8) g_rand_int (random);
      gegl_buffer_set (buffer, GEGL_RECTANGLE (0, y, width, 1), 0, format, row, GEGL_AUTO_ROWSTRIDE);
    }
  return buffer;
}

GeglNode *
bench_new_graph (GeglBuffer *source, const char *filter)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *input = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer", source, NULL);
  GeglNode *proxy_in = gegl_node_get_input_proxy (graph, "input");
  GeglNode *proxy_out = gegl_node_get_output_proxy (graph, "output");
  g_autoptr (GError) error = NULL;

  gegl_create_chain (filter, proxy_in, proxy_out, 0.0, gegl_buffer_get_height (source), NULL, &error);
  if (error)
    {
      fprintf (stderr, "%s: %s\n", filter, error->message);
      return NULL;
    }
  gegl_node_link (input, proxy_in);
  return g_steal_pointer (&graph);
}

GeglNode *
bench_get_last (GeglNode *graph)
{
  return gegl_node_get_producer (gegl_node_get_output_proxy (graph, "output"), "input", NULL);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
bench_median (double *times, guint n)
{
  qsort (times, n, sizeof (double), compare_doubles);
  return times[n / 2];
}
