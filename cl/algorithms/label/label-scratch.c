/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Memory for the steps of labeling. */
#include "algorithms/label/label-scratch.h"

CapraArray *
capra_label_scratch (CapraContext *context, gsize count, CapraType type, GError **error)
{
  /* Two dimensions, since the size of one is limited to 2^31 - 1. */
  gsize width = CLAMP (count, 1, 4096);
  CapraShape shape = CAPRA_SHAPE_2D (width, MAX (capra_label_divide (count, width), 1), type);

  return capra_array_new_uninitialized (context, &shape, error);
}
