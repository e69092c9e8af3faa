/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing row: the statistics of one transfer or kernel of one process, as a row of the table. */
#pragma once

#include <gtk/gtk.h>

#include "capra.h"

G_BEGIN_DECLS

/* The table's columns. */
typedef enum {
  CAPRA_COLUMN_PROCESS,
  CAPRA_COLUMN_DEVICE,
  CAPRA_COLUMN_NAME,
  CAPRA_COLUMN_COUNT,
  CAPRA_COLUMN_MIN,
  CAPRA_COLUMN_MEDIAN,
  CAPRA_COLUMN_MAX,
  CAPRA_COLUMN_MEAN,
  CAPRA_COLUMN_STD,
  CAPRA_COLUMN_RATE,
  CAPRA_COLUMN_TOTAL,
  CAPRA_N_COLUMNS,
} CapraColumn;

/* Signal "changed": the numbers have changed, or the process has ended. */
#define CAPRA_TYPE_TIMING_ROW (capra_timing_row_get_type ())
G_DECLARE_FINAL_TYPE (CapraTimingRow, capra_timing_row, CAPRA, TIMING_ROW, GObject)

CapraTimingRow *capra_timing_row_new (const CapraMonitorProcess *process, const CapraMonitorTiming *timing);

gint64 capra_timing_row_get_pid (CapraTimingRow *row);
/* The monotonic time at which the process ended; 0 while it runs. */
gint64 capra_timing_row_get_end (CapraTimingRow *row);
/* Marks the row: its process has ended. */
void capra_timing_row_end (CapraTimingRow *row);

/* Whether the row shows @timing of @process. */
gboolean capra_timing_row_matches (CapraTimingRow *row, const CapraMonitorProcess *process,
                                   const CapraMonitorTiming *timing);
void capra_timing_row_update (CapraTimingRow *row, const CapraMonitorTiming *timing);

guint64 capra_timing_row_get_count (CapraTimingRow *row);
double capra_timing_row_get_total (CapraTimingRow *row);

/* The translated heading and tooltip. */
const char *capra_column_get_title (CapraColumn column);
const char *capra_column_get_hint (CapraColumn column);
gboolean capra_column_is_number (CapraColumn column);

char *capra_timing_row_get_text (CapraTimingRow *row, CapraColumn column);
int capra_timing_row_compare (CapraTimingRow *a, CapraTimingRow *b, CapraColumn column);

/* The rows of @model as CSV (RFC 4180), with decimal points and times in milliseconds (g_free). */
char *capra_timing_rows_to_csv (GListModel *model);

G_END_DECLS
