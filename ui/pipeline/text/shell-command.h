/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell-command: a whole command line that applies steps to a file. */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/**
 * CapraCommandFiles:
 * @input: (type filename): the image
 * @output: (type filename): for the result
 * @tables: (type filename): for the tables of steps that measure
 * @dataset: (nullable): of the input
 * @frame: of the input, from 0; -1 if it is read as one image
 */
typedef struct {
  const char *input, *output, *tables, *dataset;
  gint64 frame;
} CapraCommandFiles;

/**
 * capra_steps_to_shell_command:
 * @image: the input
 * @labels: whether the result consists of labels (see capra_find_labels_async())
 *
 * `gegl INPUT -o OUTPUT -- …`, or `capra run INPUT -o OUTPUT -- …` where the program gegl would change numbers or lose
 * tables: it has colors of 8 or 16 bits in the sRGB space only, reads the first image of a file, and scales the numbers
 * of regions.
 *
 * Returns: (transfer full): a line for a POSIX shell, in UTF-8
 */
char *capra_steps_to_shell_command (GPtrArray *steps, GeglBuffer *image, gboolean labels,
                                    const CapraCommandFiles *files);

G_END_DECLS
