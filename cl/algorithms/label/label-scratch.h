/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Memory for the steps of labeling. Private. */
#pragma once

#include "runtime/memory/array-internal.h"

G_BEGIN_DECLS

static inline gsize
capra_label_divide (gsize a, gsize b)
{
  return (a + b - 1) / b;
}

/* An array for at least @count numbers, with undefined contents. */
CapraArray *capra_label_scratch (CapraContext *context, gsize count, CapraType type, GError **error);

G_END_DECLS
