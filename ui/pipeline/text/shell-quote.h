/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell-quote: words of a command line for a POSIX shell. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @word: (type filename): quoted only if it contains special characters of shells. The result is UTF-8, so that it can
 * be copied as text; names that are not UTF-8 become "$(printf …)". */
char *capra_shell_quote (const char *word);

G_END_DECLS
