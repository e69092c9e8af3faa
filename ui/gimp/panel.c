/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panel: the panel on a drawable, independent of GIMP's version.
 *
 * This is a module, because loading and starting GTK takes time and memory that only the panel needs. */
#include "ui/gimp/panel.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "ui/gimp/apply.h"
#include "ui/gimp/host.h"
#include "ui/gimp/recovery.h"
#include "ui/gimp/watch.h"
#include "ui/panel/preview/preview.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/gegl-start.h"
#include "ui/pipeline/steps/harmless.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/write/output-file.h"

#define CHECK_INTERVAL 1000 /* ms: checks whether the drawable still exists, and whether it has changed */
#define END_SECONDS 5       /* after which this process is killed if GIMP has ended */

typedef struct {
  int drawable;
  CapraPanelWindow *window; /* NULL once it is closed */
  CapraHostLayer *layer;
  CapraStepModel *pipeline;
  CapraWatch *watch;
  CapraRecovery *recovery;
  guint look;               /* compares the drawable at once, after the window was activated */
  char *initial;            /* steps at the beginning, as XML */
  gboolean offered;         /* kept steps were offered */
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
  capra_apply_async (session->drawable, steps, capra_host_layer_get_with_effects (session->layer), cancellable,
                     on_progress, session, on_applied, session);
}

/* (transfer full): the drawable as it is now, with all that decides how steps are applied. */
static GeglBuffer *
read_layer (Session *session, gboolean with_effects, GError **error)
{
  CapraLayerTarget target = { .n_effects = 0 };
  GeglBuffer *pixels = capra_apply_read (session->drawable, FALSE, error);
  g_autoptr (GeglBuffer) selection = NULL;

  if (!pixels)
    return NULL;
  selection = target.selection = capra_host_get_selection (session->drawable);
  target.components = capra_host_get_components (session->drawable);
  target.n_effects = capra_host_count_effects (session->drawable);
  target.with_effects = with_effects && target.n_effects > 0;
  g_clear_pointer (&session->watch, capra_watch_free);
  session->watch = capra_watch_new (session->drawable, pixels, selection);
  if (target.with_effects)
    {
      g_object_unref (pixels);
      pixels = capra_apply_read (session->drawable, TRUE, error);
    }
  if (pixels)
    capra_layer_target_mark (pixels, &target);
  return pixels;
}

static void
on_reload (CapraHostLayer *layer, gpointer data)
{
  Session *session = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GeglBuffer) pixels = read_layer (session, capra_host_layer_get_with_effects (layer), &error);
  g_autofree char *title = pixels ? capra_host_describe (session->drawable) : NULL;

  if (pixels)
    capra_host_layer_set_image (layer, pixels, title);
  else
    capra_panel_window_show_error (session->window, error->message);
}

/* Returns: whether there is more to compare */
static gboolean
compare (Session *session)
{
  gboolean over = TRUE;

  if (!session->window || session->lost || session->applying || !session->watch)
    return FALSE;
  if (capra_watch_check (session->watch, &over))
    capra_host_layer_set_outdated (session->layer);
  return !over;
}

/* The user can delete the layer in GIMP while the panel is open, and restore it by undo. If GIMP has ended, the first
 * call ends this process, too. */
