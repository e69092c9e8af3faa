/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs shown in chunks while something changes: border rules, the aux pad, resident and unbounded inputs, and GEGL's
 * own operations before, between and after Capra's. What is shown equals a new graph that is rendered at once. */
#include "tests/support/chunks.h"
#include "tests/support/graph.h"

#define ROUNDS 5

static const GeglRectangle rect = { -13, 27, 300, 217 };

static const char *const formats[] = { "Y' u8", "R'G'B'A u16", "RGBA float" };

typedef struct {
  const char *format;
  GRand *random;
  GeglBuffer *buffer, *other; /* the image, and an image on another pad */
  GeglNode *graph, *source, *nodes[4];
  gboolean connected; /* a new node was connected */
} Scene;

/* Adds nodes after scene->source, and returns the one that is shown. */
typedef GeglNode *(*BuildFunc) (Scene *scene);
typedef void (*ChangeFunc) (Scene *scene);

static double
random_double (Scene *scene, double low, double high)
{
  return g_rand_double_range (scene->random, low, high);
}

static void
paint (Scene *scene)
{
  chunk_stroke (scene->buffer, scene->random);
}

/* A property of a Capra node (nodes[0], a Gaussian). */
static void
move_slider (Scene *scene)
{
  gegl_node_set (scene->nodes[0], "std-dev-x", random_double (scene, 0.0, 9.0), NULL);
}

static GeglNode *
add_gaussian (Scene *scene, GeglNode *input)
{
  return graph_node (scene->graph, input, "capra:gaussian-blur", "std-dev-x", 3.0, "std-dev-y", 5.0, NULL);
}

/* nodes[1] is one of GEGL's filters, which works in place where it can. */
static GeglNode *
add_contrast (Scene *scene, GeglNode *input)
{
  return scene->nodes[1] = graph_node (scene->graph, input, "gegl:brightness-contrast", "contrast", 1.2, NULL);
}

static void
change_contrast (Scene *scene)
{
  gegl_node_set (scene->nodes[1], "contrast", random_double (scene, 0.5, 1.5), NULL);
}

static GeglNode *
build_upstream (Scene *scene)
{
  scene->nodes[0] = add_gaussian (scene, add_contrast (scene, scene->source));
  return graph_node (scene->graph, scene->nodes[0], "capra:box-blur", "radius", 4, NULL);
}

static GeglNode *
build_downstream (Scene *scene)
{
  scene->nodes[0] = add_gaussian (scene, scene->source);
  return add_contrast (scene, graph_node (scene->graph, scene->nodes[0], "capra:box-blur", "radius", 4, NULL));
}

static GeglNode *
build_between (Scene *scene)
{
  scene->nodes[0] = add_gaussian (scene, scene->source);
  return graph_node (scene->graph, add_contrast (scene, scene->nodes[0]), "capra:box-blur", "radius", 4, NULL);
}

/* As GIMP connects filters: each result is cropped and cached. */
static GeglNode *
build_cached (Scene *scene)
{
  GeglNode *crop = NULL, *cache = NULL;

  scene->nodes[0] = add_gaussian (scene, scene->source);
  crop = graph_node (scene->graph, scene->nodes[0], "gegl:crop", "x", -13.0, "y", 27.0, "width", 300.0, "height", 217.0,
                     NULL);
  cache = graph_node (scene->graph, crop, "gegl:cache", NULL);
  return graph_node (scene->graph, add_contrast (scene, cache), "capra:threshold", NULL);
}

/* The threshold depends on the whole image. */
static GeglNode *
build_whole (Scene *scene)
{
  scene->nodes[0] = add_gaussian (scene, add_contrast (scene, scene->source));
  return graph_node (scene->graph, graph_node (scene->graph, scene->nodes[0], "capra:threshold", "method", 1, NULL),
                     "capra:gaussian-blur", "std-dev-x", 6.0, "std-dev-y", 2.0, NULL);
}

