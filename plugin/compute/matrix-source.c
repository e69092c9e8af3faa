/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Matrices of capra:convolve: from text, from a file, from an image. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_CLOEXEC beside gnu11 */
#endif
#include "plugin/compute/matrix-source.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/device/error.h"

/* The largest matrix fits in this many bytes, written out in full and with comments. */
#define FILE_LIMIT (4 * 1024 * 1024)

/* What some editors begin a text with. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

struct _CapraMatrixCache {
  GMutex lock;
  char *key; /* says what the rest was made from */
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
set_no_text (const char *path, GError **error)
{
  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("\"%s\" is no text file with a matrix"), path);
}

static void
set_errno (const char *path, GError **error)
{
  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("\"%s\" cannot be read: %s"), path, g_strerror (errno));
}

/* Opens the file and gives its identity, so that a changed file is read again; NULL if it cannot be read. A fifo
 * without a writer would block the opening, a terminal could become the process's. */
static char *
file_key (const char *path, int *fd, GError **error)
{
  struct stat found = { 0 };

  *fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (*fd < 0 || fstat (*fd, &found) != 0)
    set_errno (path, error);
  else if (!S_ISREG (found.st_mode) || found.st_size > FILE_LIMIT)
    set_no_text (path, error);
  else
    return g_strdup_printf ("path:%s:%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ":%ld", path, (gint64) found.st_size,
                            (gint64) found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
  return NULL;
}

/* All of the file, which may have become longer since it was opened; not more than FILE_LIMIT bytes. */
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
      set_no_text (path, error);
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
      set_no_text (path, error);
      return NULL;
    }
  return capra_matrix_parse (g_str_has_prefix (text, BYTE_ORDER_MARK) ? text + strlen (BYTE_ORDER_MARK) : text, error);
}

static CapraMatrix *
sized (const GeglRectangle *extent, GError **error)
{
  CapraMatrix *matrix = extent->width <= CAPRA_MATRIX_MAX && extent->height <= CAPRA_MATRIX_MAX
                          ? capra_matrix_new (extent->width, extent->height)
                          : NULL;

  if (!matrix)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 _ ("the image on the aux pad cannot be a matrix: it has %d x %d pixels, and 1 x 1 to "
                    "%d x %d are possible"),
                 extent->width, extent->height, CAPRA_MATRIX_MAX, CAPRA_MATRIX_MAX);
  return matrix;
}

static gboolean
is_file (const CapraMatrixSource *source)
{
  return !source->extent && source->path && *source->path;
}

/* Says what a matrix would be made from; @fd: the file, if it is from one. */
static char *
source_key (const CapraMatrixSource *source, int *fd, GError **error)
{
  if (source->extent)
    return g_strdup_printf ("aux:%d:%d", source->extent->width, source->extent->height);
  if (is_file (source))
    return file_key (source->path, fd, error);
  return g_strconcat ("text:", source->text, NULL);
}

/* Makes the matrix of @source; with the file @fd, if it is from one. */
static void
make (CapraMatrixCache *cache, const CapraMatrixSource *source, int fd, GError **error)
{
  if (source->extent)
    cache->matrix = sized (source->extent, error);
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
        make (cache, source, fd, &error);
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

void
capra_matrix_read (CapraMatrix *matrix, GeglBuffer *buffer, const GeglRectangle *extent)
{
  const Babl *space = babl_format_get_space (gegl_buffer_get_format (buffer));

  gegl_buffer_get (buffer, extent, 1.0, babl_format_with_space ("Y double", space), matrix->values, GEGL_AUTO_ROWSTRIDE,
                   GEGL_ABYSS_NONE);
}
