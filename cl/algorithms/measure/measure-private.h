/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measure: what measure.c and the variants share. Private. */
#pragma once

#include "algorithms/measure/measure.h"
#include "runtime/launch/launch.h"

G_BEGIN_DECLS

typedef struct _CapraMeasureVariant CapraMeasureVariant;

/* What one device does in a call of capra_measure_bands(). */
typedef struct {
  CapraContext *context;
  const CapraBandSource *label_bands;  /* the rows that it measures */
  const CapraBandSource *value_bands;  /* NULL without intensities */
  gsize top;                           /* the first of these rows in the image */
  gsize band;                          /* the one that is loaded, if there are labels */
  CapraArray *labels, *values, *lists; /* of that band */
  CapraType type;                      /* of the values */
  const CapraMeasureVariant *variant;
  char *options;   /* the kernels' macros */
  gsize parameter; /* rows of a strip, or work-items a group, as the variant uses it */
  CapraArray *table;
  guint row_words;                /* of the table */
  const guint32 *original_labels; /* of the labels 1, 2, …, if they were renumbered; else NULL */
  int origin_x, origin_y;
} CapraMeasurement;

/**
 * CapraMeasureVariant:
 * @name: as tunings name it ("measure.variant")
 * @program: the program of both passes
 * @configure: sets the parameter and appends the variant's macros to the options
 * @list: (nullable): writes what both passes need besides the images, and clears the table, if there is one
 * @run_pass: runs a pass whose common arguments are set; the lists are what @list returned
 */
struct _CapraMeasureVariant {
  const char *name, *program;
  void (*configure) (CapraMeasurement *measurement, GString *options);
  CapraArray *(*list) (const CapraMeasurement *measurement, CapraArray *table, GError **error);
  gboolean (*run_pass) (const CapraMeasurement *measurement, CapraLaunch *launch, GError **error);
};

extern const CapraMeasureVariant capra_measure_strips, capra_measure_blocks;

/* Adds the table @more, of the @rows first rows, to @all: the shapes, or the sums if @sums. */
void capra_measure_join_tables (guint32 *all, const guint32 *more, gsize rows, guint row_words, gboolean sums);

/* Converts the @n rows of a table that begin with label @first, and appends them to @regions. Labels without pixels
 * are left out. */
void capra_measure_append_rows (GArray *regions, const CapraMeasurement *measurement, const guint32 *row, guint32 first,
                                guint32 n);

G_END_DECLS
