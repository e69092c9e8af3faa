/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Shared by the files of split arrays. */
#pragma once

#include "algorithms/split/split-array.h"

G_BEGIN_DECLS

/* Some rows of the whole image. */
typedef struct {
  gsize first, count;
} SplitRows;

typedef struct {
  CapraArray *array;
  SplitRows own, held;
} SplitPart;

struct _CapraSplitArray {
  CapraShape shape; /* of the whole image */
  guint margin;     /* of parts whose rows were copied; that of results is smaller */
  guint n;
  SplitPart parts[]; /* from top to bottom */
};

/* Without parts, with room for @n. */
CapraSplitArray *split_array_new (const CapraShape *shape, guint margin, guint n);

/* Ends a result of which up to @n parts were computed. Frees it and returns NULL if not @done. */
CapraSplitArray *split_array_end (CapraSplitArray *result, guint n, gboolean done);

/* The rows of the image that @rows need for a filter with this reach. */
SplitRows split_source_rows (const CapraShape *shape, SplitRows rows, guint reach, CapraBorder border);

G_END_DECLS
