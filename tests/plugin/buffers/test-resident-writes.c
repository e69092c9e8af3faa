/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A host writes into a result that is resident on a device. The result then holds what a buffer of GEGL would hold
 * after the same writes, whether or not it was read before, and also if the download fails. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "tests/support/graph.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <gegl-buffer-backend.h>
#include <string.h>

/* Several tiles in both directions. No side of the image is on the edge of a tile. */
#define WIDTH 601
#define HEIGHT 403
#define COUNT (WIDTH * HEIGHT)
#define FRAME 300

static const GeglRectangle rect = { -13, 27, WIDTH, HEIGHT };
/* Contains some whole tiles, of 128 x 128 or 128 x 64 pixels, and parts of others. */
static const GeglRectangle part = { 90, 100, 400, 270 };
/* Whole tiles only. */
static const GeglRectangle tiles = { 128, 128, 256, 256 };

static gboolean downloads_fail;

void *clEnqueueMapBuffer (cl_command_queue queue, cl_mem mem, cl_bool blocking, cl_map_flags flags, size_t offset,
                          size_t size, cl_uint n_waits, const cl_event *waits, cl_event *event, cl_int *status);
cl_int clEnqueueReadBuffer (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t size,
                            void *host, cl_uint n_waits, const cl_event *waits, cl_event *event);

/* The dynamic linker finds these functions before those of the OpenCL loader. */
void *
clEnqueueMapBuffer (cl_command_queue queue, cl_mem mem, cl_bool blocking, cl_map_flags flags, size_t offset,
                    size_t size, cl_uint n_waits, const cl_event *waits, cl_event *event, cl_int *status)
{
  void *(*next) (cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, cl_uint, const cl_event *, cl_event *,
                 cl_int *)
    = dlsym (RTLD_NEXT, "clEnqueueMapBuffer");

  if (!downloads_fail || !(flags & CL_MAP_READ))
    return next (queue, mem, blocking, flags, offset, size, n_waits, waits, event, status);
  *status = CL_OUT_OF_RESOURCES;
  return NULL;
}

cl_int
clEnqueueReadBuffer (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t size, void *host,
                     cl_uint n_waits, const cl_event *waits, cl_event *event)
{
  cl_int (*next) (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *)
    = dlsym (RTLD_NEXT, "clEnqueueReadBuffer");

  return downloads_fail ? CL_OUT_OF_RESOURCES : next (queue, mem, blocking, offset, size, host, n_waits, waits, event);
}

/* A result, a buffer of GEGL with the same pixels, and other pixels to write. */
typedef struct {
  GeglBuffer *result, *plain, *other;
  float *values;
} Scene;

/* The result of @operation on @buffer, as a host receives it from gegl:buffer-sink (unref). */
static GeglBuffer *
render_buffer (GeglBuffer *buffer, const char *operation)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = graph_node (graph, graph_source (graph, buffer), operation, "radius", 0, NULL);
  GeglBuffer *result = NULL;
  GeglNode *sink = graph_node (graph, node, "gegl:buffer-sink", "buffer", &result, NULL);

  gegl_node_blit (sink, 1.0, gegl_buffer_get_extent (buffer), NULL, NULL, 0, GEGL_BLIT_DEFAULT);
  g_assert_nonnull (result);
  return result;
}

static void
scene_init (Scene *scene)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 7);
  g_autoptr (GeglBuffer) source = graph_buffer ("Y float", &rect, noise);

  downloads_fail = FALSE;
  scene->values = support_noise (COUNT, 2.0, 3.0, 8);
  scene->plain = graph_buffer ("Y float", &rect, noise);
  scene->other = graph_buffer ("Y float", &rect, scene->values);
  graph_forget ();
  scene->result = render_buffer (source, "capra:box-blur");
  g_assert_cmpuint (graph_count ("download"), ==, 0);
}

static void
scene_clear (Scene *scene)
{
  downloads_fail = FALSE;
  g_object_unref (scene->result);
  g_object_unref (scene->plain);
  g_object_unref (scene->other);
  g_free (scene->values);
}

