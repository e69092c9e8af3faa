/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Label-parts: labels whose lines end between parts of their text. */
#include "ui/panel/widgets/label-parts.h"

#include <string.h>

void
capra_label_set_parts (GtkLabel *label, const char *text)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  for (const char *part = text; *part;)
    {
      const char *separator = strstr (part, "  "), *end = separator ? separator : part + strlen (part);
      PangoAttribute *whole = pango_attr_allow_breaks_new (FALSE);

      whole->start_index = part - text;
      whole->end_index = end - text;
      pango_attr_list_insert (attributes, whole);
      part = end + strspn (end, " ");
    }
  gtk_label_set_attributes (label, attributes);
  gtk_label_set_text (label, text);
}
