/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threshold, label, measure and statistics as GEGL operations, against scalar references. */
#include "tests/support/graph.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define WIDTH 67
#define HEIGHT 45
#define COUNT (WIDTH * HEIGHT)

static const GeglRectangle rect = { -9, 14, WIDTH, HEIGHT };

static void
assert_mask (GeglNode *node, const float *values, double low, double high)
{
  g_autofree float *mask = graph_render (node, NULL, "Y float");
  g_autofree float *parts = graph_render_parts (node, "Y float", 1, 16);

  for (gsize i = 0; i < COUNT; i++)
    {
      g_assert_cmpfloat (mask[i], ==, values[i] >= (float) low && values[i] <= (float) high);
      g_assert_cmpfloat (parts[i], ==, mask[i]);
    }
}

static void
test_threshold_manual (void)
{
  GraphScene scene;
  GeglNode *node = NULL, *low = NULL;
  g_autofree float *lows = support_noise (COUNT, 0.0, 1.0, 12);
  g_autoptr (GeglBuffer) low_buffer = graph_buffer ("Y float", &rect, lows);
  g_autofree float *mask = NULL;
  double found = 0.0;

  graph_scene_init (&scene, &rect, 0.0);
  node = graph_node (scene.graph, scene.source, "capra:threshold", NULL);
  assert_mask (node, scene.values, 0.5, INFINITY);
  gegl_node_get (node, "threshold", &found, NULL);
  g_assert_cmpfloat (found, ==, 0.5);
  gegl_node_set (node, "value", 0.2, "high", 0.7, NULL);
  assert_mask (node, scene.values, 0.2, 0.7);

  low = graph_source (scene.graph, low_buffer);
  gegl_node_connect (low, "output", node, "aux");
  mask = graph_render (node, NULL, "Y float");
  for (gsize i = 0; i < COUNT; i++)
    g_assert_cmpfloat (mask[i], ==, scene.values[i] >= lows[i] && scene.values[i] <= 0.7f);
  graph_scene_clear (&scene);
}

/* With perceptual values, the result is that of gegl:threshold. */
static void
test_threshold_perceptual (void)
{
  GraphScene scene;
  GeglNode *ours = NULL, *theirs = NULL;
  g_autofree float *mask = NULL, *twin = NULL, *luma = NULL;

  graph_scene_init (&scene, &rect, 0.0);
  ours = graph_node (scene.graph, scene.source, "capra:threshold", "perceptual", TRUE, "value", 0.6, NULL);
  theirs = graph_node (scene.graph, scene.source, "gegl:threshold", "value", 0.6, NULL);
  mask = graph_render (ours, NULL, "Y float");
  twin = graph_render (theirs, NULL, "Y float");
  luma = graph_render (scene.source, NULL, "Y' float");
  for (gsize i = 0; i < COUNT; i++)
    if (fabs (luma[i] - 0.6) > 1e-5)
      g_assert_cmpfloat (mask[i], ==, twin[i]);
  graph_scene_clear (&scene);
}

static double
mean (const float *values)
{
  double sum = 0.0;

  for (gsize i = 0; i < COUNT; i++)
    sum += values[i];
  return sum / COUNT;
}

static void
test_threshold_found (void)
{
  GraphScene scene;

  graph_scene_init (&scene, &rect, 0.0);
  for (int method = 1; method <= 6; method++)
    {
      GeglNode *node = graph_node (scene.graph, scene.source, "capra:threshold", "method", method, NULL);
      g_autofree float *mask = graph_render_parts (node, "Y float", 1, 20);
      double found = NAN;

      gegl_node_get (node, "threshold", &found, NULL);
      g_assert_true (found > 0.0 && found < 1.0);
      if (method == 2)
        g_assert_cmpfloat_with_epsilon (found, mean (scene.values), 1e-5);
      for (gsize i = 0; i < COUNT; i++)
        if (fabs (scene.values[i] - found) > 1e-6)
          g_assert_cmpfloat (mask[i], ==, scene.values[i] > found);
    }
  graph_scene_clear (&scene);
}

/* Labels by flood fill, in the raster order of their first pixels. */
static guint32
flood (const gboolean *mask, int neighbors, guint32 *labels)
{
  static const int dx[] = { -1, 1, 0, 0, -1, 1, -1, 1 }, dy[] = { 0, 0, -1, 1, -1, -1, 1, 1 };
  g_autofree int *stack = g_new (int, COUNT);
  guint32 last = 0;

  memset (labels, 0, COUNT * sizeof *labels);
  for (int first = 0; first < COUNT; first++)
    {
      int n = 0;

      if (!mask[first] || labels[first])
        continue;
      labels[first] = ++last;
      stack[n++] = first;
      while (n > 0)
        {
          int at = stack[--n];

          for (int k = 0; k < neighbors; k++)
            {
              int x = at % WIDTH + dx[k], y = at / WIDTH + dy[k], to = y * WIDTH + x;

              if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT || !mask[to] || labels[to])
                continue;
              labels[to] = last;
              stack[n++] = to;
            }
        }
    }
  return last;
}

