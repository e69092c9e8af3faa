/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-forecast: prints the memory that a batch will need, without processing it. */
#pragma once

#include "ui/cli/run/batch.h"

G_BEGIN_DECLS

/* Prints a line for each image of the batch to standard output. FALSE if one cannot be read; prints the error. */
gboolean run_forecast_print (const RunBatch *batch);

G_END_DECLS
