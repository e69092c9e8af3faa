/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-names: the names of files that a batch writes, from a pattern. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether @pattern gives each input a name of its own. */
gboolean run_name_varies (const char *pattern);

/**
 * run_name_expand:
 * @pattern: "{name}" stands for the input's name without folder and ending, "{n}" for its number
 * @input: (nullable)
 * @number: from 1
 * @count: of all inputs: numbers get as many digits as it has
 */
char *run_name_expand (const char *pattern, const char *input, guint number, guint count);

/**
 * run_names_outputs:
 * @output: a file, a pattern, or a folder, which gets files named like the inputs, and is made if it is missing
 * @suffixes: endings that can be written
 *
 * Returns: (transfer full): the output of each input (of one, if there is none), or %NULL with @error
 *   set if two inputs would be written to one file, or the folder cannot be made
 */
GStrv run_names_outputs (const char *output, char **inputs, const char *const *suffixes, GError **error);

G_END_DECLS