/* Two results with different reaches, one over the other. */
static GeglNode *
build_diamond (Scene *scene)
{
  GeglNode *over = NULL;

  scene->nodes[0] = add_gaussian (scene, scene->source);
  over = graph_node (scene->graph, graph_node (scene->graph, scene->nodes[0], "capra:box-blur", "radius", 20, NULL),
                     "gegl:over", NULL);
  gegl_node_connect (
    graph_node (scene->graph, add_contrast (scene, scene->nodes[0]), "gegl:opacity", "value", 0.5, NULL), "output",
    over, "aux");
  return over;
}

/* nodes[1] moves the image, nodes[2] crops it. */
static GeglNode *
build_translated (Scene *scene)
{
  GeglNode *node = add_gaussian (scene, scene->source);

  scene->nodes[0] = node;
  scene->nodes[1] = graph_node (scene->graph, node, "gegl:translate", "x", 7.0, "y", -30.0, NULL);
  scene->nodes[2] = graph_node (scene->graph, scene->nodes[1], "gegl:crop", "x", 0.0, "y", 0.0, "width", 201.0,
                                "height", 133.0, NULL);
  return graph_node (scene->graph, scene->nodes[2], "capra:gaussian-blur", "abyss-policy", 0, "std-dev-x", 2.0,
                     "std-dev-y", 8.0, NULL);
}

static void
change_translation (Scene *scene)
{
  gegl_node_set (scene->nodes[1], "x", (double) g_rand_int_range (scene->random, -20, 20), NULL);
}

static void
change_crop (Scene *scene)
{
  gegl_node_set (scene->nodes[2], "x", random_double (scene, -20.0, 20.0), "width", random_double (scene, 50.0, 300.0),
                 NULL);
}

/* An unbounded input, cropped before the filters, whose result is cropped again. */
static GeglNode *
build_unbounded (Scene *scene)
{
  GeglNode *node = NULL;

  scene->nodes[1] = graph_node (scene->graph, NULL, "gegl:checkerboard", "x", 7, "y", 5, NULL);
  scene->nodes[2] = graph_node (scene->graph, scene->nodes[1], "gegl:crop", "x", -10.0, "y", 8.0, "width", 300.0,
                                "height", 217.0, NULL);
  scene->nodes[0] = add_gaussian (scene, scene->nodes[2]);
  node = graph_node (scene->graph, scene->nodes[0], "capra:threshold", "method", 2, NULL);
  return graph_node (scene->graph, node, "capra:box-blur", "radius", 3, NULL);
}

/* The same, but the filters compute parts of the unbounded plane. */
static GeglNode *
build_plane (Scene *scene)
{
  scene->nodes[1] = graph_node (scene->graph, NULL, "gegl:checkerboard", "x", 7, "y", 5, NULL);
  scene->nodes[0] = add_gaussian (scene, scene->nodes[1]);
  return scene->nodes[2] = graph_node (scene->graph,
                                       graph_node (scene->graph, scene->nodes[0], "capra:box-blur", "radius", 3, NULL),
                                       "gegl:crop", "x", -10.0, "y", 8.0, "width", 300.0, "height", 217.0, NULL);
}

static void
change_checks (Scene *scene)
{
  gegl_node_set (scene->nodes[1], "x", g_rand_int_range (scene->random, 3, 20), NULL);
}

/* The image is the result of another graph, on a device. */
static void
make_resident (Scene *scene)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) image = g_steal_pointer (&scene->buffer);
  GeglNode *blur = graph_node (graph, graph_source (graph, image), "capra:box-blur", "radius", 1, NULL);
  GeglNode *sink = graph_node (graph, blur, "gegl:buffer-sink", "buffer", &scene->buffer, NULL);

  gegl_node_process (sink);
  g_assert_nonnull (scene->buffer);
}

