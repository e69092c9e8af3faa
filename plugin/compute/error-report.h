/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Outcome: how an operation says that it failed, to people and to scripts. */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

/**
 * CapraErrorReport:
 *
 * What stands in the properties `error` and `failed` of an operation. Nothing may be set or notified
 * while the operation works (that would invalidate it, and start it again); so the text is kept here,
 * where the getter finds it at once, and announced from the main loop, only when it has changed.
 */
typedef struct _CapraErrorReport CapraErrorReport;

CapraErrorReport *capra_error_report_new (GeglOperation *operation);
void capra_error_report_free (CapraErrorReport *report);

/* The end of one piece of work: %NULL for success. Failures go to GEGL's log, once for each text;
 * with `CAPRA_FATAL=1` the process ends. */
void capra_error_report_set (CapraErrorReport *report, const GError *error);

char *capra_error_report_get_text (CapraErrorReport *report);                  /* "" if all went well */
void capra_error_report_set_text (CapraErrorReport *report, const char *text); /* by the property */

/* To the log: work goes on, but not as one would expect. Once for each @topic of an operation, as the
 * text may hold numbers that differ from one part of the image to the next. */
void capra_error_report_warn (CapraErrorReport *report, const char *topic, const char *text);

G_END_DECLS
