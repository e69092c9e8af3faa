/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the checks of kernel families, and compares values. */
#include "ui/cli/check/check-run.h"

#include <math.h>

const CheckSize check_sizes[] = {
  { 1, 1 }, { 1, 37 }, { 33, 31 }, { 131, 67 }, { 17, 1 }, { 2, 3 }, { 15, 16 }, { 127, 65 }, { 257, 129 },
};
#define QUICK_SIZES 4

guint
check_n_sizes (const Check *check)
{
  return check->full ? G_N_ELEMENTS (check_sizes) : QUICK_SIZES;
}

guint
check_step (const Check *check, guint step)
{
  return check->full ? 1 : step;
}

/* Sets all keys of the tuning @variant, or ends the trial of them. */
static void
try_variant (const char *variant, gboolean begin)
{
  g_auto (GStrv) pairs = g_strsplit (variant, ",", -1);

  for (char **pair = pairs; *pair; pair++)
    {
      g_auto (GStrv) parts = g_strsplit (*pair, "=", 2);

      capra_tuning_try (parts[0], begin ? parts[1] : NULL);
    }
}

/* A pair of @variant that a quirk of the driver forbids; NULL if there is none. */
static char *
find_avoided (CapraDevice *device, const char *variant)
{
  g_auto (GStrv) pairs = g_strsplit (variant, ",", -1);

  for (char **pair = pairs; *pair; pair++)
    {
      g_auto (GStrv) parts = g_strsplit (*pair, "=", 2);

      if (capra_quirks_avoid (device, parts[0], parts[1]))
        return g_strdup (*pair);
    }
  return NULL;
}

/* Moves the verdict of @check, which returned @passed, to @result. */
static void
conclude (Check *check, gboolean passed, CheckResult *result)
{
  gboolean memory = g_error_matches (check->error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);

  if (check->error)
    {
      result->verdict = memory && result->family->large ? CHECK_NOT_RUN : CHECK_FAILED;
      result->message = g_strdup_printf ("%s: %s", check->what, check->error->message);
    }
  else if (!passed)
    {
      result->verdict = CHECK_DIFFERS;
      result->message = g_strdup_printf ("%s: %s", check->what, check->difference);
    }
  else
    result->verdict = CHECK_PASSED;
  g_clear_error (&check->error);
  g_free (check->difference);
  g_free (check->what);
}

void
check_run (CapraDevice *device, const CheckFamily *family, gboolean full, const char *variant, CheckCaseFunc on_case,
           CheckResult *result)
{
  Check check = { .device = device, .full = full, .on_case = on_case };
  gint64 start = g_get_monotonic_time ();
  g_autofree char *avoided = variant ? find_avoided (device, variant) : NULL;
  gboolean passed = FALSE;

  *result = (CheckResult){ .family = family, .variant = variant };
  if (avoided)
    {
      result->verdict = CHECK_NOT_RUN;
      result->message = g_strdup_printf ("%s is avoided with this driver: see capra devices", avoided);
      return;
    }
  if (variant)
    try_variant (variant, TRUE);
  passed = family->run (&check);
  if (variant)
    try_variant (variant, FALSE);
  result->cases = check.cases;
  conclude (&check, passed, result);
  result->seconds = (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
}

void
check_result_free (CheckResult *result)
{
  g_free (result->message);
  g_free (result);
}

void
check_case (Check *check, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_free (check->what);
  check->what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  check->cases++;
  check->on_case (check->what);
}

gboolean
check_difference (Check *check, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_free (check->difference);
  check->difference = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return FALSE;
}

CapraArray *
check_upload (Check *check, const CapraShape *shape, gconstpointer data)
{
  return capra_array_new_from_data (check->device, shape, data, &check->error);
}

CapraArray *
check_noise (Check *check, const CapraShape *shape, guint32 seed, double **values)
{
  g_autofree guint8 *data = g_malloc (capra_shape_bytes (shape));

  *values = g_new (double, capra_shape_count (shape));
  reference_noise (shape, seed, data, *values);
  return check_upload (check, shape, data);
}

static gboolean
is_near (double found, double expected, double tolerance)
{
  if (isnan (expected))
    return isnan (found);
  return isinf (expected) ? found == expected : fabs (found - expected) <= tolerance;
}

/* Where value @i is. */
static char *
describe_position (const CapraShape *shape, gsize i)
{
  gsize pixel = i / shape->channels, row = pixel / shape->width;
  GString *text = g_string_new (NULL);

  g_string_printf (text, "column %zu, row %zu", pixel % shape->width, row % shape->height);
  if (shape->depth > 1)
    g_string_append_printf (text, ", plane %zu", row / shape->height);
  if (shape->channels > 1)
    g_string_append_printf (text, ", channel %zu", i % shape->channels);
  return g_string_free (text, FALSE);
}

gboolean
check_values (Check *check, CapraArray *result, const double *expected, double tolerance)
{
  g_autoptr (CapraArray) owned = result;
  const CapraShape *shape = NULL;
  g_autofree guint8 *values = NULL;

  if (!result)
    return FALSE;
  shape = capra_array_get_shape (result);
  values = g_malloc (capra_shape_bytes (shape));
  if (!capra_array_download (result, values, &check->error))
    return FALSE;
  for (gsize i = 0; i < capra_shape_count (shape); i++)
    {
      double found = reference_value (shape->type, values, i);

      if (!is_near (found, expected[i], tolerance))
        {
          g_autofree char *position = describe_position (shape, i);

          return check_difference (check, "%s: found %.9g, expected %.9g (tolerance %.3g)", position, found,
                                   expected[i], tolerance);
        }
    }
  return TRUE;
}

gboolean
check_number (Check *check, const char *name, double found, double expected, double tolerance)
{
  return is_near (found, expected, tolerance)
         || check_difference (check, "%s: found %.12g, expected %.12g (tolerance %.3g)", name, found, expected,
                              tolerance);
}

double
check_largest (const double *values, gsize count)
{
  double largest = 0;

  for (gsize i = 0; i < count; i++)
    if (isfinite (values[i]))
      largest = MAX (largest, fabs (values[i]));
  return largest;
}
