/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Png-chunks: checks the chunks of a PNG without decoding it, and finds the pipeline that Capra stored in it. */
#include "ui/pipeline/read/png-chunks.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/regular-file.h"

static gboolean
fail (GError **error, const char *message)
{
  g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, message);
  return FALSE;
}

static guint32
read_word (const guint8 *data)
{
  return (guint32) data[0] << 24 | (guint32) data[1] << 16 | (guint32) data[2] << 8 | data[3];
}

/* An iTXt chunk: keyword, 0, compression flag, method, language, 0, translated keyword, 0, text. */
static char *
read_text (const guint8 *data, gsize length, const char *keyword)
{
  gsize at = strlen (keyword) + 1;

  if (length < at + 4 || length > at + CAPRA_MAX_GRAPH_BYTES || memcmp (data, keyword, at) != 0 || data[at] != 0)
    return NULL;
  at += 2;
  for (int i = 0; i < 2; i++)
    {
      while (at < length && data[at])
        at++;
      at++;
    }
  return at <= length ? g_strndup ((const char *) data + at, length - at) : NULL;
}

static const guint8 signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n' };

gboolean
capra_png_is (const char *path)
{
  int descriptor = capra_open_regular (path, NULL);
  guint8 start[sizeof signature];
  gboolean good = descriptor >= 0 && read (descriptor, start, sizeof start) == sizeof start
                  && memcmp (start, signature, sizeof start) == 0;

  if (descriptor >= 0)
    close (descriptor);
  return good;
}

/* Sets @text to that of the first chunk iTXt with @keyword. Returns: as capra_png_check() */
static gboolean
read_chunks (const char *path, const char *keyword, char **text, GError **error)
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, error);
  const guint8 *data;
  gsize length, at = sizeof signature;

  *text = NULL;
  if (!map)
    return FALSE;
  data = (const guint8 *) g_mapped_file_get_contents (map);
  length = g_mapped_file_get_length (map);
  if (length < at || memcmp (data, signature, at) != 0)
    return fail (error, _ ("The file is not a PNG image"));
  while (at + 12 <= length)
    {
      gsize size = read_word (data + at);
      const guint8 *type = data + at + 4;

      if (size > length - at - 12)
        break;
      if (memcmp (type, "IEND", 4) == 0)
        return TRUE;
      if (memcmp (type, "iTXt", 4) == 0 && !*text)
        *text = read_text (type + 4, size, keyword);
      at += 12 + size;
    }
  g_clear_pointer (text, g_free);
  return fail (error, _ ("The file is incomplete: the end of the image is missing"));
}

gboolean
capra_png_read_resolution (const char *path, double per_meter[2])
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, NULL);
  const guint8 *data = map ? (const guint8 *) g_mapped_file_get_contents (map) : NULL;
  gsize length = map ? g_mapped_file_get_length (map) : 0, at = sizeof signature;

  while (at + 12 <= length)
    {
      gsize size = read_word (data + at);
      const guint8 *type = data + at + 4;

      if (size > length - at - 12 || memcmp (type, "IDAT", 4) == 0)
        return FALSE;
      if (memcmp (type, "pHYs", 4) == 0 && size == 9)
        {
          for (guint i = 0; i < 2; i++)
            per_meter[i] = read_word (type + 4 + 4 * i);
          return type[12] == 1; /* else only the shape of pixels is known */
        }
      at += 12 + size;
    }
  return FALSE;
}

gboolean
capra_png_check (const char *path, char **graph, GError **error)
{
  return read_chunks (path, CAPRA_PNG_GRAPH, graph, error);
}

char *
capra_png_find_text (const char *path, const char *keyword)
{
  char *text = NULL;

  return capra_png_is (path) && read_chunks (path, keyword, &text, NULL) ? text : NULL;
}