static float *
read_buffer (GeglBuffer *buffer, const GeglRectangle *area)
{
  float *pixels = g_new (float, area->width * area->height);

  gegl_buffer_get (buffer, area, 1.0, babl_format ("Y float"), pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return pixels;
}

static void
assert_same (GeglBuffer *a, GeglBuffer *b)
{
  GeglRectangle area = { rect.x - FRAME, rect.y - FRAME, WIDTH + 2 * FRAME, HEIGHT + 2 * FRAME };
  g_autofree float *first = read_buffer (a, &area), *second = read_buffer (b, &area);

  for (gint i = 0; i < area.width * area.height; i++)
    if (first[i] != second[i])
      g_error ("the pixel at %d, %d is %g, not %g", area.x + i % area.width, area.y + i / area.width, first[i],
               second[i]);
}

/* Checks that both buffers hold the same pixels when read by the host, by an operation of Capra, and at half size. */
static void
assert_scene (Scene *scene)
{
  GeglRectangle half = { rect.x / 2, rect.y / 2, WIDTH / 2, HEIGHT / 2 };
  g_autofree float *first = g_new (float, COUNT), *second = g_new (float, COUNT);
  g_autoptr (GeglBuffer) seen = render_buffer (scene->result, "capra:box-blur");

  assert_same (seen, scene->plain);
  assert_same (scene->result, scene->plain);
  gegl_buffer_get (scene->result, &half, 0.5, babl_format ("Y float"), first, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_buffer_get (scene->plain, &half, 0.5, babl_format ("Y float"), second, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_assert_cmpmem (first, half.width * half.height * sizeof (float), second, half.width * half.height * sizeof (float));
}

static void
set_all (Scene *scene, GeglBuffer *buffer)
{
  gegl_buffer_set (buffer, &rect, 0, babl_format ("Y float"), scene->values, GEGL_AUTO_ROWSTRIDE);
}

static void
set_part (Scene *scene, GeglBuffer *buffer)
{
  gegl_buffer_set (buffer, &part, 0, babl_format ("Y float"), scene->values, GEGL_AUTO_ROWSTRIDE);
}

static void
set_pixel (Scene *scene, GeglBuffer *buffer)
{
  gegl_buffer_set (buffer, GEGL_RECTANGLE (100, 100, 1, 1), 0, babl_format ("Y float"), scene->values,
                   GEGL_AUTO_ROWSTRIDE);
}

static void
set_sub_buffer (Scene *scene, GeglBuffer *buffer)
{
  g_autoptr (GeglBuffer) below = gegl_buffer_create_sub_buffer (buffer, &part);

  gegl_buffer_set (below, NULL, 0, babl_format ("Y float"), scene->values, GEGL_AUTO_ROWSTRIDE);
}

/* Writes with an iterator, as operations do: tiles that are overwritten as a whole are not read. */
static void
iterate_over (GeglBuffer *buffer, const GeglRectangle *area)
{
  GeglBufferIterator *i = gegl_buffer_iterator_new (buffer, area, 0, babl_format ("Y float"), GEGL_ACCESS_WRITE,
                                                    GEGL_ABYSS_NONE, 1);

  while (gegl_buffer_iterator_next (i))
    for (gint k = 0; k < i->length; k++)
      ((float *) i->items[0].data)[k] = (float) (i->items[0].roi.x + k);
}

static void
iterate_all (Scene *scene, GeglBuffer *buffer)
{
  iterate_over (buffer, &rect);
}

static void
iterate_tiles (Scene *scene, GeglBuffer *buffer)
{
  iterate_over (buffer, &tiles);
}

static void
iterate_sub_buffer (Scene *scene, GeglBuffer *buffer)
{
  g_autoptr (GeglBuffer) below = gegl_buffer_create_sub_buffer (buffer, &tiles);

  iterate_over (below, &tiles);
}

static void
clear_all (Scene *scene, GeglBuffer *buffer)
{
  gegl_buffer_clear (buffer, NULL);
}

static void
clear_part (Scene *scene, GeglBuffer *buffer)
{
  gegl_buffer_clear (buffer, &part);
}

static void
copy_into (Scene *scene, GeglBuffer *buffer)
{
  gegl_buffer_copy (scene->other, &part, GEGL_ABYSS_NONE, buffer, &part);
}

static void
copy_tiles (Scene *scene, GeglBuffer *buffer)
{
  gegl_buffer_copy (scene->other, &tiles, GEGL_ABYSS_NONE, buffer, &tiles);
}

static void
copy_sub_buffer (Scene *scene, GeglBuffer *buffer)
{
  g_autoptr (GeglBuffer) below = gegl_buffer_create_sub_buffer (buffer, &tiles);

  copy_tiles (scene, below);
}

static void
clear_tiles (Scene *scene, GeglBuffer *buffer)
{
  gegl_buffer_clear (buffer, &tiles);
}

static void
clear_sub_buffer (Scene *scene, GeglBuffer *buffer)
{
  g_autoptr (GeglBuffer) below = gegl_buffer_create_sub_buffer (buffer, &tiles);

  clear_tiles (scene, below);
}

/* Copies a rectangle of the buffer to another position, a whole number of tiles away. */
static void
copy_within (Scene *scene, GeglBuffer *buffer)
{
  g_autoptr (GeglBuffer) twin = gegl_buffer_dup (buffer);

  gegl_buffer_copy (twin, GEGL_RECTANGLE (0, 128, 256, 128), GEGL_ABYSS_NONE, buffer,
                    GEGL_RECTANGLE (128, 256, 256, 128));
}

static void
flush (Scene *scene, GeglBuffer *buffer)
{
  gegl_buffer_flush (buffer);
}

/* Writes outside the original extent of the result. */
static void
enlarge (Scene *scene, GeglBuffer *buffer)
{
  const GeglRectangle larger = { rect.x - FRAME, rect.y, WIDTH + FRAME, HEIGHT + FRAME };

  gegl_buffer_set_extent (buffer, &larger);
  iterate_over (buffer, &larger);
  gegl_buffer_flush (buffer);
  gegl_buffer_clear (buffer, GEGL_RECTANGLE (-256, 128, 256, 256));
}

/* Creates tiles of reduced levels, which GEGL also stores in the backend. */
static void
read_reduced (Scene *scene, GeglBuffer *buffer)
{
  g_autofree float *pixels = g_new (float, COUNT);

  gegl_buffer_get (buffer, GEGL_RECTANGLE (0, 10, 100, 70), 0.25, babl_format ("Y float"), pixels, GEGL_AUTO_ROWSTRIDE,
                   GEGL_ABYSS_NONE);
  gegl_buffer_flush (buffer);
}

static void
read_all (Scene *scene, GeglBuffer *buffer)
{
  g_free (read_buffer (buffer, &rect));
}

typedef void (*Step) (Scene *scene, GeglBuffer *buffer);

static const struct {
  const char *name;
  Step steps[5];
} cases[] = {
  { "set", { set_all, flush } },
  { "set-part", { set_part, flush } },
  { "set-part-unflushed", { set_part } },
  { "set-pixel", { set_pixel, flush } },
  { "set-sub-buffer", { set_sub_buffer } },
  { "set-sub-buffer-read", { read_all, set_sub_buffer } },
  { "iterate", { iterate_all, flush } },
  { "iterate-tiles", { iterate_tiles, flush } },
  { "iterate-unflushed", { iterate_tiles } },
  { "iterate-sub-buffer", { iterate_sub_buffer } },
  { "iterate-sub-buffer-read", { read_all, iterate_sub_buffer } },
  { "clear", { clear_all } },
  { "clear-tiles", { clear_tiles, flush } },
  { "clear-sub-buffer", { clear_sub_buffer } },
  { "clear-sub-buffer-read", { read_all, clear_sub_buffer } },
  { "copy-tiles", { copy_tiles, flush } },
  { "copy-sub-buffer", { copy_sub_buffer } },
  { "copy-sub-buffer-read", { read_all, copy_sub_buffer } },
  { "clear-part", { clear_part } },
  { "clear-read", { read_all, clear_part, flush } },
  { "copy", { copy_into, flush } },
  { "copy-unflushed", { copy_into } },
  { "copy-within", { copy_within, flush } },
  { "flush", { flush } },
  { "mixed", { clear_part, flush, set_pixel, copy_into, flush } },
  { "read-between", { set_part, flush, read_all, clear_part, flush } },
  { "enlarge", { enlarge, flush } },
  { "enlarge-read", { read_all, enlarge, flush } },
  { "reduced", { read_reduced, iterate_tiles, flush, read_reduced, clear_part } },
};

static void
test_writes (gconstpointer data)
{
  guint number = GPOINTER_TO_UINT (data);
  Scene scene;

  scene_init (&scene);
  for (guint i = 0; i < G_N_ELEMENTS (cases[number].steps) && cases[number].steps[i]; i++)
    {
      cases[number].steps[i](&scene, scene.result);
      cases[number].steps[i](&scene, scene.plain);
    }
  assert_scene (&scene);
  scene_clear (&scene);
}

/* If the download fails, the pixels are lost and one warning is printed. Later writes are kept. */
static void
test_lost (gconstpointer data)
{
  guint number = GPOINTER_TO_UINT (data);
  Scene scene;

  scene_init (&scene);
  downloads_fail = TRUE;
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*the result was lost*CL_OUT_OF_RESOURCES*");
  read_all (&scene, scene.result);
  g_test_assert_expected_messages ();
  downloads_fail = FALSE;
  gegl_buffer_clear (scene.plain, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases[number].steps) && cases[number].steps[i]; i++)
    {
      cases[number].steps[i](&scene, scene.result);
      cases[number].steps[i](&scene, scene.plain);
    }
  assert_same (scene.result, scene.plain);
  scene_clear (&scene);
}

/* A copy of a result holds the pixels at the time of the copy. */
static void
test_copy_out (void)
{
  Scene scene;
  g_autoptr (GeglBuffer) before = gegl_buffer_new (&rect, babl_format ("Y float")), after = NULL;
  g_autoptr (GeglBuffer) kept = NULL;

  scene_init (&scene);
  kept = gegl_buffer_dup (scene.plain);
  set_part (&scene, before);
  gegl_buffer_copy (scene.result, NULL, GEGL_ABYSS_NONE, before, NULL);
  set_part (&scene, scene.result);
  set_part (&scene, scene.plain);
  gegl_buffer_flush (scene.result);
  after = gegl_buffer_dup (scene.result);
  assert_same (before, kept);
  assert_same (after, scene.plain);
  scene_clear (&scene);
  g_assert_true (gegl_buffer_get_extent (after)->width == WIDTH);
}

#define THREADS 4
#define ROUNDS 20

typedef struct {
  Scene *scene;
  guint number;
  gboolean wrong;
} Reader;

/* Reads and copies the upper rows, which no thread writes to. */
static gpointer
read_rows (gpointer data)
{
  Reader *reader = data;
  const GeglRectangle upper = { rect.x, rect.y, WIDTH, 100 };
  gsize bytes = upper.width * upper.height * sizeof (float);
  g_autofree float *expected = g_malloc (bytes), *got = g_malloc (bytes);

  gegl_buffer_get (reader->scene->plain, &upper, 1.0, NULL, expected, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (guint i = 0; i < ROUNDS; i++)
    {
      g_autoptr (GeglBuffer) copy = gegl_buffer_new (&upper, babl_format ("Y float"));
      GeglBuffer *from = reader->scene->result;

      if ((i + reader->number) % 2 == 0)
        {
          gegl_buffer_copy (from, &upper, GEGL_ABYSS_NONE, copy, &upper);
          from = copy;
        }
      gegl_buffer_get (from, &upper, 1.0, NULL, got, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      reader->wrong |= memcmp (got, expected, bytes) != 0;
    }
  return NULL;
}

/* Writes into the lower rows. */
static void
write_rows (Scene *scene, GeglBuffer *buffer, guint round)
{
  const GeglRectangle lower = { rect.x, 256, WIDTH, rect.y + HEIGHT - 256 };
  const Step steps[] = { copy_into, clear_part, set_part };
  g_autoptr (GeglBuffer) below = gegl_buffer_create_sub_buffer (buffer, &lower);

  for (guint i = 0; i < ROUNDS; i++)
    {
      steps[(round + i) % G_N_ELEMENTS (steps)](scene, below);
      gegl_buffer_flush (buffer);
    }
}

/* One thread writes to the lower rows while others read the upper rows for the first time. */
static void
test_threads (void)
{
  for (guint round = 0; round < 10; round++)
    {
      Scene scene;
      Reader readers[THREADS];
      GThread *threads[THREADS];

      scene_init (&scene);
      for (guint i = 0; i < THREADS; i++)
        {
          readers[i] = (Reader){ &scene, i };
          threads[i] = g_thread_new ("reader", read_rows, &readers[i]);
        }
      write_rows (&scene, scene.result, round);
      for (guint i = 0; i < THREADS; i++)
        {
          g_thread_join (threads[i]);
          g_assert_false (readers[i].wrong);
        }
      write_rows (&scene, scene.plain, round);
      assert_scene (&scene);
      scene_clear (&scene);
    }
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      graph_add_case ("/resident-writes/", cases[i].name, i, test_writes);
      graph_add_case ("/resident-writes/lost/", cases[i].name, i, test_lost);
    }
  g_test_add_func ("/resident-writes/copy-out", test_copy_out);
  g_test_add_func ("/resident-writes/threads", test_threads);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
