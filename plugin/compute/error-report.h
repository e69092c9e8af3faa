/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Error report: publishes the failure of an operation, in its properties and in the log. */
#pragma once

#include <gegl-plugin.h>

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * CapraErrorReport:
 *
 * The values of the properties `error`, `failed`, `error-code` and `error-device` of an operation. A property must not
 * be set or notified during a computation: GEGL would invalidate the operation and compute again. Therefore the values
 * are stored here, where the getters find them at once, and the main loop sets `error` and `failed` if they have
 * changed.
 */
typedef struct _CapraErrorReport CapraErrorReport;

CapraErrorReport *capra_error_report_new (GeglOperation *operation);
void capra_error_report_free (CapraErrorReport *report);

/**
 * capra_error_report_set:
 * @error: (nullable): %NULL for success
 * @device: (nullable): the device that the computation ran on
 *
 * Called after each computation. A failure is written to the log once for each message. With `CAPRA_FATAL=1` it ends
 * the process.
 */
void capra_error_report_set (CapraErrorReport *report, const GError *error, CapraDevice *device);

/* The message; "" after success. */
char *capra_error_report_get_text (CapraErrorReport *report);

/* Sets the message when the property `error` is set. */
void capra_error_report_set_text (CapraErrorReport *report, const char *text);

/* A #CapraError; -1 after success. */
int capra_error_report_get_code (CapraErrorReport *report);

/* The id of the device that the failed computation ran on; "" if there is none. */
char *capra_error_report_get_device (CapraErrorReport *report);

/* Writes @text to the log, for something unexpected that is not a failure. Only once for each @topic, as the text may
 * contain numbers that differ from chunk to chunk. */
void capra_error_report_warn (CapraErrorReport *report, const char *topic, const char *text);

G_END_DECLS
