/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the machine and a device are idle, for checks in the background. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether at least half of the processors' time was free in the last second or since the last call, whichever is
 * longer. What processes of low priority use counts as free. FALSE at the first call. */
gboolean check_idle (void);

/* Whether kernels of all programs have run for less than half of the last sample period, a second or less, on the card
 * with the id @id of a device. TRUE for devices of which nothing is known. */
gboolean check_idle_card (const char *id);

G_END_DECLS
