/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of `capra check`, as text and as JSON. */
#pragma once

#include <json-glib/json-glib.h>

#include "ui/cli/check/check-run.h"

G_BEGIN_DECLS

/* The lines before the results: @pairs from check_system_describe(). */
char *check_report_head (const GPtrArray *pairs, gboolean full);

/* The line of a result, in two parts, so that the first can be printed before the family runs. */
char *check_report_name (const CheckFamily *family, const char *variant);
char *check_report_verdict (const CheckResult *result);

/* The line after @results (of CheckResult), which took @seconds. */
char *check_report_foot (const GPtrArray *results, double seconds);

/* Whether no result differs or failed. */
gboolean check_report_passed (const GPtrArray *results);

/* The results as a record that is kept, of a check that has ended. */
CapraCheckRecord *check_report_record (gboolean full, const GPtrArray *results);

/* All of it. */
JsonBuilder *check_report_json (const GPtrArray *pairs, gboolean full, const GPtrArray *results, double seconds);

G_END_DECLS
