/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the variants of labelling share. Private. */
#pragma once

#include "algorithms/label/label.h"
#include "runtime/launch/launch.h"

G_BEGIN_DECLS

/* What every step needs to know. */
typedef struct {
  CapraContext *context;
  CapraArray *input;
  guint32 width, height;
  guint span;      /* lines that make a strip: 2 for 8-connectivity, 1 for 4 */
  gboolean filter; /* whether regions may be left out */
  gboolean edges;  /* … because they touch the image's edge */
  guint32 min_size, max_size;
  char *pack_options; /* macros for packing */
  char *options;      /* … for other kernels */
  CapraArray *labels; /* the result */
  CapraArray *count;  /* of one number */
} CapraLabelWork;

static inline gsize
capra_label_divide (gsize a, gsize b)
{
  return (a + b - 1) / b;
}

/* An array with room for @count numbers, however many, undefined contents. */
CapraArray *capra_label_scratch (const CapraLabelWork *work, gsize count, CapraType type, GError **error);

/* The variants fill in the labels and the count. */
gboolean capra_label_runs (const CapraLabelWork *work, GError **error);
gboolean capra_label_blocks (const CapraLabelWork *work, GError **error);

G_END_DECLS
