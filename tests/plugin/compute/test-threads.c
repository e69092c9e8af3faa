/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several threads that render one operation at the same time: what one computes is not computed by the others, and all
 * of them show the same pixels. */
#include <string.h>

#include <gegl-plugin.h>

#include "plugin/compute/request.h"
#include "tests/support/graph.h"

enum { WIDTH = 1301, HEIGHT = 805, CHUNK = 64, BYTES = WIDTH * HEIGHT * sizeof (float), MANY = CAPRA_MAX_REQUESTS + 8 };

static const GeglRectangle extent = { -13, 27, WIDTH, HEIGHT };

typedef struct {
  GeglBuffer *buffer;
  GeglNode *graph, *node, *ends[MANY]; /* each thread renders its own end */
  const float *expected;
} Scene;

/* A thread renders @n chunks, in an order of its own. */
typedef struct {
  Scene *scene;
  guint number, n;
} Reader;

static void
scene_init (Scene *scene, const char *chain, guint n)
{
  g_autofree float *values = support_noise (WIDTH * HEIGHT, 0.0, 1.0, 7);

  scene->buffer = graph_buffer ("Y float", &extent, values);
  scene->graph = gegl_node_new ();
  scene->node = graph_chain (graph_source (scene->graph, scene->buffer), chain, "");
  scene->expected = graph_render (scene->node, NULL, "Y float");
  /* GEGL cannot prepare a graph in several threads. */
  for (guint i = 0; i < n; i++)
    {
      scene->ends[i] = graph_node (scene->graph, scene->node, "gegl:nop", NULL);
      g_free (graph_render (scene->ends[i], GEGL_RECTANGLE (0, 30, 1, 1), "Y float"));
    }
}

static void
scene_clear (Scene *scene)
{
  g_free ((gpointer) scene->expected);
  g_clear_object (&scene->graph);
  g_clear_object (&scene->buffer);
}

static gpointer
read_chunks (gpointer data)
{
  const Reader *reader = data;
  const Scene *scene = reader->scene;
  g_autoptr (GRand) random = g_rand_new_with_seed (reader->number);

  for (guint i = 0; i < reader->n; i++)
    {
      GeglRectangle rect = { extent.x + g_rand_int_range (random, 0, WIDTH - CHUNK),
                             extent.y + g_rand_int_range (random, 0, HEIGHT - CHUNK), CHUNK, CHUNK };
      const float *expected = scene->expected + (rect.y - extent.y) * WIDTH + (rect.x - extent.x);
      float pixels[CHUNK * CHUNK];

      gegl_node_blit (scene->ends[reader->number], 1.0, &rect, babl_format ("Y float"), pixels, GEGL_AUTO_ROWSTRIDE,
                      GEGL_BLIT_DEFAULT);
      for (gsize y = 0; y < CHUNK; y++)
        g_assert_cmpmem (pixels + y * CHUNK, CHUNK * sizeof (float), expected + y * WIDTH, CHUNK * sizeof (float));
    }
  return NULL;
}

/* @n threads render @chunks each. */
static void
render (Scene *scene, guint n, guint chunks)
{
  g_autofree Reader *readers = g_new (Reader, n);
  GThread *threads[MANY];

  for (guint i = 0; i < n; i++)
    {
      readers[i] = (Reader){ scene, i, chunks };
      threads[i] = g_thread_new ("reader", read_chunks, &readers[i]);
    }
  for (guint i = 0; i < n; i++)
    g_thread_join (threads[i]);
}

/* Four threads compute about as much as one. */
static void
test_once (gconstpointer chain)
{
  enum { THREADS = 4, ROUNDS = 5 };
  Scene scene;

  scene_init (&scene, chain, THREADS);
  for (guint i = 0; i < ROUNDS; i++)
    {
      graph_touch (scene.buffer);
      graph_forget ();
      render (&scene, THREADS, 40);
      g_assert_cmpuint (graph_bytes ("download"), >=, BYTES / 2);
      g_assert_cmpuint (graph_bytes ("download"), <=, BYTES * 3 / 2);
    }
  scene_clear (&scene);
}

/* More threads than an operation has requests. */
static void
test_many (void)
{
  Scene scene;

  scene_init (&scene, "capra:gaussian-blur", MANY);
  for (guint i = 0; i < 3; i++)
    {
      render (&scene, MANY, 40);
      graph_touch (scene.buffer);
    }
  scene_clear (&scene);
}

/* An operation that passes its input on, and first has more threads ask what an operation requires than that has
 * requests. */
typedef struct {
  GeglOperationFilter parent_instance;
} Crowd;

typedef struct {
  GeglOperationFilterClass parent_class;
} CrowdClass;

static GType crowd_get_type (void);
G_DEFINE_TYPE (Crowd, crowd, GEGL_TYPE_OPERATION_FILTER)

static GeglOperation *crowded; /* (nullable) */

static gpointer
ask_required (gpointer operation)
{
  const GeglRectangle rect = { 0, 30, 1, 1 };

  gegl_operation_get_required_for_output (operation, "input", &rect);
  return NULL;
}

static gboolean
crowd_process (GeglOperation *operation, GeglOperationContext *context, const gchar *pad, const GeglRectangle *roi,
               gint level)
{
  GThread *threads[MANY];

  for (guint i = 0; crowded && i < MANY; i++)
    threads[i] = g_thread_new ("crowd", ask_required, crowded);
  for (guint i = 0; crowded && i < MANY; i++)
    g_thread_join (threads[i]);
  gegl_operation_context_set_object (context, "output", gegl_operation_context_get_object (context, "input"));
  return TRUE;
}

