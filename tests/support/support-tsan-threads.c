/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells ThreadSanitizer what the locks and counts within GLib and GEGL order, which it does not see: thread pools,
 * GEGL's threads, and the memory of tiles. Linked only into tests of the module that are built with ThreadSanitizer. */
#include <dlfcn.h>
#include <gegl.h>
#include <sanitizer/tsan_interface.h>

typedef struct {
  GFunc func;
  gpointer data;
} Pool;

static void
run_task (gpointer task, gpointer user_data)
{
  const Pool *pool = user_data;

  __tsan_acquire (task);
  pool->func (task, pool->data);
}

GThreadPool *
g_thread_pool_new (GFunc func, gpointer user_data, gint max_threads, gboolean exclusive, GError **error)
{
  GThreadPool *(*create) (GFunc, gpointer, gint, gboolean, GError **) = dlsym (RTLD_NEXT, "g_thread_pool_new");
  static Pool *pools[8]; /* kept until exit, as pools are */
  static guint n_pools;
  Pool *pool = g_new (Pool, 1);

  g_assert (n_pools < G_N_ELEMENTS (pools));
  pools[n_pools++] = pool;
  *pool = (Pool){ func, user_data };
  return create (run_task, pool, max_threads, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer data, GError **error)
{
  gboolean (*start) (GThreadPool *, gpointer, GError **) = dlsym (RTLD_NEXT, "g_thread_pool_push");

  __tsan_release (data);
  return start (pool, data, error);
}

typedef struct {
  GeglParallelDistributeFunc func;
  gpointer data;
} Parallel;

static void
run_parallel (gint i, gint n, gpointer user_data)
{
  Parallel *parallel = user_data;

  __tsan_acquire (parallel);
  parallel->func (i, n, parallel->data);
  __tsan_release (parallel);
}

/* GEGL's functions for ranges and areas call this one. */
void
gegl_parallel_distribute (gint max_n, GeglParallelDistributeFunc func, gpointer user_data)
{
  void (*distribute) (gint, GeglParallelDistributeFunc, gpointer) = dlsym (RTLD_NEXT, "gegl_parallel_distribute");
  Parallel parallel = { func, user_data };

  __tsan_release (&parallel);
  distribute (max_n, run_parallel, &parallel);
  __tsan_acquire (&parallel);
}

/* Tiles, and their memory, pass from thread to thread. */
void gegl_tile_unref (gpointer tile);
gpointer gegl_tile_alloc (gsize size);
void gegl_tile_free (gpointer memory);

void
gegl_tile_unref (gpointer tile)
{
  void (*unref) (gpointer) = dlsym (RTLD_NEXT, "gegl_tile_unref");

  __tsan_release (tile);
  __tsan_acquire (tile); /* the last one frees the tile */
  unref (tile);
}

gpointer
gegl_tile_alloc (gsize size)
{
  gpointer (*alloc) (gsize) = dlsym (RTLD_NEXT, "gegl_tile_alloc");
  gpointer memory = alloc (size);

  __tsan_acquire (memory);
  return memory;
}

void
gegl_tile_free (gpointer memory)
{
  void (*release) (gpointer) = dlsym (RTLD_NEXT, "gegl_tile_free");

  if (memory)
    __tsan_release (memory);
  release (memory);
}
