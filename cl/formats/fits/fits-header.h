/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS header: the keywords of an image, with their values and comments. */
#pragma once

#include "formats/format-error.h"

G_BEGIN_DECLS

/**
 * CapraFitsCard:
 * @name: the keyword, in upper case; "COMMENT", "HISTORY" or "" for commentary
 * @value: its value as in the file, a string without its quotes; the text of commentary
 * @comment: (not nullable): the comment, which may be empty
 * @is_string: whether the value is a string
 *
 * All texts are valid UTF-8.
 */
typedef struct {
  const char *name, *value, *comment;
  gboolean is_string;
} CapraFitsCard;

/**
 * CapraFitsHeader:
 *
 * Reference-counted and, once made, never modified: any thread may use it.
 */
typedef struct _CapraFitsHeader CapraFitsHeader;

/**
 * capra_fits_header_new:
 * @records: cards of 80 characters one after the other, without separators; the last may be shorter
 * @length: the number of characters of @records, -1 if it ends with a NUL
 *
 * Reads cards up to the card END, or the end of @records. Strings that are continued on further cards (CONTINUE) become
 * one value. Keywords that describe how a compressed image is stored are replaced by those of the image itself.
 *
 * Returns: (transfer full): a new header
 */
CAPRA_API
CapraFitsHeader *capra_fits_header_new (const char *records, gssize length);
CAPRA_API
CapraFitsHeader *capra_fits_header_ref (CapraFitsHeader *header);
CAPRA_API
void capra_fits_header_unref (CapraFitsHeader *header);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraFitsHeader, capra_fits_header_unref)

CAPRA_API
guint capra_fits_header_get_n_cards (CapraFitsHeader *header);
CAPRA_API
const CapraFitsCard *capra_fits_header_get_card (CapraFitsHeader *header, guint index);

/**
 * capra_fits_header_get_text:
 * @name: a keyword, in upper case
 *
 * Returns: (nullable): the value of the first card with this keyword as text; %NULL if there is none or it is empty
 */
CAPRA_API
const char *capra_fits_header_get_text (CapraFitsHeader *header, const char *name);

/**
 * capra_fits_header_get_double:
 * @value: (out): set only on success
 *
 * Returns: whether the header has the keyword, with a finite number as its value
 */
CAPRA_API
gboolean capra_fits_header_get_double (CapraFitsHeader *header, const char *name, double *value);

/**
 * capra_fits_header_to_string:
 *
 * Returns: (transfer full): the cards as text, a line each: "NAME    = value / comment"
 */
CAPRA_API
char *capra_fits_header_to_string (CapraFitsHeader *header);

G_END_DECLS
