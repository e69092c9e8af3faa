/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A host that shows the result of a graph as GIMP does: rendered in chunks, which are kept until they are
 * invalidated. */
#include "tests/support/chunks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The grid of the chunks begins at 0, 0; chunks at the borders of a result are smaller. */
#define SIZE 64
#define STROKE 64

typedef struct {
  GeglRectangle rect;
  gboolean valid;
  guint state; /* the state of the graph that it was rendered in */
} Chunk;

struct _ChunkHost {
  GeglNode *nodes[2]; /* what is shown, and a node after it for a second thread */
  const Babl *format;
  GRand *random;
  GeglRectangle box;
  guint8 *pixels;
  GArray *chunks;
  guint state; /* the number of invalidations */
  gulong handler;
};

static void
invalidate (ChunkHost *host, const GeglRectangle *area)
{
  host->state++;
  for (guint i = 0; i < host->chunks->len; i++)
    {
      Chunk *chunk = &g_array_index (host->chunks, Chunk, i);

      if (gegl_rectangle_intersect (NULL, &chunk->rect, area))
        chunk->valid = FALSE;
    }
}

void
chunk_host_forget (ChunkHost *host)
{
  invalidate (host, &host->box);
}

ChunkHost *
chunk_host_new (GeglNode *node, const char *format, guint32 seed)
{
  ChunkHost *host = g_new0 (ChunkHost, 1);

  host->nodes[0] = node;
  host->nodes[1] = gegl_node_new_child (gegl_node_get_parent (node), "operation", "gegl:nop", NULL);
  gegl_node_link (node, host->nodes[1]);
  host->format = babl_format (format);
  host->random = g_rand_new_with_seed (seed);
  host->chunks = g_array_new (FALSE, FALSE, sizeof (Chunk));
  host->handler = g_signal_connect_swapped (node, "invalidated", G_CALLBACK (invalidate), host);
  return host;
}

void
chunk_host_free (ChunkHost *host)
{
  g_signal_handler_disconnect (host->nodes[0], host->handler);
  g_array_unref (host->chunks);
  g_rand_free (host->random);
  g_free (host->pixels);
  g_free (host);
}

static gsize
get_size (const GeglRectangle *rect, const Babl *format)
{
  return (gsize) rect->width * (gsize) rect->height * (gsize) babl_format_get_bytes_per_pixel (format);
}

/* Begins again if the extent of the result has changed. */
static void
update_extent (ChunkHost *host)
{
  GeglRectangle box = gegl_node_get_bounding_box (host->nodes[0]);

  g_assert_false (gegl_rectangle_is_infinite_plane (&box));
  if (gegl_rectangle_equal (&box, &host->box))
    return;
  host->box = box;
  g_free (host->pixels);
  host->pixels = g_malloc (get_size (&box, host->format));
  memset (host->pixels, 0xa5, get_size (&box, host->format));
  g_array_set_size (host->chunks, 0);
  for (gint y = box.y - ((box.y % SIZE) + SIZE) % SIZE; y < box.y + box.height; y += SIZE)
    for (gint x = box.x - ((box.x % SIZE) + SIZE) % SIZE; x < box.x + box.width; x += SIZE)
      {
        Chunk chunk = { { x, y, SIZE, SIZE } };

        gegl_rectangle_intersect (&chunk.rect, &chunk.rect, &box);
        g_array_append_val (host->chunks, chunk);
      }
}

static void
shuffle (GArray *chunks, GRand *random)
{
  for (gint i = (gint) chunks->len - 1; i > 0; i--)
    {
      Chunk *a = &g_array_index (chunks, Chunk, i);
      Chunk *b = &g_array_index (chunks, Chunk, g_rand_int_range (random, 0, i + 1));
      Chunk other = *a;

      *a = *b;
      *b = other;
    }
}

/* Random bounds inside @box; the size is at most @most. */
static GeglRectangle
random_rectangle (const GeglRectangle *box, gint most, GRand *random)
{
  GeglRectangle rect = { 0, 0, g_rand_int_range (random, 1, MIN (most, box->width) + 1),
                         g_rand_int_range (random, 1, MIN (most, box->height) + 1) };

  rect.x = box->x + g_rand_int_range (random, 0, box->width - rect.width + 1);
  rect.y = box->y + g_rand_int_range (random, 0, box->height - rect.height + 1);
  return rect;
}

static void
render (ChunkHost *host, GeglNode *node, const GeglRectangle *rect)
{
  GeglRectangle before = { 0, 0, rect->x - host->box.x, rect->y - host->box.y };
  gint pixel = babl_format_get_bytes_per_pixel (host->format), row = host->box.width * pixel;

  gegl_node_blit (node, 1.0, rect, host->format, host->pixels + (gsize) before.height * row + before.width * pixel, row,
                  GEGL_BLIT_DEFAULT);
}

/* Before rendering, which may invalidate it again. */
static void
begin_chunk (ChunkHost *host, Chunk *chunk)
{
  chunk->valid = TRUE;
  chunk->state = host->state;
}

