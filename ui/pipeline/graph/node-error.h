/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Node error: the failure that a Capra operation publishes in its properties. */
#pragma once

#include <gegl.h>

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* (nullable) (transfer full): the last failure of the operation of @node, from its properties "error", "error-code" and
 * "error-device"; %NULL after success, and for operations without these properties. */
CapraStepError *capra_node_get_error (GeglNode *node);

G_END_DECLS