static gboolean
on_check (gpointer data)
{
  Session *session = data;
  g_autoptr (GError) error = NULL;
  gboolean lost;

  if (session->window)
    capra_recovery_update (session->recovery);
  lost = !capra_host_check (session->drawable, &error)
         && g_error_matches (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_GONE);
  if (session->window && lost != session->lost)
    capra_panel_window_set_lost (session->window, lost ? error->message : NULL);
  session->lost = lost;
  compare (session);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_look (gpointer data)
{
  Session *session = data;

  if (!session->lost && capra_host_check (session->drawable, NULL) && compare (session))
    return G_SOURCE_CONTINUE;
  session->look = 0;
  return G_SOURCE_REMOVE;
}

/* The user comes back from GIMP. */
static void
on_active (GtkWindow *window, GParamSpec *property, gpointer data)
{
  Session *session = data;

  if (!gtk_window_is_active (window) || session->look || !session->watch)
    return;
  capra_watch_restart (session->watch);
  session->look = g_idle_add (on_look, session);
}

/* Keeps steps that were not applied with the drawable, for the next opening. Steps that were kept and not restored stay
 * until there are others. Returns: whether the drawable exists */
static gboolean
keep_steps (Session *session)
{
  gboolean restored = session->offered && !capra_host_layer_has_offer (session->layer);
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (session->pipeline);
  g_autofree char *xml = steps->len > 0 ? capra_steps_to_xml (steps) : NULL;

  if (!capra_host_check (session->drawable, NULL))
    return FALSE;
  if (session->applied)
    capra_host_keep_steps (session->drawable, NULL);
  else if (restored || g_strcmp0 (xml, session->initial) != 0)
    capra_host_keep_steps (session->drawable, xml);
  return TRUE;
}

/* Offers the steps that were kept. The image can be from anywhere, and its steps with it. */
static void
offer_steps (Session *session)
{
  g_autofree char *xml = capra_host_get_kept_steps (session->drawable);
  g_autoptr (GPtrArray) steps = xml ? capra_steps_from_xml (xml, NULL) : NULL;

  session->offered = steps && steps->len > 0 && capra_steps_check_harmless (steps, NULL);
  if (session->offered)
    capra_host_layer_offer_steps (session->layer, steps);
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

static gboolean
open_window (Session *session, GtkApplication *application, const char *xml, GError **error)
{
  g_autoptr (GeglBuffer) pixels = read_layer (session, FALSE, error);
  g_autoptr (GPtrArray) steps = NULL;
  g_autofree char *title = NULL;

  if (!pixels)
    return FALSE;
  title = capra_host_describe (session->drawable);
  session->window = capra_panel_window_new (application, NULL, NULL, on_apply, session);
  g_object_add_weak_pointer (G_OBJECT (session->window), (gpointer *) &session->window);
  session->pipeline = g_object_ref (capra_panel_window_get_pipeline (session->window));
  session->layer = g_object_ref (capra_panel_window_get_host_layer (session->window));
  capra_host_layer_set_image (session->layer, pixels, title);
  g_signal_connect (session->layer, "reload", G_CALLBACK (on_reload), session);
  g_signal_connect (session->window, "notify::is-active", G_CALLBACK (on_active), session);
  if (capra_host_has_effects ())
    capra_panel_window_offer_effects (session->window);
  steps = *xml ? capra_steps_from_xml (xml, NULL) : NULL;
  if (steps)
    capra_step_model_replace (session->pipeline, steps);
  session->initial = steps && steps->len > 0 ? capra_steps_to_xml (steps) : NULL;
  session->recovery = capra_recovery_new (session->window, session->initial);
  offer_steps (session);
  gtk_window_present (GTK_WINDOW (session->window));
  return TRUE;
}

static void
session_clear (Session *session)
{
  g_clear_handle_id (&session->look, g_source_remove);
  g_clear_pointer (&session->watch, capra_watch_free);
  g_clear_object (&session->pipeline);
  g_clear_object (&session->layer);
  g_free (session->initial);
  g_free (session->applied);
}

/* The panel that is open. Global because GIMP passes no user data. */
static Session *open_session;

gboolean
capra_gimp_panel_run (int drawable, char **xml, gboolean *effects, GError **error)
{
  Session session = { .drawable = drawable };
  g_autoptr (CapraPanelApplication) application = NULL;
  gboolean applied = FALSE;
  guint timer = 0;

  capra_gegl_start ();
  if (!capra_host_check (drawable, error) || !(application = make_application (error))
      || !open_window (&session, GTK_APPLICATION (application), *xml, error))
    {
      session_clear (&session);
      return FALSE;
    }
  open_session = &session;
  timer = g_timeout_add (CHECK_INTERVAL, on_check, &session);
  while (session.window)
    g_main_context_iteration (NULL, TRUE);
  gdk_display_flush (gdk_display_get_default ()); /* closes the window before GIMP continues */
  g_source_remove (timer);
  capra_recovery_free (session.recovery, !keep_steps (&session));
  open_session = NULL;
  applied = session.applied != NULL;
  if (applied)
    {
      g_free (*xml);
      *xml = g_steal_pointer (&session.applied);
      *effects = session.effects;
    }
  session_clear (&session);
  return applied;
}

/* GIMP has ended if the panel is still open. Then nothing may keep the process: not what is being computed, and not the
 * shutdown of a library meanwhile. GEGL must not be shut down while a worker uses it. */
void
capra_gimp_panel_quit (void)
{
  if (open_session)
    alarm (END_SECONDS);
  if (open_session && open_session->window)
    gtk_window_destroy (GTK_WINDOW (open_session->window));
  capra_preview_wait_for_workers ();
  capra_output_file_remove_all ();
}