void
chunk_host_render (ChunkHost *host, guint n)
{
  update_extent (host);
  shuffle (host->chunks, host->random);
  for (guint i = 0; i < host->chunks->len && n > 0; i++)
    {
      Chunk *chunk = &g_array_index (host->chunks, Chunk, i);

      if (chunk->valid)
        continue;
      begin_chunk (host, chunk);
      render (host, host->nodes[0], &chunk->rect);
      n--;
      if (g_rand_int_range (host->random, 0, 8) == 0)
        {
          GeglRectangle other = random_rectangle (&host->box, 3 * SIZE, host->random);

          render (host, host->nodes[0], &other);
        }
    }
}

/* What one thread renders. */
typedef struct {
  ChunkHost *host;
  GeglNode *node;
  GArray *rects; /* of GeglRectangle */
} Worker;

static gpointer
render_rects (gpointer data)
{
  Worker *worker = data;

  for (guint i = 0; i < worker->rects->len; i++)
    render (worker->host, worker->node, &g_array_index (worker->rects, GeglRectangle, i));
  return NULL;
}

void
chunk_host_render_in_threads (ChunkHost *host, guint n)
{
  Worker workers[2];
  GThread *thread = NULL;
  guint found = 0;

  update_extent (host);
  shuffle (host->chunks, host->random);
  for (guint i = 0; i < 2; i++)
    workers[i] = (Worker){ host, host->nodes[i], g_array_new (FALSE, FALSE, sizeof (GeglRectangle)) };
  for (guint i = 0; i < host->chunks->len && found < n; i++)
    {
      Chunk *chunk = &g_array_index (host->chunks, Chunk, i);

      if (chunk->valid)
        continue;
      begin_chunk (host, chunk);
      /* GEGL cannot prepare a graph in two threads at once: the first chunk of each is rendered here. */
      if (found < 2)
        render (host, host->nodes[found], &chunk->rect);
      else
        g_array_append_val (workers[found % 2].rects, chunk->rect);
      found++;
    }
  thread = g_thread_new ("chunks", render_rects, &workers[1]);
  render_rects (&workers[0]);
  g_thread_join (thread);
  for (guint i = 0; i < 2; i++)
    g_array_unref (workers[i].rects);
}

guint
chunk_host_count_missing (ChunkHost *host)
{
  guint missing = 0;

  update_extent (host);
  for (guint i = 0; i < host->chunks->len; i++)
    missing += !g_array_index (host->chunks, Chunk, i).valid;
  return missing;
}

