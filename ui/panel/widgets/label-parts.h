/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Label-parts: labels whose lines end between parts of their text, never inside one. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Shows @text, whose lines end only where its parts are separated by two blanks. */
void capra_label_set_parts (GtkLabel *label, const char *text);

G_END_DECLS
