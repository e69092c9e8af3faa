/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-timings: where the time of the last view went, over the image. */
#include "capra.h"
#include "ui/panel/preview/timing-overlay.h"
#include "ui/panel/window/window-private.h"

/* How much was recorded up to now. */
static guint64
count_records (void)
{
  guint64 count = 0;

  capra_timeline_total (NULL, NULL, &count, NULL);
  return count;
}

void
capra_panel_window_start_timing (CapraPanelWindow *self)
{
  self->changed_at = g_get_monotonic_time ();
  self->records_before = count_records ();
  self->timed = FALSE;
}

/* Once for each change, when the view is whole: what is computed later lies out of view. */
void
capra_panel_window_finish_timing (CapraPanelWindow *self, const CapraPreviewStatus *status)
{
  g_autoptr (GArray) records = NULL;
  g_autoptr (CapraRun) run = NULL;

  if (self->timed || !status->complete || status->final_ms < 0.0)
    return;
  self->timed = TRUE;
  if (count_records () < self->records_before)
    self->records_before = 0; /* someone began anew */
  records = capra_timeline_records (self->records_before);
  if (records->len > 0)
    run = capra_run_new (records, status->final_ms);
  capra_timing_overlay_set_run (CAPRA_TIMING_OVERLAY (self->timing_overlay), run);
}
