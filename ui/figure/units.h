/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units: units and names of columns from files, as text for an axis. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @unit: (nullable): such as "JY/BEAM", "Jy beam-1" or "counts". Returns: (nullable): Pango's markup */
char *capra_units_to_markup (const char *unit);

/* The title of an axis for the name of a column as pyFAI writes it, such as "q_nm^-1"; other names are returned as they
 * are. Returns: Pango's markup */
char *capra_units_name_column (const char *name);

G_END_DECLS
