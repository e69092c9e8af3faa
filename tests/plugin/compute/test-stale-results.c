/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random steps: buffers are written by every function of GEGL, properties, devices and budgets change, buffers and
 * nodes are freed and made anew; and results that are rendered in between are compared with a scalar reference. Each
 * run takes other steps: GLib prints its seed ("random seed: R02S…"), and `--seed R02S…` repeats it. With `--verbose`
 * each step is printed. */
#include "tests/plugin/stale/chain.h"
#include "tests/support/graph.h"

#define N_CANVASES 3
#define N_CHAINS 4
/* The number of steps, also with `-m slow`. */
#define STEPS 3000
#define ALL_STEPS 100000

typedef struct {
  GRand *random;
  Canvas *canvases[N_CANVASES];
  Chain *chains[N_CHAINS];
  guint step, renders;
  guint64 compared;
} World;

static void
note (const World *world, const char *what, guint index, const GeglRectangle *rect)
{
  if (g_test_verbose ())
    g_test_message ("%u: %s %u, %d x %d at (%d, %d)", world->step, what, index, rect->width, rect->height, rect->x,
                    rect->y);
}

static const GeglRectangle nowhere = { 0, 0, 0, 0 };

/* Canvases that have become smaller than this stay so, and test little. */
static gboolean
is_tiny (const GeglRectangle *extent)
{
  return extent->width < 20 || extent->height < 20;
}

static guint
choose (World *world, guint n)
{
  return (guint) canvas_random (world->random, 0, (gint) n - 1);
}

/* The buffer of @canvas, a sub-buffer of it, or that of a chain. */
static GeglBuffer *
choose_handle (World *world, Canvas *canvas)
{
  GeglRectangle extent = *gegl_buffer_get_extent (canvas->buffer);
  Chain *chain = world->chains[choose (world, N_CHAINS)];
  guint kind = choose (world, 6);

  if (kind == 0)
    {
      extent = canvas_random_rect (world->random, &extent);
      return gegl_buffer_create_sub_buffer (canvas->buffer, &extent);
    }
  return g_object_ref (kind == 1 && chain->canvas == canvas ? chain->view : canvas->buffer);
}

static void
step_write (World *world)
{
  guint i = choose (world, N_CANVASES);
  Canvas *canvas = world->canvases[i];
  g_autoptr (GeglBuffer) handle = choose_handle (world, canvas);
  const char *door = NULL;
  GeglRectangle rect;

  for (guint k = 0; k < N_CHAINS; k++)
    chain_expect_write (world->chains[k]);
  rect = canvas_write (canvas, handle, world->canvases[choose (world, N_CANVASES)], world->random, &door);
  for (guint k = 0; k < N_CHAINS; k++)
    if (world->chains[k]->canvas == canvas)
      chain_note_write (world->chains[k], &rect);
  note (world, door, i, &rect);
}

/* GEGL does not compute again what it has not been told of: a chain with hidden writes is built or connected again. */
static void
announce (World *world, Chain *chain)
{
  if (gegl_rectangle_is_empty (&chain->hidden))
    return;
  if (choose (world, 2))
    chain_rebuild (chain);
  else
    chain_reconnect (chain);
}

static void
step_render (World *world)
{
  guint i = choose (world, N_CHAINS);
  Chain *chain = world->chains[i];
  GeglRectangle rect = choose (world, 16) ? canvas_random_rect (world->random, &chain->extent) : chain->extent;

  note (world, "render", i, &rect);
  announce (world, chain);
  world->compared += chain_render (chain, &rect, world->random);
  world->renders++;
}

static void
step_change (World *world)
{
  guint i = choose (world, N_CHAINS);
  Chain *chain = world->chains[i];

  note (world, "change", i, &nowhere);
  if (choose (world, 4))
    chain_change (chain, world->random);
  else
    chain_change_device (chain, world->random);
}

static void
replace_chain (World *world, guint i, Canvas *canvas)
{
  chain_free (world->chains[i]);
  world->chains[i] = chain_new (canvas, world->random);
}

static void
step_chain (World *world)
{
  guint i = choose (world, N_CHAINS);

  note (world, "new chain", i, &nowhere);
  if (choose (world, 2))
    chain_rebuild (world->chains[i]);
  else
    replace_chain (world, i, world->canvases[choose (world, N_CANVASES)]);
}

/* Chains behind a canvas whose buffer was replaced. */
static void
replace_chains (World *world, const Canvas *old, Canvas *canvas)
{
  for (guint k = 0; k < N_CHAINS; k++)
    if (world->chains[k]->canvas == old)
      replace_chain (world, k, canvas);
}

/* A new buffer, possibly at the same address, or one that shares its tiles with the old one. */
static void
step_canvas (World *world)
{
  guint i = choose (world, N_CANVASES);
  Canvas *old = world->canvases[i];

  note (world, "new canvas", i, &nowhere);
  if (choose (world, 2))
    canvas_duplicate (old);
  else
    {
      /* Chains are moved to another canvas, so that the buffer is freed before the new one is made. */
      replace_chains (world, old, world->canvases[(i + 1) % N_CANVASES]);
      canvas_free (old);
      world->canvases[i] = canvas_new (world->random);
      replace_chain (world, choose (world, N_CHAINS), world->canvases[i]);
    }
  replace_chains (world, world->canvases[i], world->canvases[i]);
}

