/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every chain of the table of operations, and chains of several filters, shown in chunks while strokes are painted and
 * properties change: the same bytes as rendered at once by a new graph. */
#include "tests/support/chunks.h"
#include "tests/support/graph.h"
#include "tests/support/operations.h"

#include <string.h>

#define ROUNDS 2
#define SLOW_ROUNDS 4

static const GeglRectangle rect = { -5, 3, 300, 217 };

/* Sizes that replace the image's. The last ones are narrower than the reach of some Gaussians. */
static const GeglRectangle other_rects[] = {
  { -5, 3, 300, 217 },   { 17, -30, 211, 259 }, { 0, 0, 256, 256 },
  { 100, 100, 201, 77 }, { -40, 7, 1, 150 },    { 3, 3, 20, 177 },
};

static const char *const formats[] = { "Y' u8", "R'G'B'A u8", "R'G'B'A u16", "RGBA float" };

static const char *const chains[] = {
  "capra:gaussian-blur std-dev-x=2 std-dev-y=2 capra:box-blur radius=5 capra:threshold value=0.5",
  "capra:gaussian-blur std-dev-x=2 std-dev-y=2 capra:gaussian-blur std-dev-x=12 std-dev-y=12 "
  "capra:gaussian-blur std-dev-x=1 std-dev-y=5 abyss-policy=mirror",
  "capra:convolve capra:gaussian-blur std-dev-x=7 std-dev-y=7 abyss-policy=wrap capra:box-blur radius=3",
  "capra:box-blur radius=3 capra:threshold method=otsu capra:label",
  "capra:statistics capra:gaussian-blur clip-extent=false capra:convolve extent=full",
  "capra:gaussian-blur clip-extent=false std-dev-x=12 std-dev-y=12",
  "capra:gaussian-blur clip-extent=false filter=fir std-dev-x=25 std-dev-y=3",
};

typedef struct {
  GeglNode *graph, *source, *last;
  GeglBuffer *buffer;
  const char *chain, *format;
  GRand *random;
} Scene;

static void
replace_image (Scene *scene)
{
  const GeglRectangle *other = &other_rects[g_rand_int_range (scene->random, 0, G_N_ELEMENTS (other_rects))];

  g_clear_object (&scene->buffer);
  scene->buffer = chunk_noise (scene->format, other, g_rand_int (scene->random));
  gegl_node_set (scene->source, "buffer", scene->buffer, NULL);
}

static void
paint (Scene *scene)
{
  guint strokes = (guint) g_rand_int_range (scene->random, 1, 4);

  for (guint i = 0; i < strokes; i++)
    chunk_stroke (scene->buffer, scene->random);
}

/* Whether a random value of this property gives a result: not the properties that operations write, not a choice that
 * only some images permit, and not one that the chain makes, since its other operations may depend on it. */
static gboolean
is_changeable (GParamSpec *spec, const char *chain)
{
  g_autofree char *choice = g_strdup_printf (" %s=", spec->name);

  return (spec->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE
         && g_strcmp0 (gegl_param_spec_get_property_key (spec, "visible"), "0") != 0
         && !gegl_param_spec_get_property_key (spec, "whole-numbers")
         && (G_IS_PARAM_SPEC_DOUBLE (spec) || G_IS_PARAM_SPEC_INT (spec) || G_IS_PARAM_SPEC_BOOLEAN (spec)
             || (G_IS_PARAM_SPEC_ENUM (spec) && !strstr (chain, choice)));
}

/* Near the current value, so that results stay small. */
static void
change_property (GeglNode *node, GParamSpec *spec, GRand *random)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, spec->value_type);
  gegl_node_get_property (node, spec->name, &value);
  if (G_IS_PARAM_SPEC_DOUBLE (spec))
    {
      double now = g_value_get_double (&value);

      g_value_set_double (&value, now == 0.0 || now >= 1e6 ? g_rand_double (random)
                                                           : now * g_rand_double_range (random, 0.6, 1.1));
    }
  else if (G_IS_PARAM_SPEC_INT (spec))
    g_value_set_int (&value, CLAMP (g_value_get_int (&value), 0, 100) + g_rand_int_range (random, -2, 3));
  else if (G_IS_PARAM_SPEC_ENUM (spec))
    {
      GEnumClass *klass = G_PARAM_SPEC_ENUM (spec)->enum_class;

      g_value_set_enum (&value, klass->values[g_rand_int_range (random, 0, (gint32) klass->n_values)].value);
    }
  else
    g_value_set_boolean (&value, !g_value_get_boolean (&value));
  g_param_value_validate (spec, &value);
  gegl_node_set_property (node, spec->name, &value);
}

/* Changes one property of one of Capra's nodes, if it has one that can be changed. */
static void
change_any_property (Scene *scene)
{
  g_autoptr (GSList) nodes = gegl_node_get_children (scene->graph);
  g_autoptr (GPtrArray) capra = g_ptr_array_new (), changeable = g_ptr_array_new ();
  g_autofree GParamSpec **specs = NULL;
  GeglNode *node = NULL;
  guint n = 0;

  for (GSList *link = nodes; link; link = link->next)
    if (gegl_node_find_property (link->data, "device"))
      g_ptr_array_add (capra, link->data);
  node = capra->pdata[g_rand_int_range (scene->random, 0, (gint32) capra->len)];
  specs = gegl_operation_list_properties (gegl_node_get_operation (node), &n);
  for (guint i = 0; i < n; i++)
    if (is_changeable (specs[i], scene->chain))
      g_ptr_array_add (changeable, specs[i]);
  if (changeable->len > 0)
    change_property (node, changeable->pdata[g_rand_int_range (scene->random, 0, (gint32) changeable->len)],
                     scene->random);
}