static void
test_label (void)
{
  GraphScene scene;

  graph_scene_init (&scene, &rect, 0.0);
  for (int neighbors = 4; neighbors <= 8; neighbors += 4)
    {
      GeglNode *mask = graph_node (scene.graph, scene.source, "capra:threshold", "value", 0.6, NULL);
      GeglNode *node = graph_node (scene.graph, mask, "capra:label", "connectivity", neighbors, "rendering", 1, NULL);
      GeglNode *colors = graph_node (scene.graph, mask, "capra:label", "connectivity", neighbors, NULL);
      g_autofree gboolean *set = g_new (gboolean, COUNT);
      g_autofree guint32 *expected = g_new (guint32, COUNT);
      g_autofree guint32 *labels = graph_render (node, NULL, "Y' u32");
      g_autofree float *rendering = graph_render (colors, NULL, "R'G'B'A float");
      guint32 n = 0;
      int count = 0;

      for (gsize i = 0; i < COUNT; i++)
        set[i] = scene.values[i] >= 0.6f;
      n = flood (set, neighbors, expected);
      gegl_node_get (node, "count", &count, NULL);
      g_assert_cmpint (count, ==, n);
      g_assert_cmpmem (labels, COUNT * 4, expected, COUNT * 4);
      for (gsize i = 0; i < COUNT; i++)
        g_assert_cmpfloat (rendering[4 * i + 3], ==, set[i] ? 1.0 : 0.0);
    }
  graph_scene_clear (&scene);
}

/* A column of a CSV file, by its name. */
static GArray *
read_column (const char *path, const char *name)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) head = NULL;
  GArray *column = g_array_new (FALSE, FALSE, sizeof (double));
  guint index = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_strdelimit (text, "\r", ' ');
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  head = g_strsplit (g_strstrip (lines[0]), ",", -1);
  while (head[index] && !g_str_equal (head[index], name))
    index++;
  g_assert_nonnull (head[index]);
  for (guint row = 1; lines[row]; row++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[row], ",", -1);
      double value = g_ascii_strtod (cells[index], NULL);

      g_array_append_val (column, value);
    }
  return column;
}

static void
assert_column (const char *path, const char *name, const double *expected, guint n)
{
  g_autoptr (GArray) column = read_column (path, name);

  g_assert_cmpuint (column->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      double value = g_array_index (column, double, i);

      if (fabs (value - expected[i]) > 1e-5 * MAX (1.0, fabs (expected[i])))
        g_error ("%s of row %u is %.9g, not %.9g", name, i, value, expected[i]);
    }
}

/* Area, centroid, sum and weighted centroid of labels with intensities, by scalar sums. */
static void
assert_regions (const char *path, const guint32 *labels, const float *values, guint n)
{
  g_autofree double *area = g_new0 (double, n), *sum = g_new0 (double, n), *x = g_new0 (double, n);
  g_autofree double *weighted = g_new0 (double, n), *bottom = g_new0 (double, n);

  for (int i = 0; i < COUNT; i++)
    if (labels[i] > 0)
      {
        guint at = labels[i] - 1;

        area[at] += 1.0;
        sum[at] += values[i];
        x[at] += i % WIDTH + rect.x;
        weighted[at] += values[i] * (double) (i / WIDTH + rect.y);
        bottom[at] = i / WIDTH + rect.y;
      }
  for (guint i = 0; i < n; i++)
    {
      x[i] /= area[i];
      weighted[i] /= sum[i];
    }
  assert_column (path, "area", area, n);
  assert_column (path, "sum", sum, n);
  assert_column (path, "centroid_x", x, n);
  assert_column (path, "weighted_centroid_y", weighted, n);
  assert_column (path, "max_y", bottom, n);
}

static GeglNode *
labeled (GraphScene *scene, guint32 **labels, guint *n)
{
  GeglNode *mask = graph_node (scene->graph, scene->source, "capra:threshold", "value", 0.6, NULL);
  GeglNode *node = graph_node (scene->graph, mask, "capra:label", "rendering", 1, NULL);
  int count = 0;

  *labels = graph_render (node, NULL, "Y' u32");
  gegl_node_get (node, "count", &count, NULL);
  *n = (guint) count;
  return node;
}

static void
test_measure (void)
{
  GraphScene scene;
  g_autofree char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "table.csv", NULL);
  g_autofree char *second = g_build_filename (folder, "table-2.csv", NULL);
  g_autofree guint32 *labels = NULL, *passed = NULL;
  GeglNode *label = NULL, *measure = NULL, *other = NULL;
  guint n = 0;

  graph_scene_init (&scene, &rect, 0.0);
  label = labeled (&scene, &labels, &n);
  measure = graph_node (scene.graph, label, "capra:measure", NULL);
  gegl_node_connect (scene.source, "output", measure, "aux");
  g_setenv ("CAPRA_TABLES", path, TRUE);
  passed = graph_render (measure, NULL, "Y' u32");
  g_assert_cmpmem (passed, COUNT * 4, labels, COUNT * 4);
  assert_regions (path, labels, scene.values, n);

  other = graph_node (scene.graph, scene.source, "capra:statistics", NULL);
  g_free (graph_render (other, NULL, "Y float"));
  g_assert_true (g_file_test (second, G_FILE_TEST_EXISTS));
  g_unsetenv ("CAPRA_TABLES");
  g_unlink (path);
  g_unlink (second);
  g_rmdir (folder);
  graph_scene_clear (&scene);
}