static GeglBuffer *
copy_buffer (GeglBuffer *buffer)
{
  const GeglRectangle *extent = gegl_buffer_get_extent (buffer);
  const Babl *format = gegl_buffer_get_format (buffer);
  g_autofree guint8 *pixels = g_malloc (MAX (get_size (extent, format), 1));
  GeglBuffer *copy = gegl_buffer_new (extent, format);

  gegl_buffer_get (buffer, extent, 1.0, format, pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_buffer_set (copy, extent, 0, format, pixels, GEGL_AUTO_ROWSTRIDE);
  return copy;
}

/* A node in @graph with the same operation and properties. */
static GeglNode *
copy_node (GeglNode *graph, GeglNode *node)
{
  const char *operation = gegl_node_get_operation (node);
  GeglNode *copy = gegl_node_new_child (graph, "operation", operation, NULL);
  guint n = 0;
  g_autofree GParamSpec **specs = gegl_operation_list_properties (operation, &n);

  for (guint i = 0; i < n; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      if ((specs[i]->flags & G_PARAM_READWRITE) != G_PARAM_READWRITE)
        continue;
      g_value_init (&value, specs[i]->value_type);
      gegl_node_get_property (node, specs[i]->name, &value);
      if (G_VALUE_HOLDS (&value, GEGL_TYPE_BUFFER) && g_value_get_object (&value))
        g_value_take_object (&value, copy_buffer (g_value_get_object (&value)));
      gegl_node_set_property (copy, specs[i]->name, &value);
    }
  return copy;
}

static void
copy_connections (GeglNode *node, GHashTable *copies)
{
  g_auto (GStrv) pads = gegl_node_list_input_pads (node);

  for (guint i = 0; pads && pads[i]; i++)
    {
      g_autofree char *output = NULL;
      GeglNode *producer = gegl_node_get_producer (node, pads[i], &output);

      if (producer)
        gegl_node_connect (g_hash_table_lookup (copies, producer), output, g_hash_table_lookup (copies, node), pads[i]);
    }
}

/* A new graph with copies of all nodes of @node's graph; @node's copy is returned. */
static GeglNode *
copy_graph (GeglNode *node)
{
  GeglNode *graph = gegl_node_new ();
  g_autoptr (GSList) nodes = gegl_node_get_children (gegl_node_get_parent (node));
  g_autoptr (GHashTable) copies = g_hash_table_new (NULL, NULL);

  for (GSList *link = nodes; link; link = link->next)
    g_hash_table_insert (copies, link->data, copy_node (graph, link->data));
  for (GSList *link = nodes; link; link = link->next)
    copy_connections (link->data, copies);
  return g_hash_table_lookup (copies, node);
}

/* The result would be the input after an error. */
static void
assert_no_errors (GeglNode *node)
{
  g_autoptr (GSList) nodes = gegl_node_get_children (gegl_node_get_parent (node));

  for (GSList *link = nodes; link; link = link->next)
    if (gegl_node_find_property (link->data, "error"))
      {
        g_autofree char *error = NULL;

        gegl_node_get (link->data, "error", &error, NULL);
        g_assert_cmpstr (error, ==, "");
      }
}

static gboolean
is_close (const Babl *format, gconstpointer a, gconstpointer b)
{
  guint n = (guint) babl_format_get_n_components (format);

  for (guint i = 0; i < n; i++)
    if (babl_format_get_type (format, 0) == babl_type ("float"))
      {
        float x = ((const float *) a)[i], y = ((const float *) b)[i];

        if (!(fabsf (x - y) <= 1e-6f * MAX (1.0f, fabsf (x))))
          return FALSE;
      }
    else if (babl_format_get_type (format, 0) == babl_type ("u16"))
      {
        if (abs (((const guint16 *) a)[i] - ((const guint16 *) b)[i]) > 1)
          return FALSE;
      }
    else if (abs (((const guint8 *) a)[i] - ((const guint8 *) b)[i]) > 1)
      return FALSE;
  return TRUE;
}

/* The number of pixels of @chunk that differ from @whole. A chunk that was rendered before the last invalidation may
 * differ in the last digit: filters do not invalidate where a change is below the precision of their results. */
static gsize
count_different (ChunkHost *host, const Chunk *chunk, const guint8 *whole)
{
  gsize pixel = (gsize) babl_format_get_bytes_per_pixel (host->format), different = 0;

  for (gint y = chunk->rect.y - host->box.y; y < chunk->rect.y - host->box.y + chunk->rect.height; y++)
    for (gint x = chunk->rect.x - host->box.x; x < chunk->rect.x - host->box.x + chunk->rect.width; x++)
      {
        gsize at = ((gsize) y * (gsize) host->box.width + (gsize) x) * pixel;

        if (memcmp (whole + at, host->pixels + at, pixel) != 0
            && (chunk->state == host->state || !is_close (host->format, whole + at, host->pixels + at)))
          different++;
      }
  return different;
}

/* Reports the first chunk that differs from @whole, and how many do. */
static void
compare (ChunkHost *host, const guint8 *whole, const char *what)
{
  const Chunk *first = NULL;
  guint n = 0;

  for (guint i = 0; i < host->chunks->len; i++)
    {
      const Chunk *chunk = &g_array_index (host->chunks, Chunk, i);

      if (count_different (host, chunk, whole) == 0)
        continue;
      first = n++ == 0 ? chunk : first;
    }
  if (!first)
    return;
  g_test_message ("%s, %s: %u of %u chunks differ, such as the one at %d, %d (%d x %d), in %" G_GSIZE_FORMAT
                  " pixels; it was rendered %s the last change",
                  babl_get_name (host->format), what, n, host->chunks->len, first->rect.x, first->rect.y,
                  first->rect.width, first->rect.height, count_different (host, first, whole),
                  first->state == host->state ? "after" : "before");
  g_test_fail ();
}

void
chunk_host_check (ChunkHost *host, const char *what)
{
  GeglNode *copy = copy_graph (host->nodes[0]);
  g_autoptr (GeglNode) graph = gegl_node_get_parent (copy);
  GeglRectangle box = gegl_node_get_bounding_box (copy);
  g_autofree guint8 *whole = g_malloc0 (get_size (&box, host->format));

  chunk_host_render (host, G_MAXUINT);
  gegl_node_blit (copy, 1.0, &box, host->format, whole, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  assert_no_errors (host->nodes[0]);
  assert_no_errors (copy);
  g_assert_true (gegl_rectangle_equal (&box, &host->box));
  compare (host, whole, what);
}

void
chunk_write (GeglBuffer *buffer, const GeglRectangle *rect, GRand *random)
{
  const Babl *format = gegl_buffer_get_format (buffer);
  gsize count = get_size (rect, format);
  gboolean real = babl_format_get_type (format, 0) == babl_type ("float");
  g_autofree guint8 *pixels = g_malloc (count);

  if (real)
    for (gsize i = 0; i < count / sizeof (float); i++)
      ((float *) pixels)[i] = (float) g_rand_double (random);
  else
    for (gsize i = 0; i < count; i++)
      pixels[i] = (guint8) g_rand_int (random);
  gegl_buffer_set (buffer, rect, 0, format, pixels, GEGL_AUTO_ROWSTRIDE);
}

void
chunk_stroke (GeglBuffer *buffer, GRand *random)
{
  GeglRectangle rect = random_rectangle (gegl_buffer_get_extent (buffer), STROKE, random);

  chunk_write (buffer, &rect, random);
}

GeglBuffer *
chunk_noise (const char *format, const GeglRectangle *rect, guint32 seed)
{
  GeglBuffer *buffer = gegl_buffer_new (rect, babl_format (format));
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  chunk_write (buffer, rect, random);
  return buffer;
}
