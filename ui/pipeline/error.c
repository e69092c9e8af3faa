/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error: the error domain of pipelines, their text and their files. */
#include "ui/pipeline/error.h"

GQuark
capra_pipeline_error_quark (void)
{
  return g_quark_from_static_string ("capra-pipeline-error-quark");
}
