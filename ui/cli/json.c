/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands share that print JSON. */
#include <stdio.h>

#include "ui/cli/json.h"

void
json_print_string (const char *key, const char *value)
{
  printf ("\"%s\": \"", key);
  for (const char *c = value; *c; c++)
    if (*c == '"' || *c == '\\')
      printf ("\\%c", *c);
    else if ((unsigned char) *c < 0x20)
      printf ("\\u%04x", *c);
    else
      putchar (*c);
  putchar ('"');
}
