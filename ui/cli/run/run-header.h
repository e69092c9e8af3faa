/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-header: the keywords of the FITS file that a graph reads, as text. */
#pragma once

#include "ui/cli/run/run-graph.h"

G_BEGIN_DECLS

/* The file that is read for @input (nullable), or else the first one that the graph loads; (nullable). */
char *run_header_find_file (const char *input, RunGraph *graph);

/* The keywords of this file, a line each; (nullable): %NULL if it is not a FITS file. */
char *run_header_read (const char *input, RunGraph *graph);

G_END_DECLS