static void
replace_resident (Scene *scene)
{
  g_autoptr (GeglBuffer) image = chunk_noise (scene->format, &rect, g_rand_int (scene->random));

  g_set_object (&scene->buffer, image);
  make_resident (scene);
  gegl_node_set (scene->source, "buffer", scene->buffer, NULL);
}

static GeglNode *
build_resident (Scene *scene)
{
  make_resident (scene);
  gegl_node_set (scene->source, "buffer", scene->buffer, NULL);
  scene->nodes[0] = add_gaussian (scene, scene->source);
  return graph_node (scene->graph, scene->nodes[0], "capra:threshold", NULL);
}

/* A threshold for each pixel; nodes[1] is the source of them. */
static GeglNode *
build_aux (Scene *scene)
{
  scene->other = chunk_noise ("Y float", &rect, 9);
  scene->nodes[0] = add_gaussian (scene, scene->source);
  scene->nodes[1] = graph_source (scene->graph, scene->other);
  scene->nodes[2] = graph_node (scene->graph, scene->nodes[0], "capra:threshold", "method", 1, NULL);
  gegl_node_connect (graph_node (scene->graph, scene->nodes[1], "capra:box-blur", "radius", 2, NULL), "output",
                     scene->nodes[2], "aux");
  return graph_node (scene->graph, scene->nodes[2], "capra:box-blur", "radius", 1, NULL);
}

static void
paint_aux (Scene *scene)
{
  chunk_stroke (scene->other, scene->random);
}

/* Without the image on the aux pad, the threshold depends on the whole image. For a node that was never rendered, GEGL
 * invalidates an empty rectangle when it is connected, so that hosts have to know what they changed. */
static void
toggle_aux (Scene *scene)
{
  GeglNode *blur = NULL;

  if (gegl_node_get_producer (scene->nodes[2], "aux", NULL))
    {
      gegl_node_disconnect (scene->nodes[2], "aux");
      return;
    }
  blur = graph_node (scene->graph, scene->nodes[1], "capra:box-blur", "radius", 1, NULL);
  gegl_node_connect (blur, "output", scene->nodes[2], "aux");
  scene->connected = TRUE;
}

static void
replace_aux (Scene *scene)
{
  g_clear_object (&scene->other);
  scene->other = chunk_noise ("Y float", &rect, g_rand_int (scene->random));
  gegl_node_set (scene->nodes[1], "buffer", scene->other, NULL);
}

/* A matrix as an image. */
static GeglNode *
build_matrix (Scene *scene)
{
  scene->other = chunk_noise ("Y float", GEGL_RECTANGLE (0, 0, 7, 5), 9);
  scene->nodes[0] = add_gaussian (scene, scene->source);
  scene->nodes[1] = graph_source (scene->graph, scene->other);
  scene->nodes[2] = graph_node (scene->graph, scene->nodes[0], "capra:convolve", "divisor", 0.0, NULL);
  gegl_node_connect (scene->nodes[1], "output", scene->nodes[2], "aux");
  return scene->nodes[2];
}

static void
replace_image (Scene *scene)
{
  GeglRectangle other = { g_rand_int_range (scene->random, -50, 50), -3, g_rand_int_range (scene->random, 130, 301),
                          g_rand_int_range (scene->random, 130, 301) };

  g_clear_object (&scene->buffer);
  scene->buffer = chunk_noise (scene->format, &other, g_rand_int (scene->random));
  gegl_node_set (scene->source, "buffer", scene->buffer, NULL);
}

/* The image is connected to another source, and back. */
static GeglNode *
build_reconnected (Scene *scene)
{
  scene->other = chunk_noise ("RGB float", GEGL_RECTANGLE (20, 20, 211, 311), 9);
  scene->nodes[0] = add_gaussian (scene, scene->source);
  scene->nodes[1] = graph_source (scene->graph, scene->other);
  return graph_node (scene->graph, scene->nodes[0], "capra:box-blur", "radius", 2, NULL);
}

