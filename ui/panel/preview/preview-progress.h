/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview-progress: a progress bar over the picture while it is rendered, and a spinner before the first picture. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/preview/preview-status.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_PREVIEW_PROGRESS (capra_preview_progress_get_type ())
G_DECLARE_FINAL_TYPE (CapraPreviewProgress, capra_preview_progress, CAPRA, PREVIEW_PROGRESS, GtkWidget)

/* Another image is shown from now on. */
void capra_preview_progress_reset (CapraPreviewProgress *progress);
/* @elapsed: microseconds since the last change; quick changes show nothing. */
void capra_preview_progress_update (CapraPreviewProgress *progress, const CapraPreviewStatus *status, gint64 elapsed);

G_END_DECLS
