/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synonyms: other words by which people search for operations. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Words for the operation @name, such as "capra:threshold", in English and in the user's language (g_free). */
char *capra_synonyms_get (const char *name);

/* Those of the words that say what the operation is used for, such as "smooth" for a blur (g_free). */
char *capra_synonyms_get_purposes (const char *name);

G_END_DECLS
