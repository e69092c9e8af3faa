/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress-toast: how far a long task is, over the window, with a button that ends it. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

typedef struct _CapraProgressToast CapraProgressToast;

/* Nothing is shown yet. */
CapraProgressToast *capra_progress_toast_new (AdwToastOverlay *overlay, GCancellable *cancellable);
/* The toast goes. */
void capra_progress_toast_free (CapraProgressToast *toast);

void capra_progress_toast_show (CapraProgressToast *toast, const char *text);

G_END_DECLS
