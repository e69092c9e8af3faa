/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel in a host such as GIMP: applying, progress, canceling, an image that is deleted. */
#include <gegl.h>

#include "ui/panel/window/application.h"
#include "tests/panel/shot.h"
#include "ui/panel/window/window.h"

/* A host that applies at once, unless it waits, and may fail. */
typedef struct {
  guint steps, calls;
  CapraPanelApplyMode mode;
  gboolean waits;
  GCancellable *cancellable;
  GError *error;
} Host;

static void
on_apply (CapraPanelWindow *window, GPtrArray *steps, CapraPanelApplyMode mode, GCancellable *cancellable,
          gpointer data)
{
  Host *host = data;

  host->steps = steps->len;
  host->mode = mode;
  host->cancellable = cancellable;
  host->calls++;
  capra_panel_window_set_progress (window, 0.5);
  if (!host->waits)
    capra_panel_window_finish_apply (window, host->error);
}

/* Applying, a lost image, and closing while the host is applying. */
static void
test_host (void)
{
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (GEGL_RECTANGLE (-20, 10, 300, 200), babl_format ("RGBA float"));
  Host host = { .error = g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "Not today") };
  CapraPanelWindow *window = capra_panel_window_new (NULL, buffer, "Layer", on_apply, &host);
  GtkWidget *widget = GTK_WIDGET (window);
  g_autoptr (CapraStep) step = capra_step_new ("gegl:invert-gamma");
  gpointer gone = window;

  g_object_add_weak_pointer (G_OBJECT (window), &gone);
  capra_panel_window_offer_effects (window);
  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (gtk_widget_get_mapped (widget));
  shot_assert_mnemonics (widget);
  gtk_widget_activate_action (widget, "win.save", NULL);
  g_assert_cmpuint (host.calls, ==, 0); /* no steps */
  capra_step_model_insert (capra_panel_window_get_pipeline (window), step, -1);

  gtk_widget_activate_action (widget, "win.save", NULL);
  g_assert_cmpuint (host.steps, ==, 1);
  g_assert_cmpint (host.mode, ==, CAPRA_PANEL_APPLY_PIXELS);
  g_assert_nonnull (shot_find_label (widget, "Not today"));
  g_clear_error (&host.error);

  capra_panel_window_set_lost (window, "The layer has gone");
  gtk_widget_activate_action (widget, "win.save", NULL);
  g_assert_cmpuint (host.calls, ==, 1);
  g_assert_nonnull (shot_find_label (widget, "The layer has gone"));
  capra_panel_window_set_lost (window, NULL);

  host.waits = TRUE;
  gtk_widget_activate_action (widget, "win.apply-effects", NULL);
  g_assert_cmpint (host.mode, ==, CAPRA_PANEL_APPLY_EFFECTS);
  gtk_widget_activate_action (widget, "win.save", NULL);
  g_assert_cmpuint (host.calls, ==, 2); /* not while the host is applying */
  gtk_window_close (GTK_WINDOW (window));
  SHOT_WAIT_FOR (g_cancellable_is_cancelled (host.cancellable));
  g_cancellable_set_error_if_cancelled (host.cancellable, &host.error);
  g_assert_nonnull (gone);
  capra_panel_window_finish_apply (window, host.error);
  SHOT_WAIT_FOR (!gone);
  g_clear_error (&host.error);
  capra_preview_wait_for_workers ();
}

/* babl names palettes, and formats with a color space, by their address; the title must not show that. */
static void
test_header (void)
{
  const Babl *trc = babl_trc_gamma (2.1);
  const Babl *space = babl_space_from_chromaticities ("capra-test", 0.3127, 0.3290, 0.64, 0.34, 0.21, 0.71, 0.15, 0.06,
                                                      trc, trc, trc, 0);
  const Babl *formats[] = { NULL, NULL, babl_format_with_space ("R'G'B' u8", space) };
  const char *const texts[] = { "20 × 10, indexed colors", "20 × 10, indexed colors, transparency",
                                "20 × 10, RGB, 8 bits" };

  babl_new_palette (NULL, &formats[0], &formats[1]);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GeglBuffer) buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 20, 10), formats[i]);
      CapraPanelWindow *window = capra_panel_window_new (NULL, buffer, "Layer", NULL, NULL);
      GtkWidget *label = NULL;

      gtk_window_present (GTK_WINDOW (window));
      label = shot_find_label (GTK_WIDGET (window), "20 × 10");
      g_assert_nonnull (label);
      g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, texts[i]);
      shot_close (GTK_WIDGET (window));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* GEGL and GTK's theme warn of what they miss on this machine. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/panel/host", test_host);
  g_test_add_func ("/panel/header", test_header);
  return g_test_run ();
}
