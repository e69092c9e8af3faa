/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the machine is idle, for checks in the background. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether at least half of the processors' time was free in the last second or since the last call, whichever is
 * longer. What processes of low priority use counts as free. FALSE at the first call. */
gboolean check_idle (void);

G_END_DECLS
