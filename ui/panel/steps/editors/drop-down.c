/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drop-down: the drop-down of editors. */
#include "ui/panel/steps/editors/drop-down.h"

#include "ui/panel/widgets/ellipsis.h"

#define LONG_LABEL 22 /* characters: longer ones do not fit beside the property's name */

GtkDropDown *
capra_drop_down_add (CapraEditor *editor, const char *const *labels)
{
  GtkWidget *drop_down = gtk_drop_down_new_from_strings (labels);
  gboolean wide = FALSE;

  capra_drop_down_ellipsize (GTK_DROP_DOWN (drop_down));
  for (guint i = 0; labels[i]; i++)
    wide |= g_utf8_strlen (labels[i], -1) > LONG_LABEL;
  gtk_widget_set_valign (drop_down, GTK_ALIGN_CENTER);
  if (wide)
    capra_editor_add_below (editor, drop_down);
  else
    capra_editor_add_beside (editor, drop_down);
  capra_editor_set_control (editor, drop_down);
  return GTK_DROP_DOWN (drop_down);
}
