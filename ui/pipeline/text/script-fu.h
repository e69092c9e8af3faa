/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Script-fu: steps as a script for GIMP's Script-Fu. */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* Procedures are called differently. */
typedef enum {
  CAPRA_GIMP_2 = 2,
  CAPRA_GIMP_3 = 3,
} CapraGimpVersion;

/**
 * capra_steps_to_script_fu:
 * @input: (nullable) (type filename): the image; %NULL for the image that was opened last in GIMP
 * @output: (nullable) (type filename): a PNG for the result; unused without @input
 *
 * A script that applies the steps by the plug-in's procedure. Names of files that are not UTF-8 cannot be written: they
 * are replaced by what GLib shows for them.
 */
char *capra_steps_to_script_fu (GPtrArray *steps, const char *input, const char *output, CapraGimpVersion version);

G_END_DECLS
