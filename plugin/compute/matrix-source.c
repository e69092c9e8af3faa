/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Matrix source: the matrix of capra:convolve from text, from a file or from an image. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_CLOEXEC */
#endif
#include "plugin/compute/matrix-source.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/error.h"

/* The maximum size of a file in bytes: enough for the largest matrix, with all digits and with comments. */
#define FILE_LIMIT (4 * 1024 * 1024)

/* Some editors write it at the beginning of a text file. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

struct _CapraMatrixCache {
  GMutex lock;
  char *key; /* identifies the source of the rest */
  CapraMatrix *matrix;
  GError *error;
};

CapraMatrixCache *
capra_matrix_cache_new (void)
{
  CapraMatrixCache *cache = g_new0 (CapraMatrixCache, 1);

  g_mutex_init (&cache->lock);
  return cache;
}

void
capra_matrix_cache_free (CapraMatrixCache *cache)
{
  g_mutex_clear (&cache->lock);
  g_free (cache->key);
  g_clear_pointer (&cache->matrix, capra_matrix_free);
  g_clear_error (&cache->error);
  g_free (cache);
}

static void
set_not_a_matrix (const char *path, GError **error)
{
  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("\"%s\" is not a text file containing a matrix"), path);
}

static void
set_errno (const char *path, GError **error)
{
  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("cannot read \"%s\": %s"), path, g_strerror (errno));
}

/* Opens the file and returns a key that changes with its contents; NULL if it cannot be read. The flags keep a FIFO
 * without a writer from blocking, and a terminal from becoming the process's controlling one. */
static char *
file_key (const char *path, int *fd, GError **error)
{
  struct stat found = { 0 };

  *fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (*fd < 0 || fstat (*fd, &found) != 0)
    set_errno (path, error);
  else if (!S_ISREG (found.st_mode) || found.st_size > FILE_LIMIT)
    set_not_a_matrix (path, error);
  else
    return g_strdup_printf ("path:%s:%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ":%ld", path, (gint64) found.st_size,
                            (gint64) found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
  return NULL;
}

/* The contents of the file, which may have grown since it was opened. */
static char *
read_file (int fd, const char *path, gsize *length, GError **error)
{
  g_autofree char *text = g_malloc (FILE_LIMIT + 2);
  gssize n = 1;

  for (*length = 0; *length <= FILE_LIMIT && n != 0; *length += (gsize) MAX (n, 0))
    {
      n = read (fd, text + *length, FILE_LIMIT + 1 - *length);
      if (n < 0 && errno != EINTR)
        {
          set_errno (path, error);
          return NULL;
        }
    }
  if (*length > FILE_LIMIT)
    {
      set_not_a_matrix (path, error);
      return NULL;
    }
  text[*length] = '\0';
  return g_steal_pointer (&text);
}

static CapraMatrix *
parse_file (int fd, const char *path, GError **error)
{
  gsize length = 0;
  g_autofree char *text = read_file (fd, path, &length, error);

  if (!text)
    return NULL;
  if (!g_utf8_validate (text, (gssize) length, NULL))
    {
      set_not_a_matrix (path, error);
      return NULL;
    }
  return capra_matrix_parse (g_str_has_prefix (text, BYTE_ORDER_MARK) ? text + strlen (BYTE_ORDER_MARK) : text, error);
}

static CapraMatrix *
new_for_extent (const GeglRectangle *extent, GError **error)
{
  CapraMatrix *matrix = extent->width <= CAPRA_MATRIX_MAX && extent->height <= CAPRA_MATRIX_MAX
                          ? capra_matrix_new (extent->width, extent->height)
                          : NULL;

  if (!matrix)
    g_set_error (
      error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
      _ ("the image on the aux pad cannot be used as a matrix: it has %d x %d pixels; crop or scale it to at most "
         "%d x %d"),
      extent->width, extent->height, CAPRA_MATRIX_MAX, CAPRA_MATRIX_MAX);
  return matrix;
}

static gboolean
is_file (const CapraMatrixSource *source)
{
  return !source->extent && source->path && *source->path;
}

/* A key that identifies @source and its state; NULL with @error set if it cannot be read. Sets @fd to the open file, if
 * the matrix comes from one. */
static char *
source_key (const CapraMatrixSource *source, int *fd, GError **error)
{
  if (source->extent)
    return g_strdup_printf ("aux:%d:%d", source->extent->width, source->extent->height);
  if (is_file (source))
    return file_key (source->path, fd, error);
  return g_strconcat ("text:", source->text, NULL);
}

/* Reads the matrix from @source. */
static void
read_matrix (CapraMatrixCache *cache, const CapraMatrixSource *source, int fd, GError **error)
{
  if (source->extent)
    cache->matrix = new_for_extent (source->extent, error);
  else if (is_file (source))
    cache->matrix = parse_file (fd, source->path, error);
  else
    cache->matrix = capra_matrix_parse (source->text ? source->text : "", error);
}

static void
refresh (CapraMatrixCache *cache, const CapraMatrixSource *source)
{
  g_autoptr (GError) error = NULL;
  int fd = -1;
  g_autofree char *key = source_key (source, &fd, &error);

  if (!key || g_strcmp0 (key, cache->key) != 0)
    {
      g_clear_pointer (&cache->matrix, capra_matrix_free);
      g_clear_error (&cache->error);
      if (key)
        read_matrix (cache, source, fd, &error);
      cache->error = g_steal_pointer (&error);
      g_free (cache->key);
      cache->key = g_steal_pointer (&key);
    }
  if (fd >= 0)
    close (fd);
}

CapraMatrix *
capra_matrix_cache_get (CapraMatrixCache *cache, const CapraMatrixSource *source, GError **error)
{
  CapraMatrix *matrix = NULL;

  g_mutex_lock (&cache->lock);
  refresh (cache, source);
  if (cache->matrix)
    matrix = capra_matrix_copy (cache->matrix);
  else
    g_propagate_error (error, g_error_copy (cache->error));
  g_mutex_unlock (&cache->lock);
  return matrix;
}

guint
capra_matrix_cache_get_state (CapraMatrixCache *cache, const CapraMatrixSource *source)
{
  guint state = 0;

  g_mutex_lock (&cache->lock);
  refresh (cache, source);
  state = cache->key ? g_str_hash (cache->key) : 0;
  g_mutex_unlock (&cache->lock);
  return state;
}

void
capra_matrix_read (CapraMatrix *matrix, GeglBuffer *buffer, const GeglRectangle *extent)
{
  const Babl *space = babl_format_get_space (gegl_buffer_get_format (buffer));

  gegl_buffer_get (buffer, extent, 1.0, babl_format_with_space ("Y double", space), matrix->values, GEGL_AUTO_ROWSTRIDE,
                   GEGL_ABYSS_NONE);
}