static void
reconnect (Scene *scene)
{
  gboolean first = gegl_node_get_producer (scene->nodes[0], "input", NULL) == scene->source;

  gegl_node_link (first ? scene->nodes[1] : scene->source, scene->nodes[0]);
}

/* @changes: chosen at random */
static const struct {
  const char *name;
  BuildFunc build;
  ChangeFunc changes[4];
} cases[] = {
  { "upstream", build_upstream, { paint, change_contrast, move_slider, replace_image } },
  { "downstream", build_downstream, { paint, change_contrast, move_slider, replace_image } },
  { "between", build_between, { paint, change_contrast, move_slider, replace_image } },
  { "cached", build_cached, { paint, change_contrast, move_slider } },
  { "whole", build_whole, { paint, change_contrast, move_slider, replace_image } },
  { "diamond", build_diamond, { paint, change_contrast, move_slider, replace_image } },
  { "translated", build_translated, { paint, change_translation, move_slider, change_crop } },
  { "unbounded", build_unbounded, { change_checks, move_slider, change_crop } },
  { "plane", build_plane, { change_checks, move_slider, change_crop } },
  { "resident", build_resident, { paint, paint, move_slider, replace_resident } },
  { "aux", build_aux, { paint_aux, paint, toggle_aux, replace_aux } },
  { "matrix", build_matrix, { paint_aux, paint, move_slider } },
  { "reconnected", build_reconnected, { paint, paint_aux, reconnect, replace_image } },
};

static void
scene_init (Scene *scene, const char *format)
{
  *scene = (Scene){ .format = format, .random = g_rand_new_with_seed (31), .graph = gegl_node_new () };
  scene->buffer = chunk_noise (format, &rect, 5);
  scene->source = graph_source (scene->graph, scene->buffer);
}

static void
scene_clear (Scene *scene)
{
  g_object_unref (scene->graph);
  g_clear_object (&scene->buffer);
  g_clear_object (&scene->other);
  g_rand_free (scene->random);
}

/* Each kind of change once, and some more. */
static void
check_graph (guint number, const char *format)
{
  Scene scene;
  ChunkHost *host = NULL;
  guint n = 0;

  scene_init (&scene, format);
  host = chunk_host_new (cases[number].build (&scene), format, 1);
  while (n < G_N_ELEMENTS (cases[number].changes) && cases[number].changes[n])
    n++;
  for (guint round = 0; round < n + 4; round++)
    {
      guint i = round < n ? round : (guint) g_rand_int_range (scene.random, 0, (gint32) n);
      ChangeFunc change = cases[number].changes[i];
      g_autofree char *what = g_strdup_printf ("round %u, change %u", round, i);

      chunk_host_render (host, 8);
      change (&scene);
      if (scene.connected)
        chunk_host_forget (host);
      scene.connected = FALSE;
      chunk_host_check (host, what);
    }
  chunk_host_free (host);
  scene_clear (&scene);
}

static void
test_graph (gconstpointer data)
{
  guint step = support_step (G_N_ELEMENTS (formats));

  for (guint i = GPOINTER_TO_UINT (data) % step; i < G_N_ELEMENTS (formats); i += step)
    check_graph (GPOINTER_TO_UINT (data), formats[i]);
}

/* Strokes that are just within the reach of a chunk, just outside it, and at the other side of the image, after the
 * chunk was rendered. */
