/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the files that a batch writes, from a pattern. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether @pattern gives a different name for each input. */
gboolean run_name_varies (const char *pattern);

/**
 * run_name_expand:
 * @pattern: "{name}" is replaced by the input's name without folder and suffix, "{n}" by its number
 * @input: (nullable)
 * @number: from 1
 * @count: the number of inputs; numbers are padded to as many digits as it has
 */
char *run_name_expand (const char *pattern, const char *input, guint number, guint count);

/**
 * run_names_outputs:
 * @output: a file, a pattern, or a folder, which is created if necessary, for files named like the inputs
 * @suffixes: of the formats that can be written
 *
 * Returns: (transfer full): the output of each input (one name if @inputs is empty), or %NULL with @error
 *   set if two inputs would be written to one file, or the folder cannot be created
 */
GStrv run_names_outputs (const char *output, char **inputs, const char *const *suffixes, GError **error);

G_END_DECLS
