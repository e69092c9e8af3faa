/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Quirks: reads a file of entries. */
#pragma once

#include "runtime/device/quirks.h"

G_BEGIN_DECLS

void capra_quirk_free (CapraQuirk *quirk);

/* The entries of @text (g_ptr_array_unref). Those with an error are left out; a message with the line is added to
 * @complaints for each error. @path: for the messages; @file: (nullable): of the entries. */
GPtrArray *capra_quirks_parse (const char *text, const char *path, const char *file, GPtrArray *complaints);

G_END_DECLS
