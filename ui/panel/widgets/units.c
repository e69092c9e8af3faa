/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units: sizes, times and rates as text with units. */
#include "ui/panel/widgets/units.h"

#include <glib/gi18n-lib.h>

char *
capra_units_bytes (guint64 bytes)
{
  return g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
}

char *
capra_units_time (double milliseconds)
{
  if (milliseconds < 0.1)
    /* Translators: a time in microseconds */
    return g_strdup_printf (_ ("%.1f µs"), milliseconds * 1e3);
  if (milliseconds < 10)
    /* Translators: a time in milliseconds */
    return g_strdup_printf (_ ("%.2f ms"), milliseconds);
  if (milliseconds < 1000)
    /* Translators: a time in milliseconds */
    return g_strdup_printf (_ ("%.1f ms"), milliseconds);
  /* Translators: a time in seconds */
  return g_strdup_printf (_ ("%.2f s"), milliseconds * 1e-3);
}

char *
capra_units_rate (guint64 bytes, double milliseconds)
{
  if (bytes == 0 || !(milliseconds > 0))
    return g_strdup ("–");
  /* Translators: 10⁹ bytes per second */
  return g_strdup_printf (_ ("%.1f GB/s"), (double) bytes / milliseconds * 1e-6);
}

char *
capra_units_shared (void)
{
  /* Translators: instead of a number of GB/s: the host and the device share the memory, and nothing was copied */
  return g_strdup (C_ ("rate", "shared"));
}
