/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panel: the panel on a drawable, independent of GIMP's version.
 *
 * This is a module, because loading and starting GTK takes time and memory that only the panel needs. */
#include "ui/gimp/panel.h"

#include <glib/gi18n-lib.h>

#include "ui/gimp/apply.h"
#include "ui/gimp/host.h"
#include "ui/panel/preview/preview.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/gegl-start.h"
#include "ui/pipeline/text/pipeline-xml.h"

#define CHECK_INTERVAL 500 /* ms: checks whether the drawable still exists */

typedef struct {
  int drawable;
  CapraPanelWindow *window; /* NULL once it is closed */
  char *applying, *applied; /* as XML */
  gboolean effects;         /* the steps are added as effects */
  gboolean lost;            /* the drawable no longer exists */
} Session;

static void
on_progress (double fraction, gpointer data)
{
  Session *session = data;

  capra_panel_window_set_progress (session->window, fraction);
}

static void
finish (Session *session, const GError *error)
{
  if (!error)
    session->applied = g_steal_pointer (&session->applying);
  g_clear_pointer (&session->applying, g_free);
  capra_panel_window_finish_apply (session->window, error);
}

static void
on_applied (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  capra_apply_finish (result, &error);
  finish (data, error);
}

static void
on_apply (CapraPanelWindow *window, GPtrArray *steps, CapraPanelApplyMode mode, GCancellable *cancellable,
          gpointer data)
{
  Session *session = data;

  session->applying = capra_steps_to_xml (steps);
  session->effects = mode == CAPRA_PANEL_APPLY_EFFECTS;
  if (session->effects)
    {
      g_autoptr (GError) error = NULL;

      capra_host_add_effects (session->drawable, steps, &error);
      finish (session, error);
      return;
    }
  capra_apply_async (session->drawable, steps, cancellable, on_progress, session, on_applied, session);
}

/* The user can delete the layer in GIMP while the panel is open, and restore it by undo. */
static gboolean
on_check (gpointer data)
{
  Session *session = data;
  g_autoptr (GError) error = NULL;
  gboolean lost = !capra_host_check (session->drawable, &error)
                  && g_error_matches (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_GONE);

  if (session->window && lost != session->lost)
    capra_panel_window_set_lost (session->window, lost ? error->message : NULL);
  session->lost = lost;
  return G_SOURCE_CONTINUE;
}

/* With the timestamp of the user event, the window manager brings the window to the front. */
static void
set_user_time (void)
{
  guint32 time = capra_host_get_user_time ();
  g_autofree char *id = g_strdup_printf ("capra_TIME%u", time);

  if (time != 0)
    g_setenv ("DESKTOP_STARTUP_ID", id, TRUE);
}

static CapraPanelApplication *
make_application (GError **error)
{
  g_autoptr (CapraPanelApplication) application = NULL;

  set_user_time ();
  if (!gtk_init_check ())
    {
      g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, _ ("Cannot open the panel: no display"));
      return NULL;
    }
  application = capra_panel_application_new ();
  /* An instance of the application must not delegate to GIMP's process, or the reverse. */
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  if (!g_application_register (G_APPLICATION (application), NULL, error))
    return NULL;
  g_action_map_remove_action (G_ACTION_MAP (application), "new-window");
  return g_steal_pointer (&application);
}

gboolean
capra_gimp_panel_run (int drawable, char **xml, gboolean *effects, GError **error)
{
  Session session = { .drawable = drawable };
  g_autoptr (CapraPanelApplication) application = NULL;
  g_autoptr (GeglBuffer) pixels = NULL;
  g_autoptr (GPtrArray) steps = NULL;
  g_autofree char *title = NULL;
  guint timer = 0;

  capra_gegl_start ();
  pixels = capra_apply_read (drawable, error);
  if (!pixels || !(application = make_application (error)))
    return FALSE;
  title = capra_host_describe (drawable);
  session.window = capra_panel_window_new (GTK_APPLICATION (application), pixels, title, on_apply, &session);
  g_object_add_weak_pointer (G_OBJECT (session.window), (gpointer *) &session.window);
  if (capra_host_has_effects ())
    capra_panel_window_offer_effects (session.window);
  steps = **xml ? capra_steps_from_xml (*xml, NULL) : NULL;
  if (steps)
    capra_step_model_replace (capra_panel_window_get_pipeline (session.window), steps);
  gtk_window_present (GTK_WINDOW (session.window));
  timer = g_timeout_add (CHECK_INTERVAL, on_check, &session);
  while (session.window)
    g_main_context_iteration (NULL, TRUE);
  gdk_display_flush (gdk_display_get_default ()); /* closes the window before GIMP continues */
  g_source_remove (timer);
  if (!session.applied)
    return FALSE;
  g_free (*xml);
  *xml = session.applied;
  *effects = session.effects;
  return TRUE;
}

/* GEGL must not be shut down while a worker uses it. */
void
capra_gimp_panel_quit (void)
{
  capra_preview_wait_for_workers ();
}
