/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host-apply: state of applying the steps to a host's image. */
#pragma once

#include "ui/panel/widgets/task-button.h"

G_BEGIN_DECLS

/**
 * CapraHostApply:
 *
 * Property "available" (boolean, read-only): whether steps can be applied: the host has an image and is not applying.
 */
#define CAPRA_TYPE_HOST_APPLY (capra_host_apply_get_type ())
G_DECLARE_FINAL_TYPE (CapraHostApply, capra_host_apply, CAPRA, HOST_APPLY, GObject)

/* @tasks: shows the progress. */
CapraHostApply *capra_host_apply_new (CapraTaskButton *tasks);

gboolean capra_host_apply_get_available (CapraHostApply *apply);
/* @lost: whether the host's image no longer exists. */
void capra_host_apply_set_lost (CapraHostApply *apply, gboolean lost);

/* (transfer none): canceled when the user cancels applying. */
GCancellable *capra_host_apply_begin (CapraHostApply *apply);
void capra_host_apply_set_progress (CapraHostApply *apply, double fraction);
/* Returns: whether closing the window was requested meanwhile */
gboolean capra_host_apply_end (CapraHostApply *apply);
/* Returns: whether closing has to wait for the host; then applying is canceled */
gboolean capra_host_apply_delay_close (CapraHostApply *apply);

G_END_DECLS
