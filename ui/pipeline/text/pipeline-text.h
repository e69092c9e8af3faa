/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-text: steps from text that a user has copied, XML or a command. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns: (transfer full) (nullable) (element-type CapraStep): the steps, or %NULL with @error set */
GPtrArray *capra_steps_from_text (const char *text, GError **error);

G_END_DECLS