/* GEGL's nodes do not find out that the extent has changed. */
static void
step_extent (World *world)
{
  guint i = choose (world, N_CANVASES);
  Canvas *canvas = world->canvases[i];
  GeglRectangle extent = canvas_random_rect (world->random, &canvas->area);

  if (is_tiny (&extent))
    return;
  gegl_buffer_set_extent (canvas->buffer, &extent);
  gegl_buffer_set_abyss (canvas->buffer, &extent);
  note (world, "extent", i, &extent);
  for (guint k = 0; k < N_CHAINS; k++)
    if (world->chains[k]->view == canvas->buffer)
      chain_rebuild (world->chains[k]);
}

/* The format of a result: float, or that of the canvas. */
static CanvasFormat
get_result_format (const Chain *chain, const Babl *format)
{
  CanvasFormat result = chain->canvas->format;

  result.name = babl_get_name (format);
  if (babl_format_get_type (format, 0) == babl_type ("float"))
    result.depth = CANVAS_FLOATS;
  return result;
}

/* A chain's result becomes the buffer of a canvas: it is on the device. */
static void
step_sink (World *world)
{
  Chain *chain = world->chains[choose (world, N_CHAINS)];
  guint i = choose (world, N_CANVASES);
  Canvas *canvas = world->canvases[i];
  GeglBuffer *buffer = NULL;
  GeglNode *sink = NULL;
  CanvasFormat format;

  if (chain->canvas == canvas || is_tiny (&chain->extent))
    return;
  note (world, "result to canvas", i, &chain->extent);
  announce (world, chain);
  sink = graph_node (chain->graph, chain->nodes[chain->n - 1], "gegl:buffer-sink", "buffer", &buffer, NULL);
  gegl_node_blit (sink, 1.0, &chain->extent, NULL, NULL, 0, GEGL_BLIT_DEFAULT);
  gegl_node_remove_child (chain->graph, sink);
  /* capra:statistics hands on its input, which may be the buffer of a canvas. */
  for (guint k = 0; k < N_CANVASES; k++)
    if (gegl_buffer_share_storage (buffer, world->canvases[k]->buffer))
      {
        GeglBuffer *copy = gegl_buffer_dup (buffer);

        g_object_unref (buffer);
        buffer = copy;
      }
  format = get_result_format (chain, gegl_buffer_get_format (buffer));
  canvas_take_buffer (canvas, buffer, &format);
  replace_chains (world, canvas, canvas);
}

/* A chain's result is written into a canvas. */
static void
step_blit (World *world)
{
  Chain *chain = world->chains[choose (world, N_CHAINS)];
  guint i = choose (world, N_CANVASES);
  Canvas *canvas = world->canvases[i];
  GeglNode *last = NULL, *sink = NULL;
  GeglRectangle rect;

  if (chain->canvas == canvas || canvas->format.depth != CANVAS_FLOATS
      || canvas->format.alpha != chain->canvas->format.alpha
      || !gegl_rectangle_intersect (&rect, &chain->extent, gegl_buffer_get_extent (canvas->buffer)))
    return;
  announce (world, chain);
  last = chain->nodes[chain->n - 1];
  for (guint k = 0; k < N_CHAINS; k++)
    chain_expect_write (world->chains[k]);
  if (choose (world, 2))
    gegl_node_blit_buffer (last, canvas->buffer, &rect, 0, GEGL_ABYSS_NONE);
  else
    {
      sink = graph_node (chain->graph, last, "gegl:write-buffer", "buffer", canvas->buffer, NULL);
      gegl_node_process (sink);
      gegl_node_remove_child (chain->graph, sink);
    }
  note (world, sink ? "write-buffer" : "blit", i, &rect);
  canvas_read (canvas, &rect);
  for (guint k = 0; k < N_CHAINS; k++)
    if (world->chains[k]->canvas == canvas)
      chain_note_write (world->chains[k], &rect);
}

static void
step_check (World *world)
{
  canvas_check (world->canvases[choose (world, N_CANVASES)]);
}

/* Budgets of the device and of GEGL; or what can be freed is freed. */
static void
step_memory (World *world)
{
  static const guint64 budgets[] = { 0, 0, 1 << 20, 400 << 10, 200 << 10 };
  static const guint64 tile_caches[] = { 1 << 28, 1 << 28, 4 << 20, 1 << 18, 1 << 16 };
  CapraDevice *device = support_device (choose (world, 2));

  note (world, "memory", 0, &nowhere);
  switch (choose (world, 4))
    {
    case 0: capra_memory_set_budget (device, budgets[choose (world, G_N_ELEMENTS (budgets))]); break;
    case 1: capra_memory_free_unused (device); break;
    case 2: capra_memory_trim (device); break;
    default:
      g_object_set (gegl_config (), "tile-cache-size", tile_caches[choose (world, G_N_ELEMENTS (tile_caches))], NULL);
    }
}