static void
check_reach (const char *chain, gint reach, gint policy)
{
  Scene scene;
  GeglNode *node = NULL;
  ChunkHost *host = NULL;

  scene_init (&scene, "RGBA float");
  node = graph_chain (scene.source, chain, "0");
  gegl_node_set (node, "abyss-policy", policy, NULL);
  host = chunk_host_new (node, "RGBA float", 2);
  chunk_host_check (host, "before");
  for (gint distance = reach - 1; distance <= reach + 1; distance++)
    {
      g_autofree char *what = g_strdup_printf ("%s, policy %d, distance %d", chain, policy, distance);

      /* A pixel to the right of the chunk that ends at x = 128, and one below it. */
      chunk_write (scene.buffer, GEGL_RECTANGLE (127 + distance, 150, 1, 1), scene.random);
      chunk_write (scene.buffer, GEGL_RECTANGLE (100, 127 + distance, 1, 1), scene.random);
      chunk_host_check (host, what);
    }
  for (guint corner = 0; corner < 4; corner++)
    {
      g_autofree char *what = g_strdup_printf ("%s, policy %d, corner %u", chain, policy, corner);
      GeglRectangle part = { corner % 2 ? rect.x + rect.width - 3 : rect.x,
                             corner / 2 ? rect.y + rect.height - 2 : rect.y, 3, 2 };

      chunk_write (scene.buffer, &part, scene.random);
      chunk_host_check (host, what);
    }
  chunk_host_free (host);
  scene_clear (&scene);
}

static void
test_reach (gconstpointer data)
{
  static const struct {
    const char *chain;
    gint reach;
  } filters[] = {
    { "capra:gaussian-blur std-dev-x=2 std-dev-y=2", 8 },
    { "capra:gaussian-blur std-dev-x=6 std-dev-y=6", 33 },
    { "capra:box-blur radius=15", 15 },
    { "capra:box-blur radius=150", 150 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    check_reach (filters[i].chain, filters[i].reach, (gint) GPOINTER_TO_UINT (data));
}

/* Two graphs on one buffer. */
static void
test_two_hosts (void)
{
  Scene scene;
  GeglNode *graph = gegl_node_new ();
  ChunkHost *first = NULL, *second = NULL;

  scene_init (&scene, "R'G'B'A u8");
  first = chunk_host_new (add_gaussian (&scene, scene.source), "R'G'B'A u8", 1);
  second = chunk_host_new (graph_chain (graph_source (graph, scene.buffer),
                                        "capra:box-blur radius=9 capra:threshold method=otsu capra:label", ""),
                           "R'G'B'A u8", 2);
  for (guint round = 0; round < 2 * ROUNDS; round++)
    {
      paint (&scene);
      chunk_host_render (first, 5);
      chunk_host_render (second, 5);
      if (round % 2)
        paint (&scene);
      chunk_host_check (second, "second graph");
      chunk_host_check (first, "first graph");
    }
  chunk_host_free (first);
  chunk_host_free (second);
  g_object_unref (graph);
  scene_clear (&scene);
}

/* A stroke invalidates the chunks that it reaches, and no others. */
static void
test_missing (void)
{
  Scene scene;
  ChunkHost *host = NULL;

  scene_init (&scene, "RGBA float");
  host = chunk_host_new (graph_node (scene.graph, scene.source, "capra:box-blur", "radius", 15, NULL), "RGBA float", 1);
  g_assert_cmpuint (chunk_host_count_missing (host), ==, 6 * 4);
  chunk_host_check (host, "before");
  g_assert_cmpuint (chunk_host_count_missing (host), ==, 0);
  chunk_write (scene.buffer, GEGL_RECTANGLE (90, 90, 10, 10), scene.random);
  g_assert_cmpuint (chunk_host_count_missing (host), ==, 1);
  chunk_write (scene.buffer, GEGL_RECTANGLE (110, 90, 10, 10), scene.random);
  g_assert_cmpuint (chunk_host_count_missing (host), ==, 2);
  chunk_host_check (host, "after");
  chunk_host_free (host);
  scene_clear (&scene);
}

int
main (int argc, char *argv[])
{
  static const char *const policies[] = { "none", "clamp", "mirror", "wrap" };
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    graph_add_case ("/chunks-graphs/", cases[i].name, i, test_graph);
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    graph_add_case ("/chunks-graphs/reach/", policies[i], i, test_reach);
  g_test_add_func ("/chunks-graphs/two-hosts", test_two_hosts);
  g_test_add_func ("/chunks-graphs/missing", test_missing);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
