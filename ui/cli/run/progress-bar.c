/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress-bar: the progress of a batch on one line of a terminal. */
#include "ui/cli/run/progress-bar.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MIN_BAR 10 /* columns */
#define MAX_BAR 40

/* "1:02:03" or "2:03". */
static char *
format_time (double seconds)
{
  guint64 whole = (guint64) (seconds + 0.5);

  if (whole >= 3600)
    return g_strdup_printf ("%" G_GUINT64_FORMAT ":%02u:%02u", whole / 3600, (guint) (whole / 60 % 60),
                            (guint) (whole % 60));
  return g_strdup_printf ("%u:%02u", (guint) (whole / 60), (guint) (whole % 60));
}

char *
run_progress_format (const RunProgress *progress, guint columns)
{
  guint done = progress->before + progress->done, items = MAX (progress->items, 1);
  double rate = progress->seconds > 0.0 ? progress->done / progress->seconds : 0.0;
  g_autofree char *left = NULL, *text = NULL;
  GString *line = g_string_new (NULL);
  guint room, bar;

  if (progress->done > 0 && rate > 0.0)
    {
      left = format_time ((items - done) / rate);
      text = g_strdup_printf ("%u/%u %u %%, %.*f frames/s, %s left", done, items,
                              (guint) ((guint64) done * 100 / items), rate < 9.95 ? 2 : 0, rate, left);
    }
  else
    text = g_strdup_printf ("%u/%u %u %%", done, items, (guint) ((guint64) done * 100 / items));
  room = columns > strlen (text) + 4 ? columns - (guint) strlen (text) - 4 : 0;
  bar = MIN (room, MAX_BAR);
  if (bar >= MIN_BAR)
    {
      guint full = (guint) ((guint64) bar * done / items);

      g_string_append_c (line, '[');
      for (guint i = 0; i < bar; i++)
        g_string_append_c (line, i < full ? '#' : '.');
      g_string_append (line, "] ");
    }
  g_string_append (line, text);
  if (columns > 1 && line->len >= columns)
    g_string_truncate (line, columns - 1);
  return g_string_free (line, FALSE);
}

void
run_progress_show (const char *text)
{
  fprintf (stderr, "\r\033[K%s", text ? text : "");
  fflush (stderr);
}

guint
run_progress_get_columns (void)
{
  struct winsize size;

  return ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}
