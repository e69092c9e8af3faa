/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell-quote: words of a command line for a POSIX shell. */
#include "ui/pipeline/text/shell-quote.h"

#include <string.h>

#define SPECIAL " \t\n'\"\\$`*?[]()<>|&;#~!{}^"

/* The format of printf(1) for any bytes. */
static char *
quote_bytes (const char *word)
{
  GString *text = g_string_new ("\"$(printf '");

  for (const char *c = word; *c; c++)
    if (g_ascii_isalnum (*c) || strchr ("/._-+=,:@ ", *c))
      g_string_append_c (text, *c);
    else
      g_string_append_printf (text, "\\%03o", (guint) (guchar) *c);
  g_string_append (text, "')\"");
  return g_string_free (text, FALSE);
}

char *
capra_shell_quote (const char *word)
{
  if (!g_utf8_validate (word, -1, NULL))
    return quote_bytes (word);
  return !*word || strpbrk (word, SPECIAL) ? g_shell_quote (word) : g_strdup (word);
}
