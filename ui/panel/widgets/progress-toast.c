/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress-toast: the progress of a long task, with a button to cancel it. */
#include "ui/panel/widgets/progress-toast.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/widgets/preparation.h"

struct _CapraProgressToast {
  AdwToastOverlay *overlay;
  GCancellable *cancellable;
  AdwToast *toast; /* NULL until it is shown */
};

CapraProgressToast *
capra_progress_toast_new (AdwToastOverlay *overlay, GCancellable *cancellable)
{
  CapraProgressToast *toast = g_new0 (CapraProgressToast, 1);

  toast->overlay = g_object_ref (overlay);
  toast->cancellable = g_object_ref (cancellable);
  return toast;
}

void
capra_progress_toast_free (CapraProgressToast *toast)
{
  if (toast->toast)
    {
      g_signal_handlers_disconnect_by_data (toast->toast, toast->cancellable);
      adw_toast_dismiss (toast->toast);
      g_object_unref (toast->toast);
    }
  g_object_unref (toast->cancellable);
  g_object_unref (toast->overlay);
  g_free (toast);
}

void
capra_progress_toast_show (CapraProgressToast *toast, const char *text)
{
  const char *preparation = capra_preparation_get_message ();
  g_autofree char *escaped = g_markup_escape_text (preparation ? preparation : text, -1); /* titles are markup */

  if (!toast->toast)
    {
      toast->toast = g_object_ref (adw_toast_new (escaped));
      adw_toast_set_timeout (toast->toast, 0);
      adw_toast_set_button_label (toast->toast, _ ("_Cancel"));
      g_signal_connect_swapped (toast->toast, "button-clicked", G_CALLBACK (g_cancellable_cancel), toast->cancellable);
      adw_toast_overlay_add_toast (toast->overlay, g_object_ref (toast->toast));
    }
  adw_toast_set_title (toast->toast, escaped);
}
