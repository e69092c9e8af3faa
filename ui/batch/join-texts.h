/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Join-texts: attributes of HDF5 objects with texts. */
#pragma once

#include <glib.h>
#include <hdf5.h>

G_BEGIN_DECLS

/* Returns: (transfer full) (nullable): the texts of the attribute @name, at least one; %NULL if it is missing or
 * something else */
GStrv capra_join_texts_read (hid_t object, const char *name);

G_END_DECLS
