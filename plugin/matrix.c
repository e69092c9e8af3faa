/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices of capra:convolve: from text, from a file, from an image. */
#include "plugin/matrix.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/error.h"

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

/* The file's identity, so that a changed file is read again; NULL if it cannot be read. */
static char *
file_key (const char *path, GError **error)
{
  g_autoptr(GFile) file = g_file_new_for_path (path);
  g_autoptr(GFileInfo) info
    = g_file_query_info (file, "standard::type,standard::size,time::modified,time::modified-usec",
                         G_FILE_QUERY_INFO_NONE, NULL, error);

  if (!info)
    return NULL;
  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR
      || g_file_info_get_size (info) > FILE_LIMIT)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _("\"%s\" is no text file with a matrix"), path);
      return NULL;
    }
  return g_strdup_printf ("path:%s:%" G_GOFFSET_FORMAT ":%" G_GUINT64_FORMAT ":%u", path,
                          g_file_info_get_size (info),
                          g_file_info_get_attribute_uint64 (info, "time::modified"),
                          g_file_info_get_attribute_uint32 (info, "time::modified-usec"));
}

static CapraMatrix *
parse_file (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize length = 0;

  if (!g_file_get_contents (path, &text, &length, error))
    return NULL;
  if (!g_utf8_validate (text, length, NULL))
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _("\"%s\" is no text file with a matrix"), path);
      return NULL;
    }
  return capra_matrix_parse (g_str_has_prefix (text, BYTE_ORDER_MARK) ? text + strlen (BYTE_ORDER_MARK) : text,
                             error);
}

static CapraMatrix *
sized (const GeglRectangle *extent, GError **error)
{
  CapraMatrix *matrix = extent->width <= CAPRA_MATRIX_MAX && extent->height <= CAPRA_MATRIX_MAX
                          ? capra_matrix_new (extent->width, extent->height)
                          : NULL;

  if (!matrix)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 _("the image on the aux pad cannot be a matrix: it has %d x %d pixels, and 1 x 1 to "
                   "%d x %d are possible"), extent->width, extent->height, CAPRA_MATRIX_MAX,
                 CAPRA_MATRIX_MAX);
  return matrix;
}

static gboolean
is_file (const CapraMatrixSource *source)
{
  return !source->extent && source->path && *source->path;
}

static char *
source_key (const CapraMatrixSource *source, GError **error)
{
  if (source->extent)
    return g_strdup_printf ("aux:%d:%d", source->extent->width, source->extent->height);
  if (is_file (source))
    return file_key (source->path, error);
  return g_strconcat ("text:", source->text, NULL);
}

static void
refresh (CapraMatrixCache *cache, const CapraMatrixSource *source)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *key = source_key (source, &error);

  if (key && g_strcmp0 (key, cache->key) == 0)
    return;
  g_clear_pointer (&cache->matrix, capra_matrix_free);
  g_clear_error (&cache->error);
  if (key && source->extent)
    cache->matrix = sized (source->extent, &error);
  else if (key)
    cache->matrix = is_file (source) ? parse_file (source->path, &error)
                                     : capra_matrix_parse (source->text ? source->text : "", &error);
  cache->error = g_steal_pointer (&error);
  g_free (cache->key);
  cache->key = g_steal_pointer (&key);
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
    {
      g_propagate_error (error, g_error_copy (cache->error));
      if (error && *error && (*error)->domain != CAPRA_ERROR)
        {
          (*error)->domain = CAPRA_ERROR; /* a file that is being typed is no failure of the device */
          (*error)->code = CAPRA_ERROR_ARGUMENT;
        }
    }
  g_mutex_unlock (&cache->lock);
  return matrix;
}

void
capra_matrix_read (CapraMatrix *matrix, GeglBuffer *buffer, const GeglRectangle *extent)
{
  const Babl *space = babl_format_get_space (gegl_buffer_get_format (buffer));

  gegl_buffer_get (buffer, extent, 1.0, babl_format_with_space ("Y double", space), matrix->values,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
}