static void
crowd_class_init (CrowdClass *klass)
{
  GEGL_OPERATION_CLASS (klass)->process = crowd_process;
  gegl_operation_class_set_key (GEGL_OPERATION_CLASS (klass), "name", "test:crowd");
}

static void
crowd_init (Crowd *self)
{
}

/* Other threads replace the request of one that renders what a stroke has changed. */
static void
test_lost (void)
{
  const GeglRectangle dab = { 560, 405, 16, 16 }, touched = { 550, 395, 36, 36 };
  g_autofree float *ink = g_new0 (float, 16 * 16), *pixels = NULL, *expected = NULL;
  Scene scene, fresh;

  g_type_class_unref (g_type_class_ref (crowd_get_type ()));
  scene_init (&scene, "test:crowd capra:box-blur radius=3", 0);
  gegl_buffer_set (scene.buffer, &dab, 0, babl_format ("Y float"), ink, GEGL_AUTO_ROWSTRIDE);
  crowded = gegl_node_get_gegl_operation (scene.node);
  pixels = graph_render (scene.node, &touched, "Y float");
  crowded = NULL;
  scene_init (&fresh, "test:crowd capra:box-blur radius=3", 0);
  gegl_buffer_set (fresh.buffer, &dab, 0, babl_format ("Y float"), ink, GEGL_AUTO_ROWSTRIDE);
  gegl_node_set (fresh.node, "radius", 4, NULL);
  gegl_node_set (fresh.node, "radius", 3, NULL);
  expected = graph_render (fresh.node, &touched, "Y float");
  g_assert_cmpmem (pixels, 36 * 36 * sizeof (float), expected, 36 * 36 * sizeof (float));
  scene_clear (&fresh);
  scene_clear (&scene);
}

static gpointer
read_one (gpointer data)
{
  const Reader *reader = data;
  float pixels[CHUNK * CHUNK];
  const GeglRectangle rect = { 0, 30, CHUNK, CHUNK };

  for (guint i = 0; i < reader->n; i++)
    gegl_node_blit (reader->scene->ends[reader->number], 1.0, &rect, babl_format ("Y float"), pixels,
                    GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  return NULL;
}

/* A failure in several threads is reported once. */
static void
test_failure (void)
{
  enum { THREADS = 4 };
  Reader readers[THREADS];
  GThread *threads[THREADS];
  Scene scene;

  if (support_skip_alone ())
    return;
  scene_init (&scene, "capra:box-blur radius=3", THREADS);
  graph_touch (scene.buffer);
  for (guint i = 0; i < support_devices ()->len; i++)
    {
      capra_memory_free_unused (support_device (i));
      capra_memory_set_budget (support_device (i), 1);
    }
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*trying*instead*");
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*budget*");
  for (guint i = 0; i < THREADS; i++)
    {
      readers[i] = (Reader){ &scene, i, 3 };
      threads[i] = g_thread_new ("reader", read_one, &readers[i]);
    }
  for (guint i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  g_test_assert_expected_messages ();
  for (guint i = 0; i < support_devices ()->len; i++)
    capra_memory_set_budget (support_device (i), 0);
  scene_clear (&scene);
}

typedef struct {
  CapraRequestList list;
  GMutex lock;
  GCond changed;
  guint n_put; /* threads that have put their request */
  gint taken;  /* atomic: threads that have taken one */
} Requests;

/* Puts a request, and takes it when all threads have put theirs. */
static gpointer
put_and_take (gpointer data)
{
  Requests *requests = data;
  GeglRectangle roi = { 0, 0, 1, 1 };
  CapraRequest request = { roi, roi };
  gint own = 0;

  g_mutex_lock (&requests->lock);
  own = (gint) ++requests->n_put;
  g_cond_broadcast (&requests->changed);
  g_mutex_unlock (&requests->lock);
  request.compute.x = own;
  capra_request_list_put (&requests->list, "input", &request);

  g_mutex_lock (&requests->lock);
  while (requests->n_put < MANY)
    g_cond_wait (&requests->changed, &requests->lock);
  g_mutex_unlock (&requests->lock);
  if (capra_request_list_take (&requests->list, &roi, &request))
    {
      g_assert_cmpint (request.compute.x, ==, own);
      g_atomic_int_inc (&requests->taken);
    }
  return NULL;
}

/* A thread takes its own request or none. */
static void
test_list (void)
{
  Requests requests = { .n_put = 0 };
  GThread *threads[MANY];

  capra_request_list_init (&requests.list);
  for (guint i = 0; i < MANY; i++)
    threads[i] = g_thread_new ("requests", put_and_take, &requests);
  for (guint i = 0; i < MANY; i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (requests.taken, >, 0);
  g_assert_cmpint (requests.taken, <=, MANY);
  capra_request_list_clear (&requests.list);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_data_func ("/threads/once/parts", "capra:box-blur radius=3", test_once);
  g_test_add_data_func ("/threads/once/chain", "capra:box-blur radius=3 capra:gaussian-blur", test_once);
  g_test_add_data_func ("/threads/once/whole", "capra:threshold method=otsu", test_once);
  g_test_add_func ("/threads/many", test_many);
  g_test_add_func ("/threads/lost", test_lost);
  g_test_add_func ("/threads/failure", test_failure);
  g_test_add_func ("/threads/list", test_list);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
