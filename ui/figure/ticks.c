/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks: round numbers on an axis, with their labels. */
#include "ui/figure/ticks.h"

#include <math.h>
#include <string.h>

#define EPSILON 1e-9          /* of a step */
#define MAX_FACTOR_DECIMALS 4 /* more are shorter without a factor */

static void
tick_clear (gpointer tick)
{
  g_free (((CapraTick *) tick)->label);
}

static CapraTicks *
ticks_new (void)
{
  CapraTicks *ticks = g_new0 (CapraTicks, 1);

  ticks->list = g_array_new (FALSE, FALSE, sizeof (CapraTick));
  g_array_set_clear_func (ticks->list, tick_clear);
  return ticks;
}

void
capra_ticks_free (CapraTicks *ticks)
{
  g_array_unref (ticks->list);
  g_free (ticks->factor);
  g_free (ticks);
}

static void
add (CapraTicks *ticks, double value, char *label)
{
  CapraTick tick = { value, label };

  g_array_append_val (ticks->list, tick);
}

static char *
with_minus (char *text)
{
  g_autofree char *old = text;

  return *old == '-' ? g_strconcat ("\u2212", old + 1, NULL) : g_strdup (old);
}

char *
capra_ticks_format (double value, int decimals)
{
  char *text = g_strdup_printf ("%.*f", decimals, value);

  if (strspn (text, "-0.") == strlen (text) && *text == '-') /* "-0.0" */
    memmove (text, text + 1, strlen (text));
  return with_minus (text);
}

static char *
format_power (int exponent)
{
  g_autofree char *number = capra_ticks_format (exponent, 0);

  return exponent == 0 ? g_strdup ("1") : exponent == 1 ? g_strdup ("10") : g_strdup_printf ("10<sup>%s</sup>", number);
}

static char *
format_factor (int exponent)
{
  g_autofree char *number = capra_ticks_format (exponent, 0);

  return g_strdup_printf ("×10<sup>%s</sup>", number);
}

double
capra_ticks_get_step (double low, double high, guint most)
{
  double least = (high - low) / MAX (most, 1), power = pow (10.0, floor (log10 (least)));

  return (least <= power * (1 + EPSILON) ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10) * power;
}

static int
get_exponent (double value)
{
  return value > 0.0 ? (int) floor (log10 (value) + EPSILON) : 0;
}

CapraTicks *
capra_ticks_linear (double low, double high, guint most)
{
  CapraTicks *ticks = ticks_new ();
  double step = capra_ticks_get_step (low, high, most), largest = MAX (fabs (low), fabs (high));
  double first = ceil (low / step - EPSILON), last = floor (high / step + EPSILON);
  int exponent = get_exponent (largest), smallest = get_exponent (step), decimals;

  if (exponent < 5 && exponent > -4)
    exponent = 0;
  if (exponent - smallest > MAX_FACTOR_DECIMALS && exponent > 0 && exponent < 15)
    exponent = 0;
  decimals = MAX (exponent - smallest, 0);
  if (exponent != 0)
    ticks->factor = format_factor (exponent);
  for (double i = first; i <= last; i++)
    add (ticks, i * step, capra_ticks_format (i * step / pow (10.0, exponent), MIN (decimals, 17)));
  return ticks;
}

static char *
format_short (double value)
{
  return with_minus (g_strdup_printf ("%.4g", value));
}

/* Multiples of powers of ten; labels at those in @labeled only. */
static CapraTicks *
new_decades (double low, double high, int every, gboolean (*labeled) (int digit))
{
  CapraTicks *ticks = ticks_new ();
  gboolean plain = low >= 0.0009 && high <= 11000;

  for (int e = get_exponent (low); e <= get_exponent (high); e++)
    for (int digit = 1; digit <= 9; digit++)
      {
        double value = digit * pow (10.0, e);
        gboolean label = labeled (digit) && e % every == 0;

        if (value < low * (1 - EPSILON) || value > high * (1 + EPSILON) || (every > 1 && digit > 1))
          continue;
        if (!label)
          add (ticks, value, NULL);
        else if (digit == 1 && !plain)
          add (ticks, value, format_power (e));
        else if (plain)
          add (ticks, value, format_short (value));
        else
          {
            g_autofree char *power = format_power (e);

            add (ticks, value, g_strdup_printf ("%d×%s", digit, power));
          }
      }
  return ticks;
}

static gboolean
is_power (int digit)
{
  return digit == 1;
}

static gboolean
is_round (int digit)
{
  return digit == 1 || digit == 2 || digit == 5;
}

CapraTicks *
capra_ticks_log (double low, double high, guint most)
{
  double decades = log10 (high / low);

  if (decades < 0.7)
    return capra_ticks_linear (low, high, most);
  if (decades < 2.0 && most >= 3 * decades)
    return new_decades (low, high, 1, is_round);
  return new_decades (low, high, MAX ((int) ceil (decades / MAX (most, 1)), 1), is_power);
}

/* Candidates for the bar of a stretch. */
typedef struct {
  const CapraStretch *stretch;
  double gap;
  GArray *values, *shares;
} Choice;

static void
try_value (Choice *choice, double value)
{
  double share = capra_stretch_apply (choice->stretch, value);

  if (!(value >= choice->stretch->low && value <= choice->stretch->high))
    return;
  for (guint i = 0; i < choice->shares->len; i++)
    if (fabs (g_array_index (choice->shares, double, i) - share) < choice->gap)
      return;
  g_array_append_val (choice->values, value);
  g_array_append_val (choice->shares, share);
}

static void
try_decades (Choice *choice, int top, int digit)
{
  for (int e = top; e > top - 8; e--)
    {
      try_value (choice, digit * pow (10.0, e));
      try_value (choice, -digit * pow (10.0, e));
    }
}

static void
try_steps (Choice *choice, guint most)
{
  double low = choice->stretch->low, high = choice->stretch->high, step = capra_ticks_get_step (low, high, most);

  for (double i = ceil (low / step - EPSILON); i <= floor (high / step + EPSILON); i++)
    try_value (choice, i * step);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

CapraTicks *
capra_ticks_stretch (const CapraStretch *stretch, double gap)
{
  CapraTicks *ticks = NULL;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (double));
  Choice choice = { stretch, gap, values, shares };
  double largest = MAX (fabs (stretch->low), fabs (stretch->high));
  int exponent = get_exponent (largest), power;

  if (stretch->curve == CAPRA_STRETCH_LINEAR)
    return capra_ticks_linear (stretch->low, stretch->high, (guint) CLAMP (1.0 / gap, 2, 8));
  try_value (&choice, 0.0);
  if (stretch->curve == CAPRA_STRETCH_SQRT)
    try_steps (&choice, 5);
  try_decades (&choice, exponent, 1);
  try_decades (&choice, exponent, 3);
  try_steps (&choice, 5);
  g_array_sort (values, compare);
  power = exponent < 5 && exponent > -4 ? 0 : exponent;
  ticks = ticks_new ();
  if (power)
    ticks->factor = format_factor (power);
  for (guint i = 0; i < values->len; i++)
    {
      double value = g_array_index (values, double, i);

      add (ticks, value, format_short (value / pow (10.0, power)));
    }
  return ticks;
}