static void
change_devices (Scene *scene)
{
  static const char *const devices[] = { "0", "1", "all", "" };
  const char *device = devices[g_rand_int_range (scene->random, 0, G_N_ELEMENTS (devices))];
  g_autoptr (GSList) nodes = gegl_node_get_children (scene->graph);

  for (GSList *link = nodes; link; link = link->next)
    if (gegl_node_find_property (link->data, "device"))
      gegl_node_set (link->data, "device", support_device_name (device), NULL);
}

static void
free_device_memory (Scene *scene)
{
  for (guint i = 0; i < 2; i++)
    capra_memory_trim (support_device (i));
}

typedef void (*ChangeFunc) (Scene *scene);

/* The more frequent ones several times. */
static const struct {
  const char *name;
  ChangeFunc change;
} changes[] = {
  { "strokes", paint },
  { "strokes", paint },
  { "strokes", paint },
  { "property", change_any_property },
  { "property", change_any_property },
  { "image", replace_image },
  { "device", change_devices },
  { "memory", free_device_memory },
};

static void
scene_init (Scene *scene, const char *chain, const char *format)
{
  scene->chain = chain;
  scene->format = format;
  scene->random = g_rand_new_with_seed (26);
  scene->buffer = chunk_noise (format, &rect, 5);
  scene->graph = gegl_node_new ();
  scene->source = graph_source (scene->graph, scene->buffer);
  scene->last = graph_chain (scene->source, chain, "0");
}

static void
scene_clear (Scene *scene)
{
  g_object_unref (scene->graph);
  g_object_unref (scene->buffer);
  g_rand_free (scene->random);
}

/* Between two changes some chunks are rendered, others not. Odd rounds use two threads. */
static void
check (const char *chain, const char *format)
{
  Scene scene;
  ChunkHost *host = NULL;

  scene_init (&scene, chain, format);
  host = chunk_host_new (scene.last, format, 1);
  for (guint round = 0; round < (g_test_slow () ? SLOW_ROUNDS : ROUNDS); round++)
    {
      guint first = (guint) g_rand_int_range (scene.random, 0, G_N_ELEMENTS (changes));
      guint second = (guint) g_rand_int_range (scene.random, 0, G_N_ELEMENTS (changes));
      g_autofree char *what = g_strdup_printf ("round %u, %s and %s", round, changes[first].name, changes[second].name);

      if (round % 2)
        chunk_host_render_in_threads (host, 14);
      else
        chunk_host_render (host, 7);
      changes[first].change (&scene);
      chunk_host_render (host, 5);
      changes[second].change (&scene);
      if (round % 2)
        chunk_host_render_in_threads (host, 10);
      chunk_host_check (host, what);
    }
  chunk_host_free (host);
  scene_clear (&scene);
}

/* The default test of a chain takes one of the formats. */
static void
test_chain (gconstpointer chain)
{
  guint step = support_step (G_N_ELEMENTS (formats));

  for (guint i = g_str_hash (chain) % step; i < G_N_ELEMENTS (formats); i += step)
    check (chain, formats[i]);
}

/* Images that are narrower than the reach, and too long for one step ahead: chunks within the image, and beyond it,
 * equal the whole. */
static void
test_narrow (gconstpointer chain)
{
  static const GeglRectangle rects[] = { { 3, 3, 20, 2000 }, { -40, 7, 1, 3000 }, { -5, 9, 2500, 33 } };

  for (guint i = 0; i < G_N_ELEMENTS (rects); i++)
    {
      Scene scene;
      ChunkHost *host = NULL;

      scene_init (&scene, chain, "RGBA float");
      g_clear_object (&scene.buffer);
      scene.buffer = chunk_noise ("RGBA float", &rects[i], 5);
      gegl_node_set (scene.source, "buffer", scene.buffer, NULL);
      host = chunk_host_new (scene.last, "RGBA float", 1);
      chunk_host_render (host, 5);
      paint (&scene);
      chunk_host_render (host, 5);
      chunk_host_check (host, "narrow");
      chunk_host_free (host);
      scene_clear (&scene);
    }
}

/* For chains that output pixels. */
static void
add_test (const char *chain)
{
  g_autofree char *path = operations_test_path ("/chunks-all/", chain);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *last = graph_chain (graph_node (graph, NULL, "gegl:checkerboard", NULL), chain, "");

  if (gegl_node_has_pad (last, "output"))
    g_test_add_data_func (path, chain, test_chain);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GPtrArray) table = NULL;
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  table = operations_get_chains ();
  for (guint i = 0; i < table->len; i++)
    add_test (table->pdata[i]);
  for (guint i = 0; i < G_N_ELEMENTS (chains); i++)
    add_test (chains[i]);
  g_test_add_data_func ("/chunks-all/narrow/full", "capra:gaussian-blur clip-extent=false std-dev-x=12 std-dev-y=12",
                        test_narrow);
  g_test_add_data_func ("/chunks-all/narrow/sampled",
                        "capra:gaussian-blur clip-extent=false filter=fir std-dev-x=25 std-dev-y=9", test_narrow);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
