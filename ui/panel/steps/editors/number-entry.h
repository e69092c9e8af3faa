/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number-entry: a spin button that displays large numbers as 1e+10, and open ends of the range as ∞, and names the
 * range if a number is out of it. */
#pragma once

#include "ui/panel/steps/editors/editor.h"
#include "ui/panel/steps/editors/number-range.h"

G_BEGIN_DECLS

/**
 * capra_number_entry_new:
 * @editor: its value is set when the user changes the number
 * @width: in characters
 *
 * Returns: a GtkSpinButton over all valid values; subclasses of CapraEditor add it to the line
 */
GtkWidget *capra_number_entry_new (CapraEditor *editor, const CapraNumberRange *range, int width);

/* The user edited the value of a numeric property: capra_editor_take_value() for a number. */
void capra_number_entry_take (CapraEditor *editor, double number);

G_END_DECLS
