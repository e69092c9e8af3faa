/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts for GIMP's Script-Fu that call the plug-in on an image file. */
#pragma once

#include "tests/hosts/gimp.h"

G_BEGIN_DECLS

#define BOX "<gegl><node operation='capra:box-blur'><params><param name='radius'>4</param></params></node></gegl>"

/* A script that loads a file as `image` with `layer`, runs @body and exports the layer. For GIMP 3 the script catches
 * errors, since GIMP 3 does not run the scripts after one that failed. */
char *gimp_script_make (const char *input, const char *output, const char *body);

/* Runs a script. GIMP's exit status does not depend on scripts, so the files and the output are checked.
 * gimp_script_run_log() returns GIMP's standard error. */
void gimp_script_run (const char *input, const char *output, const char *body);
char *gimp_script_run_log (const char *input, const char *output, const char *body);

/* The call that opens the panel on the layer. */
const char *gimp_script_get_panel (void);
/* The call of the plug-in's procedure with the steps @xml. */
char *gimp_script_apply (const char *xml);

G_END_DECLS
