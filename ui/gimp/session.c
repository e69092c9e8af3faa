/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Session: the procedures of the plug-in, independent of GIMP's version. */
#include "ui/gimp/session.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/window/application.h"
#include "ui/gimp/apply.h"
#include "ui/gimp/host.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/text/step-paths.h"
#include "ui/pipeline/regular-file.h"
#include "ui/panel/window/window.h"

#define CHECK_INTERVAL 500    /* ms: checks whether the drawable still exists */
#define PROGRESS_DELAY 300    /* ms: after this time GIMP shows the progress, too */
#define PROGRESS_INTERVAL 100 /* ms: between updates of that progress */

typedef struct {
  int drawable;
  CapraPanelWindow *window;  /* NULL once it is closed */
  char *applying, *applied;  /* as XML */
  GCancellable *cancellable; /* of the application in progress */
  double fraction;           /* of its progress */
  guint timer;               /* until GIMP shows the progress */
  gboolean effects;          /* the steps are added as effects */
  gboolean lost;             /* the drawable no longer exists */
} Session;

static void
on_progress (double fraction, gpointer data)
{
  Session *session = data;

  session->fraction = fraction;
  capra_panel_window_set_progress (session->window, fraction);
}

static gboolean
on_interval (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_CONTINUE;
}

/* Runs the main loop, and so the window and the application, within a call of GIMP. */
static gboolean
iterate (double *fraction, const char **text, gpointer data)
{
  Session *session = data;
  gboolean over = FALSE;
  guint timer = g_timeout_add (PROGRESS_INTERVAL, on_interval, &over);

  while (session->applying && !over)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
  *fraction = session->fraction;
  *text = capra_apply_get_text ();
  return session->applying != NULL;
}

/* Returns when the application is finished, or canceled in GIMP's window. */
static gboolean
on_delay (gpointer data)
{
  Session *session = data;
  g_autoptr (GCancellable) cancellable = g_object_ref (session->cancellable);

  session->timer = 0;
  if (!capra_host_run (iterate, session))
    g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static void
finish (Session *session, const GError *error)
{
  if (!error)
    session->applied = g_steal_pointer (&session->applying);
  g_clear_pointer (&session->applying, g_free);
  g_clear_object (&session->cancellable);
  g_clear_handle_id (&session->timer, g_source_remove);
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
  session->cancellable = g_object_ref (cancellable);
  session->fraction = 0.0;
  session->timer = g_timeout_add (PROGRESS_DELAY, on_delay, session);
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
capra_session_run_panel (int drawable, char **xml, gboolean *effects, GError **error)
{
  Session session = { .drawable = drawable };
  g_autoptr (CapraPanelApplication) application = NULL;
  g_autoptr (GeglBuffer) pixels = capra_apply_read (drawable, error);
  g_autoptr (GPtrArray) steps = NULL;
  g_autofree char *title = NULL;
  guint timer = 0;

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

/* The text of a script can be from anywhere: refuses operations that do more than process pixels. */
static gboolean
check_harmless (const char *operation, GError **error)
{
  g_autoptr (GeglNode) node = gegl_node_new ();

  gegl_node_set (node, "operation", operation, NULL);
  if (gegl_node_has_pad (node, "output") && !g_str_equal (operation, "gegl:gegl"))
    return TRUE;
  g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED,
               _ ("Scripts cannot use \"%s\", which writes files or runs other operations"), operation);
  return FALSE;
}

static gboolean
is_any_enabled (GPtrArray *steps)
{
  for (guint i = 0; i < steps->len; i++)
    if (capra_step_get_enabled (steps->pdata[i]))
      return TRUE;
  return FALSE;
}

static gboolean
apply (int drawable, GPtrArray *steps, gboolean effects, GError **error)
{
  if (is_any_enabled (steps))
    return effects ? capra_host_add_effects (drawable, steps, error) : capra_apply (drawable, steps, error);
  g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, _ ("No steps to apply"));
  return FALSE;
}

static gboolean
are_harmless (GPtrArray *steps, GError **error)
{
  for (guint i = 0; i < steps->len; i++)
    if (!check_harmless (capra_step_get_operation (steps->pdata[i]), error))
      return FALSE;
  return TRUE;
}

/* "" means no steps. */
static GPtrArray *
read_steps (const char *xml, GError **error)
{
  return *xml ? capra_steps_from_xml (xml, error) : g_ptr_array_new ();
}

gboolean
capra_session_run_steps (int drawable, const char *xml, gboolean effects, gboolean trusted, GError **error)
{
  g_autoptr (GPtrArray) steps = read_steps (xml, error);

  return steps && (trusted || are_harmless (steps, error)) && apply (drawable, steps, effects, error);
}

gboolean
capra_session_run_file (int drawable, const char *path, gboolean effects, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *xml = NULL;
  g_autoptr (GPtrArray) steps = NULL;

  xml = capra_read_file (path, CAPRA_MAX_GRAPH_BYTES, NULL, error);
  steps = xml ? read_steps (xml, error) : NULL;
  if (!steps)
    return FALSE;
  capra_steps_resolve_paths (steps, folder);
  return are_harmless (steps, error) && apply (drawable, steps, effects, error);
}
