/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmless: whether steps from an unknown origin only process pixels. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* FALSE with @error set if one of @steps (of CapraStep) writes files or runs other operations. */
gboolean capra_steps_check_harmless (GPtrArray *steps, GError **error);

G_END_DECLS
