/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gif-frames: counts the frames of GIF files, whose loader does not return their number before it has decoded one, and
 * reads a file that is cut between two frames as if it were whole. */
#include "ui/pipeline/read/gif-frames.h"

#include <glib/gi18n-lib.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/regular-file.h"

#define MAX_BYTES ((gsize) 1 << 30)
#define HEADER 13 /* bytes of the signature and of the screen's description */
#define IMAGE 9   /* bytes of an image's description, after its mark */
#define HAS_COLORS 0x80

/* What is left of a file. */
typedef struct {
  const guint8 *at, *end;
} Reader;

static gboolean
skip (Reader *reader, gsize count)
{
  if ((gsize) (reader->end - reader->at) < count)
    return FALSE;
  reader->at += count;
  return TRUE;
}

/* The colors that @flags, of the screen or of an image, announce. */
static gboolean
skip_colors (Reader *reader, guint8 flags)
{
  return !(flags & HAS_COLORS) || skip (reader, 3 * (gsize) (2 << (flags & 7)));
}

/* Blocks of at most 255 bytes; the last one is empty. */
static gboolean
skip_blocks (Reader *reader)
{
  while (reader->at < reader->end)
    {
      guint8 length = *reader->at++;

      if (length == 0)
        return TRUE;
      if (!skip (reader, length))
        return FALSE;
    }
  return FALSE;
}

static gboolean
skip_image (Reader *reader)
{
  const guint8 *image = reader->at;

  return skip (reader, IMAGE) && skip_colors (reader, image[IMAGE - 1]) && skip (reader, 1) && skip_blocks (reader);
}

/* @whole: (out): whether the mark of the end follows the last one */
static guint64
count_images (Reader *reader, gboolean *whole)
{
  const guint8 *header = reader->at;
  guint64 count = 0;

  *whole = FALSE;
  if (!skip (reader, HEADER) || !skip_colors (reader, header[10]))
    return 0;
  while (reader->at < reader->end)
    switch (*reader->at++)
      {
      case ',':
        if (!skip_image (reader))
          return count;
        count++;
        break;
      case '!': /* an extension: its kind and its blocks */
        if (!skip (reader, 1) || !skip_blocks (reader))
          return count;
        break;
      case ';': *whole = TRUE; return count;
      default: return count;
      }
  return count;
}

static guint64
count_frames (const char *path, gboolean *whole, GError **error)
{
  gsize length = 0;
  g_autofree char *bytes = capra_read_file (path, MAX_BYTES, &length, error);
  Reader reader = { (const guint8 *) bytes, (const guint8 *) bytes + length };
  guint64 count;

  if (!bytes)
    return 0;
  count = count_images (&reader, whole);
  if (count == 0)
    g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("%s contains no image"), path);
  return count;
}

guint64
capra_gif_count_frames (const char *path, GError **error)
{
  gboolean whole;

  return count_frames (path, &whole, error);
}

char *
capra_gif_describe_cut (const char *path)
{
  gboolean whole = FALSE;
  guint64 count = count_frames (path, &whole, NULL);

  return count == 0 || whole ? NULL
                             : g_strdup_printf (ngettext ("The file is cut: %u frame could be read",
                                                          "The file is cut: %u frames could be read", (gulong) count),
                                                (guint) count);
}
