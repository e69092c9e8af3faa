/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress-toast: the progress of a long task, with a button to cancel it. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

typedef struct _CapraProgressToast CapraProgressToast;

/* Shows nothing yet. @cancellable: canceled by the toast's button. */
CapraProgressToast *capra_progress_toast_new (AdwToastOverlay *overlay, GCancellable *cancellable);
/* Dismisses the toast. */
void capra_progress_toast_free (CapraProgressToast *toast);

/* @text: the progress; while kernels are built, a message about that is shown instead. */
void capra_progress_toast_show (CapraProgressToast *toast, const char *text);

G_END_DECLS
