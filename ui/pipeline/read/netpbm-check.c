/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Netpbm-check: whether a PGM or PPM file holds as many samples as its header says.
 *
 * The format: https://netpbm.sourceforge.net/doc/ppm.html. After the first two bytes, the header has the width, the
 * height and the largest value, as decimal numbers between white space and comments, which extend from "#" to the end
 * of the line. Samples follow as numbers (P2, P3), or after one more byte in binary (P5, P6), of two bytes each if the
 * largest value exceeds 255. */
#include "ui/pipeline/read/netpbm-check.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/error.h"

typedef struct {
  const char *at, *end;
} Text;

static gboolean
fail (GError **error, const char *message)
{
  g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, message);
  return FALSE;
}

static void
skip_space (Text *text)
{
  while (text->at < text->end && (g_ascii_isspace (*text->at) || *text->at == '#'))
    {
      const char *line_end = *text->at == '#' ? memchr (text->at, '\n', (gsize) (text->end - text->at)) : text->at;

      text->at = line_end ? line_end + 1 : text->end;
    }
}

/* The next number; FALSE if there is none, or it is larger than that of any image. */
static gboolean
read_number (Text *text, guint64 *number)
{
  const char *start = NULL;

  skip_space (text);
  start = text->at;
  *number = 0;
  for (; text->at < text->end && g_ascii_isdigit (*text->at); text->at++)
    {
      *number = *number * 10 + (guint64) (*text->at - '0');
      if (*number > G_MAXINT32)
        return FALSE;
    }
  return text->at > start;
}

static gboolean
has_numbers (Text *text, guint64 n)
{
  guint64 number = 0;

  while (n > 0 && read_number (text, &number))
    n--;
  return n == 0;
}

/* Whether @text, after the header, holds @n samples of the format P@kind. */
static gboolean
has_samples (Text *text, char kind, guint64 n, guint64 largest)
{
  if (kind == '2' || kind == '3')
    return has_numbers (text, n);
  return text->at < text->end && (guint64) (text->end - text->at - 1) / (largest > 255 ? 2 : 1) >= n;
}

gboolean
capra_netpbm_check (const char *path, GError **error)
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, error);
  guint64 width = 0, height = 0, largest = 0, samples = 0;
  Text text;
  char kind;

  if (!map)
    return FALSE;
  text.at = g_mapped_file_get_contents (map);
  text.end = text.at + g_mapped_file_get_length (map);
  if (text.end - text.at < 2 || text.at[0] != 'P' || !strchr ("2356", text.at[1]))
    return fail (error, _ ("The file is neither a PGM nor a PPM image"));
  kind = text.at[1];
  text.at += 2;
  if (!read_number (&text, &width) || !read_number (&text, &height) || !read_number (&text, &largest) || width == 0
      || height == 0 || largest == 0)
    return fail (error, _ ("The file's header has no valid width, height and largest value"));
  samples = width * height * (kind == '3' || kind == '6' ? 3 : 1); /* less than 2^64, as both are below 2^31 */
  return has_samples (&text, kind, samples, largest)
         || fail (error, _ ("The file is incomplete: the end of the image is missing"));
}
