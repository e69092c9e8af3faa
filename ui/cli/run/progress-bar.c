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

/* "200/400 50 %, 1 failed, 2.00 frames/s, 1:40 left" */
static char *
describe (const RunProgress *progress)
{
  guint done = progress->before + progress->done, items = MAX (progress->items, 1);
  double rate = progress->seconds > 0.0 ? progress->done / progress->seconds : 0.0;
  g_autofree char *time = NULL;
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%u/%u %u %%", done, items, (guint) ((guint64) done * 100 / items));
  if (progress->failed > 0)
    g_string_append_printf (text, ", %u failed", progress->failed);
  if (rate > 0.0)
    {
      time = format_time (done < items ? (items - done) / rate : progress->seconds);
      g_string_append_printf (text, ", %.*f frames/s, %s%s", rate < 9.95 ? 2 : 0, rate, time,
                              done < items ? " left" : "");
    }
  return g_string_free (text, FALSE);
}

char *
run_progress_format (const RunProgress *progress, guint columns)
{
  guint done = progress->before + progress->done, items = MAX (progress->items, 1);
  g_autofree char *text = describe (progress);
  guint room = columns > strlen (text) + 4 ? columns - (guint) strlen (text) - 4 : 0, bar = MIN (room, MAX_BAR);
  guint full = (guint) ((guint64) bar * done / items);
  GString *line = g_string_new (NULL);

  if (bar >= MIN_BAR)
    {
      g_string_append_c (line, '[');
      for (guint i = 0; i < bar; i++)
        g_string_append_c (line, i < full ? '#' : '.');
      g_string_append (line, "] ");
    }
  g_string_append (line, text);
  return g_string_free (line, FALSE);
}

gboolean
run_progress_is_possible (void)
{
  return isatty (STDERR_FILENO) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
}

/* The beginning of @text that fits into a line: the terminal could not replace two. */
static char *
fit (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), (glong) run_progress_get_columns () - 1));
}

void
run_progress_show (const char *text)
{
  g_autofree char *line = text ? fit (text) : NULL;

  fprintf (stderr, "\r\033[K%s", line ? line : "");
  fflush (stderr);
}

guint
run_progress_get_columns (void)
{
  struct winsize size;

  return ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}
