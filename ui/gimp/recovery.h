/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recovery: the steps of an open panel in the user's state folder, for the next panel if GIMP ends before this one. */
#pragma once

#include "ui/panel/window/window.h"

G_BEGIN_DECLS

typedef struct _CapraRecovery CapraRecovery;

/**
 * capra_recovery_new:
 * @initial: (nullable): the window's steps at the beginning, as XML, which are not kept
 *
 * Offers the steps of a panel that has not been closed.
 */
CapraRecovery *capra_recovery_new (CapraPanelWindow *window, const char *initial);
/* Writes the steps of the window if they have changed. It must be open. */
void capra_recovery_update (CapraRecovery *recovery);
/* The window is closed. @keep: whether its steps are still needed, because they are not kept with a layer */
void capra_recovery_free (CapraRecovery *recovery, gboolean keep);

G_END_DECLS
