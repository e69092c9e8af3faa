/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: what the variants get, and do. Private. */
#pragma once

#include "algorithms/label/label-options.h"
#include "runtime/launch/launch.h"

G_BEGIN_DECLS

/* One image that is labeled. */
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
  gboolean edges;     /* whether this is a part, whose labels are numbered again */
  CapraArray *count;  /* the number of regions; with edges also the labels of the first row and of the last one */
} CapraLabeling;

/* The numbers of the regions in a larger image, of which this one is a part: those of `changes` (label and number, in
 * rising order of labels), and for all others `base` more than the label, less the changes with smaller labels. */
typedef struct {
  CapraArray *changes; /* any array if `n` is 0 */
  guint32 n, base;
} CapraLabelNumbering;

/**
 * CapraLabelVariant:
 * @name: as tunings name it ("label.variant")
 * @find: finds the regions, and writes their count and the edges. Returns what @write needs, or %NULL with an error
 * @write: writes the labels; once
 */
typedef struct {
  const char *name;
  gpointer (*find) (const CapraLabeling *labeling, GError **error);
  gboolean (*write) (const CapraLabeling *labeling, gpointer found, const CapraLabelNumbering *numbering,
                     GError **error);
  void (*free) (gpointer found);
} CapraLabelVariant;

extern const CapraLabelVariant capra_label_runs, capra_label_blocks;

/* Adds the arguments that renumber() of label-numbering.clh gets. */
static inline void
capra_label_launch_numbering (CapraLaunch *launch, const CapraLabelNumbering *numbering)
{
  capra_launch_read (launch, numbering->changes);
  capra_launch_uint (launch, numbering->n);
  capra_launch_uint (launch, numbering->base);
}

G_END_DECLS
