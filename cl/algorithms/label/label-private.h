/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: what label.c passes to the variants. Private. */
#pragma once

#include "algorithms/label/label.h"
#include "runtime/launch/launch.h"

G_BEGIN_DECLS

/* One call of capra_label(). */
typedef struct {
  CapraContext *context;
  CapraArray *input;
  guint32 width, height;
  guint span;      /* lines of a band: 2 for 8-connectivity, 1 for 4 */
  gboolean filter; /* whether regions may be removed, by their size or because they touch the edge */
  gboolean exclude_edges;
  gboolean colors; /* whether the result is the colors of the labels */
  guint32 min_size, max_size;
  char *pack_options; /* macros of the kernels that read the mask */
  char *options;      /* macros of the other kernels */
  CapraArray *labels; /* the result; the array of colors has as many bytes as that of numbers */
  CapraArray *count;  /* the number of regions, on the device */
} CapraLabeling;

/**
 * CapraLabelVariant:
 * @name: as tunings name it ("label.variant")
 * @run: writes the labels and the count
 */
typedef struct {
  const char *name;
  gboolean (*run) (const CapraLabeling *labeling, GError **error);
} CapraLabelVariant;

extern const CapraLabelVariant capra_label_runs, capra_label_blocks;

G_END_DECLS
