/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of `capra tune`. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ui/cli/tune/tune-print.h"

#define CLEAR_LINE "\r\033[K"
#define WIDTH 100

static gboolean
is_terminal (void)
{
  return isatty (STDOUT_FILENO);
}

static void
print_position (const TuneProgress *progress, const char *key)
{
  if (is_terminal ())
    printf (CLEAR_LINE);
  printf ("%2u/%u %4.0f of %3.0f s  %-19s", progress->number, progress->count, tune_clock_elapsed (progress->clock),
          tune_clock_expected (progress->clock), key);
}

/* "1.05 x", or with one significant digit: "0.002 x". */
static void
append_gain (GString *text, double gain)
{
  g_string_append_printf (text, gain >= 0.095 ? "%.2f x" : "%.1g x", MAX (gain, 1e-4));
}

static void
append_candidate (GString *text, const TuneCandidate *candidate)
{
  if (text->len > 0)
    g_string_append (text, ", ");
  g_string_append_printf (text, "%s ", candidate->value);
  if (candidate->verdict == TUNE_WRONG)
    g_string_append (text, "gives wrong results");
  else if (candidate->verdict == TUNE_FAILED)
    g_string_append (text, "fails");
  else
    append_gain (text, candidate->gain);
}

static char *
describe_winner (const TuneResult *result)
{
  GString *text = g_string_new (result->shipped);

  if (!g_str_equal (result->winner, result->shipped))
    {
      g_string_append_printf (text, " -> %s  ", result->winner);
      append_gain (text, result->gain);
    }
  return g_string_free (text, FALSE);
}

void
tune_print_head (CapraDevice *device, gsize size, guint keys, int seconds)
{
  printf ("%s: ", capra_device_get_info (device)->name);
  if (keys > 0)
    printf ("%u keys, images of %zu x %zu, time limit %d s; x: speed relative to the default value\n", keys, size, size,
            seconds);
  else
    printf ("all keys are measured\n");
  fflush (stdout);
}

void
tune_print_trying (const TuneProgress *progress, const char *key, const char *value)
{
  if (!is_terminal ())
    return;
  print_position (progress, key);
  printf ("%s?", value);
  fflush (stdout);
}

void
tune_print_result (const TuneProgress *progress, const TuneResult *result)
{
  g_autofree char *winner = describe_winner (result);
  g_autoptr (GString) others = g_string_new (NULL);

  for (guint i = 0; i < result->candidates->len; i++)
    {
      const TuneCandidate *candidate = &g_array_index (result->candidates, TuneCandidate, i);

      if (!g_str_equal (candidate->value, result->winner))
        append_candidate (others, candidate);
    }
  if (result->candidates->len == 0 && !result->complete)
    return;
  print_position (progress, result->key);
  printf ("%-22s %s%s\n", winner, others->str, result->complete ? "" : ", …");
  fflush (stdout);
}

void
tune_print_forced (const TuneProgress *progress, const char *key, const char *value)
{
  print_position (progress, key);
  printf ("%-22s set by CAPRA_TUNING, not tried\n", value);
}

/* "WHAT: a, b, c.", wrapped at WIDTH columns. */
static void
print_list (const char *what, const GPtrArray *words)
{
  gsize column = strlen (what) + 1;

  if (words->len == 0)
    return;
  printf ("%s:", what);
  for (guint i = 0; i < words->len; i++)
    {
      const char *word = words->pdata[i];

      column += strlen (word) + 2;
      if (column > WIDTH)
        {
          printf ("\n ");
          column = strlen (word) + 3;
        }
      printf (" %s%s", word, i + 1 < words->len ? "," : ".\n");
    }
}

static void
print_winners (const GPtrArray *results)
{
  for (guint i = 0; i < results->len; i++)
    {
      const TuneResult *result = results->pdata[i];
      g_autofree char *winner = describe_winner (result);

      if (!g_str_equal (result->winner, result->shipped))
        printf ("  %-19s %s\n", result->key, winner);
    }
}

void
tune_print_summary (const TuneProgress *progress, const GPtrArray *results, const GPtrArray *measured,
                    const GPtrArray *shipped)
{
  guint changed = 0;

  if (is_terminal ())
    printf (CLEAR_LINE);
  for (guint i = 0; i < results->len; i++)
    {
      const TuneResult *result = results->pdata[i];

      changed += !g_str_equal (result->winner, result->shipped);
    }
  printf ("%s%.0f s: %u of %u tuning keys have a value that is faster than the default%s\n",
          tune_clock_signal ()               ? "Stopped after "
          : measured->len + shipped->len > 0 ? "Time limit reached after "
                                             : "",
          tune_clock_elapsed (progress->clock), changed, results->len, changed > 0 ? ":" : ".");
  print_winners (results);
  print_list ("Not completed, with the value of an earlier run", measured);
  print_list ("Not completed, with the default value", shipped);
  if (measured->len + shipped->len > 0)
    printf ("`capra tune --rest` measures the keys that were never measured.\n");
  fflush (stdout);
}
