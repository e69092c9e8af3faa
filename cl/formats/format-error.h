/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Format error: the errors of reading and writing files. */
#pragma once

#include "runtime/base/api.h"

#include <glib.h>

G_BEGIN_DECLS

#define CAPRA_FORMAT_ERROR (capra_format_error_quark ())

/**
 * CapraFormatError:
 * @CAPRA_FORMAT_ERROR_READ: the file does not exist, is not a regular file, or cannot be read
 * @CAPRA_FORMAT_ERROR_UNSUPPORTED: the file uses a feature that is not supported, or this build lacks the library
 * @CAPRA_FORMAT_ERROR_NOT_FOUND: the file has no image or data set of that name, or a header lacks keywords
 * @CAPRA_FORMAT_ERROR_RANGE: the image has no such plane or frame, or is too large
 * @CAPRA_FORMAT_ERROR_DAMAGED: the contents contradict each other, or the file is shorter than its headers say
 * @CAPRA_FORMAT_ERROR_CHANGED: the file was changed while it was read
 * @CAPRA_FORMAT_ERROR_WRITE: the file cannot be written
 */
typedef enum {
  CAPRA_FORMAT_ERROR_READ,
  CAPRA_FORMAT_ERROR_UNSUPPORTED,
  CAPRA_FORMAT_ERROR_NOT_FOUND,
  CAPRA_FORMAT_ERROR_RANGE,
  CAPRA_FORMAT_ERROR_DAMAGED,
  CAPRA_FORMAT_ERROR_CHANGED,
  CAPRA_FORMAT_ERROR_WRITE,
} CapraFormatError;

CAPRA_API
GQuark capra_format_error_quark (void);

G_END_DECLS