/* Labels from host memory: integers, and floats with integer values. */
static void
test_measure_formats (void)
{
  static const char *const formats[] = { "Y' u32", "Y' u16", "Y u8", "Y double", "Y' float", "Y float" };
  GraphScene scene;
  g_autofree guint32 *labels = NULL;
  guint n = 0;

  graph_scene_init (&scene, &rect, 0.0);
  labeled (&scene, &labels, &n);
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    {
      gsize bytes = babl_format_get_bytes_per_pixel (babl_format (formats[f]));
      gboolean real = strstr (formats[f], "u") == NULL || strstr (formats[f], "double") != NULL;
      g_autofree guint8 *raw = g_malloc (COUNT * bytes);
      g_autoptr (GeglBuffer) buffer = NULL;
      GeglNode *measure = NULL;
      int count = 0;

      for (gsize i = 0; i < COUNT; i++)
        switch (bytes)
          {
          case 1: raw[i] = (guint8) MIN (labels[i], 255); break;
          case 2: ((guint16 *) raw)[i] = (guint16) labels[i]; break;
          case 8: ((double *) raw)[i] = labels[i]; break;
          default:
            if (real)
              ((float *) raw)[i] = (float) labels[i];
            else
              ((guint32 *) raw)[i] = labels[i];
          }
      buffer = graph_buffer (formats[f], &rect, raw);
      measure = graph_node (scene.graph, graph_source (scene.graph, buffer), "capra:measure", NULL);
      g_free (graph_render (measure, NULL, formats[f]));
      gegl_node_get (measure, "count", &count, NULL);
      g_assert_cmpint (count, ==, bytes == 1 ? MIN (n, 255) : n);
    }
  graph_scene_clear (&scene);
}

static void
test_measure_save (void)
{
  GraphScene scene;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "capra-save-XXXXXX", NULL);
  g_autofree guint32 *labels = NULL;
  GeglNode *label = NULL, *save = NULL;
  guint n = 0;

  close (g_mkstemp (path));
  graph_scene_init (&scene, &rect, 0.0);
  label = labeled (&scene, &labels, &n);
  save = graph_node (scene.graph, label, "capra:measure-save", "path", path, NULL);
  gegl_node_connect (scene.source, "output", save, "aux");
  for (guint run = 0; run < 2; run++)
    {
      g_unlink (path);
      gegl_node_process (save);
      assert_regions (path, labels, scene.values, n);
    }
  g_unlink (path);
  graph_scene_clear (&scene);
}

static int
compare (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

static void
test_statistics (void)
{
  GraphScene scene;
  g_autofree float *sorted = NULL, *passed = NULL;
  double count, low, high, middle, std, median, sum, squares = 0.0;
  GeglNode *node = NULL;

  graph_scene_init (&scene, &rect, 0.0);
  node = graph_node (scene.graph, scene.source, "capra:statistics", NULL);
  passed = graph_render_parts (node, "Y float", 1, 30);
  g_assert_cmpmem (passed, COUNT * 4, scene.values, COUNT * 4);
  gegl_node_get (node, "count", &count, "min", &low, "max", &high, "mean", &middle, "std", &std, "median", &median,
                 "sum", &sum, NULL);
  sorted = g_memdup2 (scene.values, COUNT * 4);
  qsort (sorted, COUNT, 4, compare);
  for (gsize i = 0; i < COUNT; i++)
    squares += pow (sorted[i] - mean (scene.values), 2);
  g_assert_cmpfloat (count, ==, COUNT);
  g_assert_cmpfloat (low, ==, sorted[0]);
  g_assert_cmpfloat (high, ==, sorted[COUNT - 1]);
  g_assert_cmpfloat (median, ==, sorted[COUNT / 2]);
  g_assert_cmpfloat_with_epsilon (middle, mean (scene.values), 1e-6);
  g_assert_cmpfloat_with_epsilon (sum, mean (scene.values) * COUNT, 1e-2);
  g_assert_cmpfloat_with_epsilon (std, sqrt (squares / COUNT), 1e-6);
  graph_scene_clear (&scene);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/regions/threshold-manual", test_threshold_manual);
  g_test_add_func ("/regions/threshold-perceptual", test_threshold_perceptual);
  g_test_add_func ("/regions/threshold-found", test_threshold_found);
  g_test_add_func ("/regions/label", test_label);
  g_test_add_func ("/regions/measure", test_measure);
  g_test_add_func ("/regions/measure-formats", test_measure_formats);
  g_test_add_func ("/regions/measure-save", test_measure_save);
  g_test_add_func ("/regions/statistics", test_statistics);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
