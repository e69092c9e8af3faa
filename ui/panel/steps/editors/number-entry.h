/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number-entry: a spin button that displays large numbers as 1e+10 and the maximum as ∞. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/steps/editors/number-range.h"

G_BEGIN_DECLS

/**
 * capra_number_entry_new:
 * @integer: whether the property holds integers
 * @width: in characters
 *
 * Returns: a GtkSpinButton over all valid values
 */
GtkWidget *capra_number_entry_new (const CapraNumberRange *range, gboolean integer, int width);

G_END_DECLS
