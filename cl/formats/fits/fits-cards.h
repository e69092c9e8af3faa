/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS cards: headers as they are in the file, and integers of them. Not installed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CapraFitsHeader CapraFitsHeader; /* fits-header.h */

/* As capra_fits_header_new(), but keeps the keywords of a table with a compressed image. */
CapraFitsHeader *capra_fits_header_new_stored (const char *records, gssize length);

/* Sets @value to the integer of the keyword @name followed by the number @index (none if it is 0). FALSE if it is
 * missing or not an integer of 64 bits. */
gboolean capra_fits_header_get_integer (CapraFitsHeader *header, const char *name, guint index, gint64 *value);

/* Whether the value of @name is T. */
gboolean capra_fits_header_is_true (CapraFitsHeader *header, const char *name);

G_END_DECLS