/* Each with its share of 100 steps. */
static const struct {
  guint share;
  void (*func) (World *world);
} kinds[] = {
  { 45, step_write }, { 30, step_render }, { 9, step_change }, { 4, step_chain }, { 2, step_canvas },
  { 1, step_extent }, { 2, step_sink },    { 2, step_blit },   { 2, step_check }, { 3, step_memory },
};

static void
run_step (World *world)
{
  guint number = choose (world, 100), i = 0;

  while (number >= kinds[i].share)
    number -= kinds[i++].share;
  kinds[i].func (world);
}

static void
world_clear (World *world)
{
  for (guint i = 0; i < N_CHAINS; i++)
    chain_free (world->chains[i]);
  for (guint i = 0; i < N_CANVASES; i++)
    canvas_free (world->canvases[i]);
  for (guint i = 0; i < 2; i++)
    capra_memory_set_budget (support_device (i), 0);
  g_rand_free (world->random);
}

static void
test_steps (void)
{
  World world = { g_rand_new_with_seed ((guint32) g_test_rand_int ()) };
  guint steps = g_test_slow () ? ALL_STEPS : STEPS;

  for (guint i = 0; i < N_CANVASES; i++)
    world.canvases[i] = canvas_new (world.random);
  for (guint i = 0; i < N_CHAINS; i++)
    world.chains[i] = chain_new (world.canvases[i % N_CANVASES], world.random);
  for (world.step = 0; world.step < steps; world.step++)
    run_step (&world);
  g_test_message ("%u steps, %u of them renders, with %" G_GUINT64_FORMAT " pixels compared", steps, world.renders,
                  world.compared);
  g_assert_cmpuint (world.compared, >, steps);
  world_clear (&world);
}

#define WIDTH 96
#define HEIGHT 80

static const GeglRectangle whole = { 0, 0, WIDTH, HEIGHT };

static void
assert_noise (GeglBuffer *buffer, const float *noise)
{
  g_autofree float *found = g_new (float, WIDTH * HEIGHT);

  gegl_buffer_get (buffer, &whole, 1.0, babl_format ("Y float"), found, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_assert_cmpmem (found, WIDTH * HEIGHT * sizeof *noise, noise, WIDTH * HEIGHT * sizeof *noise);
}

/* An upload of a whole buffer is found by a reader of a part, which cannot see what has changed elsewhere. */
static void
test_sub_buffer (void)
{
  g_autofree float *noise = support_noise (WIDTH * HEIGHT, 0.0, 1.0, 3);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &whole, noise);
  g_autoptr (GeglBuffer) part = gegl_buffer_create_sub_buffer (buffer, GEGL_RECTANGLE (0, 0, 30, 30));
  g_autoptr (GeglBuffer) first = graph_copy (buffer), second = NULL, third = NULL;

  noise[70 * WIDTH + 90] = 7.0f;
  gegl_buffer_set (buffer, GEGL_RECTANGLE (90, 70, 1, 1), 0, babl_format ("Y float"), &noise[70 * WIDTH + 90],
                   GEGL_AUTO_ROWSTRIDE);
  second = graph_copy (part);
  third = graph_copy (buffer);
  assert_noise (third, noise);
}

/* A host writes into the result that it got, and asks for the result once more. */
static void
test_written (gconstpointer operation)
{
  g_autofree float *noise = support_noise (WIDTH * HEIGHT, 0.0, 1.0, 3);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &whole, noise);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *copy = graph_node (graph, graph_source (graph, buffer), "capra:box-blur", "radius", 0, NULL);
  GeglNode *last = graph_node (graph, copy, operation, NULL);

  for (gint i = 0; i < 3; i++)
    {
      GeglBuffer *results[2] = { NULL, NULL };

      for (gint k = 0; k < 2; k++)
        {
          GeglNode *sink = graph_node (graph, last, "gegl:buffer-sink", "buffer", &results[k], NULL);

          gegl_node_blit (sink, 1.0, &whole, NULL, NULL, 0, GEGL_BLIT_DEFAULT);
          gegl_node_remove_child (graph, sink);
        }
      gegl_buffer_clear (results[0], NULL);
      assert_noise (results[1], noise);
      gegl_buffer_clear (results[1], GEGL_RECTANGLE (5, 5, 60, 60));
      g_object_unref (results[0]);
      g_object_unref (results[1]);
    }
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_object_set (gegl_config (), "tile-width", 32, "tile-height", 16, NULL);
  g_test_add_func ("/stale-results/sub-buffer", test_sub_buffer);
  g_test_add_data_func ("/stale-results/written/part", "gegl:nop", test_written);
  g_test_add_data_func ("/stale-results/written/whole", "capra:statistics", test_written);
  g_test_add_func ("/stale-results/steps", test_steps);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
