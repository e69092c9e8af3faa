/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error: the error domain of pipelines, their text and their files. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CAPRA_PIPELINE_ERROR (capra_pipeline_error_quark ())
GQuark capra_pipeline_error_quark (void);

/**
 * CapraPipelineError:
 * @CAPRA_PIPELINE_ERROR_SYNTAX: a text could not be parsed
 * @CAPRA_PIPELINE_ERROR_UNKNOWN: unknown operation
 * @CAPRA_PIPELINE_ERROR_OPERATION: an operation without such a property, or that does not suit
 * @CAPRA_PIPELINE_ERROR_VALUE: invalid value of a property
 * @CAPRA_PIPELINE_ERROR_BRANCH: a graph with branches that a list of steps cannot represent
 * @CAPRA_PIPELINE_ERROR_FILE: a file could not be read or written
 * @CAPRA_PIPELINE_ERROR_FAILED: a step failed
 */
typedef enum {
  CAPRA_PIPELINE_ERROR_SYNTAX,
  CAPRA_PIPELINE_ERROR_UNKNOWN,
  CAPRA_PIPELINE_ERROR_OPERATION,
  CAPRA_PIPELINE_ERROR_VALUE,
  CAPRA_PIPELINE_ERROR_BRANCH,
  CAPRA_PIPELINE_ERROR_FILE,
  CAPRA_PIPELINE_ERROR_FAILED,
} CapraPipelineError;

G_END_DECLS
