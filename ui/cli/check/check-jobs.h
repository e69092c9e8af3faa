/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a check runs: kernel families, each with the variants that are tried. */
#pragma once

#include "ui/cli/check/check-run.h"

G_BEGIN_DECLS

/**
 * CheckJob:
 * @variant: (nullable): the tuning that is tried; %NULL for the one that operations use
 */
typedef struct {
  const CheckFamily *family;
  const char *variant;
} CheckJob;

/* The jobs of the families that match @selection (nullable), globs separated by commas; with @full also those of large
 * buffers and variants that the tuning does not choose. */
GArray *check_jobs_list (const char *selection, gboolean full);

/* The first glob of @selection that matches no family, or NULL. */
char *check_jobs_find_unmatched (const char *selection, gboolean full);

G_END_DECLS
