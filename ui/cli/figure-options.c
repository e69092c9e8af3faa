/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure-options: what the options of figures in several commands share. */
#include "ui/cli/figure-options.h"

#define MIN_SIDE 100
#define MAX_SIDE 20000

gboolean
figure_options_parse_size (const char *text, double *width, double *height, GError **error)
{
  char *end = NULL;
  guint64 size[2] = { 0, 0 };

  if (!text)
    return TRUE;
  size[0] = g_ascii_strtoull (text, &end, 10);
  if (end > text && (*end == 'x' || *end == 'X'))
    size[1] = g_ascii_strtoull (end + 1, &end, 10);
  if (*end || size[0] < MIN_SIDE || size[1] < MIN_SIDE || size[0] > MAX_SIDE || size[1] > MAX_SIDE)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "\"%s\" is not a size of a figure; give WIDTHxHEIGHT in pixels, each %d to %d", text, MIN_SIDE,
                   MAX_SIDE);
      return FALSE;
    }
  *width = (double) size[0];
  *height = (double) size[1];
  return TRUE;
}
