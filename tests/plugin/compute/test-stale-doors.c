/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels that change behind a remembered upload without a function of GeglBuffer: by a handler of tiles, in another
 * buffer of the same file, or while another thread renders. A result is always what the buffer contains. */
#include <glib/gstdio.h>
#include <string.h>

#include "tests/support/graph.h"

#include <gegl-buffer-backend.h>

enum { WIDTH = 150, HEIGHT = 110, COUNT = WIDTH * HEIGHT, TILE_WIDTH = 32, TILE_HEIGHT = 16 };

static const GeglRectangle whole = { 0, 0, WIDTH, HEIGHT };

static float *
read_pixels (GeglBuffer *buffer)
{
  float *pixels = g_new (float, COUNT);

  gegl_buffer_get (buffer, &whole, 1.0, babl_format ("Y float"), pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return pixels;
}

/* What a graph shows now is what GEGL reads now. */
static void
assert_fresh (GeglBuffer *buffer, const char *what, guint step)
{
  g_autoptr (GeglBuffer) copy = graph_copy (buffer);
  g_autofree float *shown = read_pixels (copy), *wanted = read_pixels (buffer);

  for (gint i = 0; i < COUNT; i++)
    if (shown[i] != wanted[i])
      g_error ("%s, step %u: %g is shown at (%d, %d), not %g", what, step, shown[i], i % WIDTH, i / WIDTH, wanted[i]);
}

static GeglRectangle
random_rect (GRand *random, const GeglRectangle *bounds)
{
  gint width = g_rand_int_range (random, 1, bounds->width / 2),
       height = g_rand_int_range (random, 1, bounds->height / 2);

  return (GeglRectangle){ bounds->x + g_rand_int_range (random, 0, bounds->width - width),
                          bounds->y + g_rand_int_range (random, 0, bounds->height - height), width, height };
}

static GeglBuffer *
new_buffer (void)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 3);
  GeglBuffer *buffer = g_object_new (GEGL_TYPE_BUFFER, "width", WIDTH, "height", HEIGHT, "tile-width", TILE_WIDTH,
                                     "tile-height", TILE_HEIGHT, "format", babl_format ("Y float"), NULL);

  gegl_buffer_set (buffer, NULL, 0, babl_format ("Y float"), noise, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static void
write_rect (GeglBuffer *buffer, GRand *random, const GeglRectangle *bounds)
{
  GeglRectangle rect = random_rect (random, bounds);
  g_autofree float *pixels = support_noise ((gsize) (rect.width * rect.height), 0.0, 1.0, g_rand_int (random));

  gegl_buffer_set (buffer, &rect, 0, babl_format ("Y float"), pixels, GEGL_AUTO_ROWSTRIDE);
}

typedef enum {
  PAINTING,  /* writes into the tile when it is asked for, as GIMP's projections do */
  REPLACING, /* puts another tile into its place */
  SERVING,   /* hands out tiles of its own each time, which are stored nowhere */
  N_WAYS,
} Way;

/* A handler of tiles: those that are not valid get another value when they are asked for. */
typedef struct {
  GeglTileHandler parent_instance;
  Way way;
  float value;
  gboolean valid[HEIGHT / TILE_HEIGHT + 1][WIDTH / TILE_WIDTH + 1];
} TestHandler;

typedef struct {
  GeglTileHandlerClass parent_class;
} TestHandlerClass;

GType test_handler_get_type (void);
G_DEFINE_TYPE (TestHandler, test_handler, GEGL_TYPE_TILE_HANDLER)

static void
paint (GeglTile *tile, float value)
{
  gegl_tile_lock (tile);
  for (gint i = 0; i < TILE_WIDTH * TILE_HEIGHT; i += 3)
    ((float *) gegl_tile_get_data (tile))[i] = value;
  gegl_tile_unlock (tile);
}

static gpointer
command (GeglTileSource *source, GeglTileCommand what, gint x, gint y, gint z, gpointer data)
{
  TestHandler *self = (TestHandler *) source;
  GeglTileHandler *handler = &self->parent_instance;
  GeglTile *tile = gegl_tile_handler_source_command (handler, what, x, y, z, data), *own = NULL;
  gboolean *valid = NULL;

  if (what != GEGL_TILE_GET || z > 0 || !tile || x < 0 || y < 0 || x > WIDTH / TILE_WIDTH || y > HEIGHT / TILE_HEIGHT)
    return tile;
  valid = &self->valid[y][x];
  if (*valid)
    return tile;
  *valid = self->way != SERVING;
  if (self->way != PAINTING)
    {
      own = self->way == SERVING ? gegl_tile_dup (tile) : gegl_tile_handler_dup_tile (handler, tile, x, y, z);
      gegl_tile_unref (tile);
      tile = own;
    }
  paint (tile, self->value);
  if (self->way == SERVING)
    gegl_tile_mark_as_stored (tile);
  return tile;
}

static void
test_handler_class_init (TestHandlerClass *klass)
{
}

static void
test_handler_init (TestHandler *self)
{
  GEGL_TILE_SOURCE (self)->command = command;
  memset (self->valid, TRUE, sizeof self->valid);
}

/* Some tiles become invalid; nobody is told. */
static void
test_handlers (gconstpointer data)
{
  static const char *const names[] = { "painting", "replacing", "serving" };
  Way way = (Way) GPOINTER_TO_INT (data);
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  g_autoptr (GeglBuffer) buffer = new_buffer ();
  TestHandler *handler = g_object_new (test_handler_get_type (), NULL);

  handler->way = way;
  gegl_buffer_add_handler (buffer, handler);
  for (guint step = 0; step < 150; step++)
    {
      GeglRectangle rect = random_rect (random, &whole);

      handler->value = (float) g_rand_double (random);
      for (gint y = rect.y / TILE_HEIGHT; y <= (rect.y + rect.height - 1) / TILE_HEIGHT; y++)
        for (gint x = rect.x / TILE_WIDTH; x <= (rect.x + rect.width - 1) / TILE_WIDTH; x++)
          handler->valid[y][x] = FALSE;
      if (step % 3 == 2)
        write_rect (buffer, random, &whole);
      assert_fresh (buffer, names[way], step);
    }
  gegl_buffer_remove_handler (buffer, handler);
  assert_fresh (buffer, names[way], 150);
  g_object_unref (handler);
}

/* A file is saved and loaded twice; the second buffer may be where one that was freed has been. GEGL can also share a
 * file between buffers (gegl_buffer_open()), but reads it then while it is written. */
static void
test_file (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  g_autoptr (GeglBuffer) buffer = new_buffer ();
  g_autofree char *folder = g_dir_make_tmp ("capra-stale-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "pixels.gegl", NULL);

  for (guint step = 0; step < 60; step++)
    {
      g_autoptr (GeglBuffer) first = NULL, second = NULL;

      write_rect (buffer, random, &whole);
      gegl_buffer_save (buffer, path, &whole);
      first = gegl_buffer_load (path);
      assert_fresh (first, "loaded", step);
      second = gegl_buffer_load (path);
      write_rect (first, random, &whole);
      assert_fresh (first, "loaded and written", step);
      assert_fresh (second, "loaded twice", step);
      assert_fresh (buffer, "saved", step);
    }
  g_remove (path);
  g_rmdir (folder);
}

typedef struct {
  GeglBuffer *buffer;
  GeglRectangle part;
  guint32 seed;
} Writer;

static gpointer
write_part (gpointer data)
{
  const Writer *writer = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (writer->seed);

  for (guint i = 0; i < 20; i++)
    write_rect (writer->buffer, random, &writer->part);
  return NULL;
}

/* Two threads write while this one renders, which uploads some pixels before and some after a write. GEGL's source is
 * told at the end: the signal, in a writer's thread, would reach nodes while they are freed. */
static void
test_threads (void)
{
  g_autoptr (GeglBuffer) buffer = new_buffer ();

  for (guint step = 0; step < 60; step++)
    {
      Writer writers[2] = { { buffer, { 0, 0, WIDTH, HEIGHT / 2 }, (guint32) g_test_rand_int () },
                            { buffer, { 0, HEIGHT / 2, WIDTH, HEIGHT / 2 }, (guint32) g_test_rand_int () } };
      GThread *threads[2] = { NULL, NULL };

      gegl_buffer_freeze_changed (buffer);
      for (guint i = 0; i < 2; i++)
        threads[i] = g_thread_new ("writer", write_part, &writers[i]);
      for (guint i = 0; i < 3; i++)
        g_object_unref (graph_copy (buffer));
      for (guint i = 0; i < 2; i++)
        g_thread_join (threads[i]);
      gegl_buffer_thaw_changed (buffer);
      assert_fresh (buffer, "threads", step);
    }
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_data_func ("/stale-doors/painting", GINT_TO_POINTER (PAINTING), test_handlers);
  g_test_add_data_func ("/stale-doors/replacing", GINT_TO_POINTER (REPLACING), test_handlers);
  g_test_add_data_func ("/stale-doors/serving", GINT_TO_POINTER (SERVING), test_handlers);
  g_test_add_func ("/stale-doors/file", test_file);
  g_test_add_func ("/stale-doors/threads", test_threads);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
