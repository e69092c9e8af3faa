/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units: sizes, times and rates as text with units. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* All (transfer full). */
char *capra_units_bytes (guint64 bytes);                     /* "1.5 GiB" */
char *capra_units_time (double milliseconds);                /* "1.23 ms" */
char *capra_units_rate (guint64 bytes, double milliseconds); /* "12.3 GB/s", or "–" */
char *capra_units_shared (void);                             /* "shared": the rate of what was not copied */

G_END_DECLS
