/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Errors: the error domain, and names and remedies for OpenCL's status codes. */
#pragma once

#include <glib.h>

#include "runtime/base/api.h"

G_BEGIN_DECLS

#define CAPRA_ERROR (capra_error_quark ())

/**
 * CapraError:
 * @CAPRA_ERROR_NO_DEVICE: there is no OpenCL platform, or no device matches the name
 * @CAPRA_ERROR_AMBIGUOUS_DEVICE: the name matches several different devices
 * @CAPRA_ERROR_BUILD: a kernel did not compile; the message contains the beginning of the build log
 * @CAPRA_ERROR_MEMORY: the device's memory or Capra's budget on it is exhausted
 * @CAPRA_ERROR_DEVICE: any other OpenCL call failed
 * @CAPRA_ERROR_ARGUMENT: an invalid argument (shape, type, range, text)
 * @CAPRA_ERROR_CANCELED: the operation was canceled
 * @CAPRA_ERROR_LABELS: an image whose values are to be the numbers of regions has other values
 */
typedef enum {
  CAPRA_ERROR_NO_DEVICE,
  CAPRA_ERROR_AMBIGUOUS_DEVICE,
  CAPRA_ERROR_BUILD,
  CAPRA_ERROR_MEMORY,
  CAPRA_ERROR_DEVICE,
  CAPRA_ERROR_ARGUMENT,
  CAPRA_ERROR_CANCELED,
  CAPRA_ERROR_LABELS,
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
 * @code: the status that an OpenCL call returned
 * @call: the call's name, such as "clEnqueueNDRangeKernel"
 * @subject: (nullable): the kernel or object concerned
 * @device: (nullable): the device's name
 *
 * Turns a `cl_int` into a #GError, with the call, the subject, the device, the meaning and the remedy.
 *
 * Returns: %TRUE if @code is CL_SUCCESS; otherwise %FALSE with @error set
 */
CAPRA_API
gboolean capra_error_check (int code, const char *call, const char *subject, const char *device, GError **error);

/**
 * capra_error_is_device_failure:
 * @code: a #CapraError
 *
 * Returns: whether the device failed (build, memory, any OpenCL call), so that another device may succeed with the same
 *   arguments
 */
CAPRA_API
gboolean capra_error_is_device_failure (int code);

/**
 * capra_error_is_fatal:
 *
 * Returns: whether `CAPRA_FATAL` is set, and not 0: a process in which an operation failed then ends with a non-zero
 *   status, so that scripts notice
 */
CAPRA_API
gboolean capra_error_is_fatal (void);

/**
 * capra_error_exit_if_fatal:
 *
 * Ends the process with a non-zero status after a reported failure, if capra_error_is_fatal(). Flushes output, but runs
 * no exit handlers: the caller may be one, or a thread that one waits for.
 */
CAPRA_API
void capra_error_exit_if_fatal (void);

G_END_DECLS
