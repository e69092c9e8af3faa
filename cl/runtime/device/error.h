/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Errors: one domain, and the one place where OpenCL's codes get names and advice. */
#pragma once

#include <glib.h>

#include "runtime/device/api.h"

G_BEGIN_DECLS

#define CAPRA_ERROR (capra_error_quark ())

/**
 * CapraError:
 * @CAPRA_ERROR_NO_DEVICE: there is no OpenCL platform, or no device fits the name
 * @CAPRA_ERROR_AMBIGUOUS_DEVICE: the name fits several different devices
 * @CAPRA_ERROR_BUILD: a kernel did not compile; the message holds the start of the build log
 * @CAPRA_ERROR_MEMORY: the device's memory or Capra's budget on it is exhausted
 * @CAPRA_ERROR_DEVICE: any other OpenCL call failed
 * @CAPRA_ERROR_ARGUMENT: an argument cannot be worked with (shape, type, range, text)
 * @CAPRA_ERROR_CANCELLED: the work was given up before its end
 */
typedef enum {
  CAPRA_ERROR_NO_DEVICE,
  CAPRA_ERROR_AMBIGUOUS_DEVICE,
  CAPRA_ERROR_BUILD,
  CAPRA_ERROR_MEMORY,
  CAPRA_ERROR_DEVICE,
  CAPRA_ERROR_ARGUMENT,
  CAPRA_ERROR_CANCELLED,
} CapraError;

CAPRA_API
GQuark capra_error_quark (void);

/**
 * capra_error_name:
 * @code: an OpenCL status (`cl_int`)
 *
 * Returns: its name in the OpenCL headers, such as "CL_OUT_OF_RESOURCES"
 */
CAPRA_API
const char *capra_error_name (int code);

/**
 * capra_error_check:
 * @code: what an OpenCL call returned
 * @call: the call's name, such as "clEnqueueNDRangeKernel"
 * @subject: (nullable): the kernel or object concerned
 * @device: (nullable): the device's name
 *
 * The one way from a `cl_int` to a #GError: call, subject, device, meaning and what would help.
 *
 * Returns: %TRUE if @code is CL_SUCCESS; otherwise %FALSE with @error set
 */
CAPRA_API
gboolean capra_error_check (int code, const char *call, const char *subject, const char *device, GError **error);

/**
 * capra_error_is_fatal:
 *
 * Returns: whether a process in which anything failed is to end with a non-zero status, so that scripts
 *   notice (`CAPRA_FATAL` is set, and not 0)
 */
CAPRA_API
gboolean capra_error_is_fatal (void);

/**
 * capra_error_exit_if_fatal:
 *
 * Does so after a failure that was reported, if it is fatal. Output is flushed, exit handlers do not run:
 * this may be one, or a thread that they would wait for.
 */
CAPRA_API
void capra_error_exit_if_fatal (void);

G_END_DECLS
