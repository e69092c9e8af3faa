/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Application: the panel as an application; it restores the windows of the last session. */
#include "ui/panel/window/application.h"

#include <gegl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>

#include "capra.h"
#include "panel-resources.h"
#include "ui/panel/resources.h"
#include "ui/panel/widgets/shortcuts.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/graph/layer-target.h"
#include "ui/pipeline/text/pipeline-xml.h"

#define NOT_KEPT N_ ("Windows and steps are not kept for the next start: ")
#define WRITE_DELAY 1000 /* ms from a change until the state file is written */
#define TWO_COLUMNS 1000 /* pixels: the width of two columns of shortcuts */

struct _CapraPanelApplication {
  AdwApplication parent_instance;
  CapraStateFile *state_file; /* while there are windows; NULL if another process has it */
  GPtrArray *closed;          /* CapraWindowState of closed windows to restore at the next start */
  guint timer;                /* until the state file is written */
  gboolean unwritten;         /* the state file could not be written, and the user was told so */
  gboolean quitting;          /* all windows are to be closed */
  guint signals[3];           /* sources of the signals that close all windows */
};

G_DEFINE_FINAL_TYPE (CapraPanelApplication, capra_panel_application, ADW_TYPE_APPLICATION)

static void
add_style (void)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (provider, CAPRA_PANEL_RESOURCE "style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (gdk_display_get_default ()),
                                    CAPRA_PANEL_RESOURCE "icons");
}

/* The first query of the devices is slow, so it runs early, in a thread. */
static gpointer
find_devices (gpointer data)
{
  capra_device_list (NULL);
  return NULL;
}

void
capra_panel_init (void)
{
  static gsize done;

  if (!g_once_init_enter (&done))
    return;
  /* GEGL's operations use this type when their classes are initialized; a thread that registered it meanwhile, for the
   * preview, would wait for this one, and this one for it. */
  g_type_ensure (GEGL_TYPE_NODE);
  capra_layer_target_register ();
  g_resources_register (capra_panel_get_resource ());
  capra_log_catcher_install ();
  add_style ();
  g_thread_unref (g_thread_new ("capra-devices", find_devices, NULL));
  g_once_init_leave (&done, 1);
}

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *parent = gtk_application_get_active_window (GTK_APPLICATION (data));

  adw_show_about_window (parent, "application-name", _ ("Capra"), "application-icon", CAPRA_PANEL_ID, "version",
                         CAPRA_VERSION, "license-type", GTK_LICENSE_GPL_3_0, "comments",
                         _ ("Image operations on OpenCL devices, for GEGL and GIMP"), NULL);
}

static void
state_free (gpointer state)
{
  capra_window_state_free (state);
}

/* In the window that is used; said again only after the file could be written in between. */
static void
report_unwritten (CapraPanelApplication *self, const GError *error)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));
  g_autofree char *message = g_strconcat (_ (NOT_KEPT), error->message, NULL);

  if (!self->unwritten && CAPRA_IS_PANEL_WINDOW (active))
    capra_panel_window_show_error (CAPRA_PANEL_WINDOW (active), message);
  self->unwritten = TRUE;
}

/* Open windows first, then closed ones. */
static void
write_states (CapraPanelApplication *self)
{
  g_autoptr (GPtrArray) states = NULL;
  g_autoptr (GPtrArray) open = g_ptr_array_new_with_free_func (state_free);
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (!self->state_file)
    return;
  for (GList *list = gtk_application_get_windows (GTK_APPLICATION (self)); list; list = list->next)
    if (CAPRA_IS_PANEL_WINDOW (list->data))
      capra_panel_window_add_states (list->data, open);
  states = g_ptr_array_new ();
  g_ptr_array_extend (states, open, NULL, NULL);
  g_ptr_array_extend (states, self->closed, NULL, NULL);
  if (capra_state_file_write (self->state_file, states, &error))
    self->unwritten = FALSE;
  else
    report_unwritten (self, error);
}

static gboolean
on_write (gpointer data)
{
  CapraPanelApplication *self = data;

  self->timer = 0;
  write_states (self);
  return G_SOURCE_REMOVE;
}

static void
write_later (CapraPanelApplication *self)
{
  if (self->state_file && !self->timer)
    self->timer = g_timeout_add (WRITE_DELAY, on_write, self);
}

static void
update_reopen (CapraPanelApplication *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "reopen-windows");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), self->closed->len > 0);
}

/* A closed window is restored if it was the last one, if all were closed together, or if its steps are not saved. */
static void
remember (CapraPanelApplication *self, CapraPanelWindow *window, gboolean last)
{
  g_autoptr (GPtrArray) states = g_ptr_array_new_with_free_func (state_free);

  capra_panel_window_add_states (window, states);
  for (guint i = 0; i < states->len; i++)
    {
      const CapraWindowState *state = states->pdata[i];

      if (!(state->image || state->steps) || !(last || self->quitting || state->unsaved))
        continue;
      g_ptr_array_add (self->closed, capra_window_state_copy (state));
      capra_window_states_limit (self->closed);
    }
  update_reopen (self);
}

static void
close_all (CapraPanelApplication *self, void (*close_window) (GtkWindow *window))
{
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (self)));

  self->quitting = TRUE;
  for (GList *list = windows; list; list = list->next)
    close_window (list->data); /* a window that is saving a file closes later */
}

static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  close_all (data, gtk_window_close);
}

static void
close_when_saved (GtkWindow *window)
{
  if (CAPRA_IS_PANEL_WINDOW (window))
    capra_panel_window_close_when_saved (CAPRA_PANEL_WINDOW (window));
  else
    gtk_window_destroy (window); /* without a question */
}

static void
cancel_saving (GtkWindow *window)
{
  if (CAPRA_IS_PANEL_WINDOW (window))
    capra_panel_window_cancel_saving (CAPRA_PANEL_WINDOW (window));
}

/* The first signal waits for files that are being saved, the second one cancels saving. */
static gboolean
on_signal (gpointer data)
{
  CapraPanelApplication *self = data;
  gboolean again = self->quitting;

  close_all (self, close_when_saved);
  if (again)
    close_all (self, cancel_saving);
  if (!gtk_application_get_windows (GTK_APPLICATION (self)))
    g_application_quit (G_APPLICATION (self));
  return G_SOURCE_CONTINUE;
}

void
capra_panel_application_handle_signals (CapraPanelApplication *self)
{
  static const int numbers[G_N_ELEMENTS (self->signals)] = { SIGTERM, SIGINT, SIGHUP };

  g_return_if_fail (CAPRA_IS_PANEL_APPLICATION (self));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    self->signals[i] = g_unix_signal_add (numbers[i], on_signal, self);
}

static CapraPanelWindow *
make_window (CapraPanelApplication *self)
{
  CapraPanelWindow *window = capra_panel_window_new (GTK_APPLICATION (self), NULL, NULL, NULL, NULL);

  self->quitting = FALSE;
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

/* @apply: whether the user has asked for the steps, otherwise they are offered: the user may not want them on this
 * image any more. Steps that cannot be read are offered, too, which shows why. */
static CapraPanelWindow *
restore_window (CapraPanelApplication *self, const CapraWindowState *state, gboolean apply)
{
  CapraPanelWindow *window = make_window (self);
  g_autoptr (GFile) file = state->image ? g_file_new_for_uri (state->image) : NULL;
  g_autoptr (GPtrArray) steps = apply && state->steps ? capra_steps_from_xml (state->steps, NULL) : NULL;

  if (file)
    capra_document_open_frame (capra_panel_window_get_document (window), file, state->dataset, state->frame);
  if (steps)
    capra_step_model_replace (capra_panel_window_get_pipeline (window), steps);
  else
    capra_panel_window_offer_steps (window, state->steps);
  return window;
}

/* (nullable): one of the windows, %NULL if none was closed. */
static CapraPanelWindow *
reopen_windows (CapraPanelApplication *self, gboolean apply)
{
  g_autoptr (GPtrArray) states = g_steal_pointer (&self->closed);
  CapraPanelWindow *window = NULL;

  self->closed = g_ptr_array_new_with_free_func (state_free);
  for (guint i = 0; i < states->len; i++)
    window = restore_window (self, states->pdata[i], apply);
  update_reopen (self);
  return window;
}

static void
on_reopen_windows (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  reopen_windows (data, TRUE);
}

/* Offers the steps that an earlier session had for this file. */
static void
offer_steps_of_file (CapraPanelApplication *self, CapraPanelWindow *window, GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);

  for (guint i = 0; i < self->closed->len; i++)
    {
      const CapraWindowState *state = self->closed->pdata[i];

      if (!state->steps || g_strcmp0 (state->image, uri) != 0)
        continue;
      capra_panel_window_offer_steps (window, state->steps);
      g_ptr_array_remove_index (self->closed, i);
      update_reopen (self);
      return;
    }
}

static void
show_image (CapraPanelApplication *self, GFile *file, gpointer image, gint64 start)
{
  CapraPanelWindow *window = make_window (self);

  capra_document_show (capra_panel_window_get_document (window), file, image, start);
  offer_steps_of_file (self, window, file);
}

/* The number of closed windows that have steps. */
static guint
count_closed (CapraPanelApplication *self)
{
  guint count = 0;

  for (guint i = 0; i < self->closed->len; i++)
    count += ((const CapraWindowState *) self->closed->pdata[i])->steps != NULL;
  return count;
}

static void
on_new_window (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  make_window (data);
}

static void
capra_panel_application_startup (GApplication *application)
{
  static const GActionEntry entries[] = {
    { "about", on_about },
    { "quit", on_quit },
    { "new-window", on_new_window },
    { "reopen-windows", on_reopen_windows },
  };

  G_APPLICATION_CLASS (capra_panel_application_parent_class)->startup (application);
  gtk_window_set_default_icon_name (CAPRA_PANEL_ID);
  capra_panel_init ();
  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries), application);
  capra_shortcuts_set_accels (GTK_APPLICATION (application));
  update_reopen (CAPRA_PANEL_APPLICATION (application));
}

/* Windows of the last session count as closed ones until they are restored. */
static void
read_states (CapraPanelApplication *self, GError **error)
{
  if (gtk_application_get_windows (GTK_APPLICATION (self)))
    return;
  self->state_file = capra_state_file_open ("panel", error);
  if (!self->state_file)
    {
      g_prefix_error (error, "%s", _ (NOT_KEPT));
      return;
    }
  g_ptr_array_unref (self->closed);
  self->closed = capra_state_file_read (self->state_file, error);
  update_reopen (self);
}

static void
capra_panel_application_activate (GApplication *application)
{
  CapraPanelApplication *self = CAPRA_PANEL_APPLICATION (application);
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (application));
  CapraPanelWindow *window = NULL;
  g_autoptr (GError) error = NULL;

  if (active)
    {
      gtk_window_present (active);
      return;
    }
  read_states (self, &error);
  window = reopen_windows (self, FALSE);
  if (!window)
    window = make_window (self);
  if (error)
    capra_panel_window_show_error (window, error->message);
}

static void
capra_panel_application_open (GApplication *application, GFile **files, int count, const char *hint)
{
  CapraPanelApplication *self = CAPRA_PANEL_APPLICATION (application);
  g_autoptr (GError) error = NULL;
  CapraPanelWindow *window = NULL;
  gboolean first = !gtk_application_get_windows (GTK_APPLICATION (application));

  read_states (self, &error);
  for (int i = 0; i < count; i++)
    {
      window = make_window (self);
      capra_document_open (capra_panel_window_get_document (window), files[i]);
      offer_steps_of_file (self, window, files[i]);
    }
  if (first && window)
    capra_panel_window_offer_windows (window, count_closed (self));
  if (error && window)
    capra_panel_window_show_error (window, error->message);
}

/* Whether no monitor has room for two columns of shortcuts. */
static gboolean
has_narrow_monitors (GtkWidget *widget)
{
  GListModel *monitors = gdk_display_get_monitors (gtk_widget_get_display (widget));
  int widest = 0;

  for (guint i = 0; i < g_list_model_get_n_items (monitors); i++)
    {
      g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors, i);
      GdkRectangle area;

      gdk_monitor_get_geometry (monitor, &area);
      widest = MAX (widest, area.width);
    }
  return widest < TWO_COLUMNS;
}

static void
capra_panel_application_window_added (GtkApplication *application, GtkWindow *window)
{
  g_autoptr (GtkShortcutsWindow) shortcuts = NULL;

  GTK_APPLICATION_CLASS (capra_panel_application_parent_class)->window_added (application, window);
  if (!CAPRA_IS_PANEL_WINDOW (window))
    return;
  shortcuts = capra_shortcuts_window_new (has_narrow_monitors (GTK_WIDGET (window)));
  gtk_application_window_set_help_overlay (GTK_APPLICATION_WINDOW (window), shortcuts);
  g_signal_connect_object (capra_panel_window_get_pipeline (CAPRA_PANEL_WINDOW (window)), "changed",
                           G_CALLBACK (write_later), application, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "notify::title", G_CALLBACK (write_later), application, G_CONNECT_SWAPPED);
}

static void
capra_panel_application_window_removed (GtkApplication *application, GtkWindow *window)
{
  CapraPanelApplication *self = CAPRA_PANEL_APPLICATION (application);
  gboolean last = FALSE;

  GTK_APPLICATION_CLASS (capra_panel_application_parent_class)->window_removed (application, window);
  if (!self->state_file || !CAPRA_IS_PANEL_WINDOW (window))
    return;
  last = gtk_application_get_windows (application) == NULL;
  remember (self, CAPRA_PANEL_WINDOW (window), last);
  write_states (self);
  if (last)
    g_clear_pointer (&self->state_file, capra_state_file_close);
}

static void
capra_panel_application_finalize (GObject *object)
{
  CapraPanelApplication *self = CAPRA_PANEL_APPLICATION (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  for (guint i = 0; i < G_N_ELEMENTS (self->signals); i++)
    g_clear_handle_id (&self->signals[i], g_source_remove);
  g_clear_pointer (&self->state_file, capra_state_file_close);
  g_ptr_array_unref (self->closed);
  G_OBJECT_CLASS (capra_panel_application_parent_class)->finalize (object);
}

static int
capra_panel_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  if (!g_variant_dict_contains (options, "version"))
    return -1; /* continue */
  g_print ("capra-panel %s\n", CAPRA_VERSION);
  return 0;
}

static void
capra_panel_application_class_init (CapraPanelApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);
  GtkApplicationClass *gtk_class = GTK_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = capra_panel_application_finalize;
  gtk_class->window_added = capra_panel_application_window_added;
  gtk_class->window_removed = capra_panel_application_window_removed;
  application_class->startup = capra_panel_application_startup;
  application_class->activate = capra_panel_application_activate;
  application_class->handle_local_options = capra_panel_application_handle_local_options;
  application_class->open = capra_panel_application_open;
  g_signal_new_class_handler ("image-read", CAPRA_TYPE_PANEL_APPLICATION, G_SIGNAL_RUN_LAST, G_CALLBACK (show_image),
                              NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_FILE, G_TYPE_POINTER, G_TYPE_INT64);
}

static void
capra_panel_application_init (CapraPanelApplication *self)
{
  self->closed = g_ptr_array_new_with_free_func (state_free);
  g_application_add_main_option (G_APPLICATION (self), "version", 0, 0, G_OPTION_ARG_NONE, _ ("Print the version"),
                                 NULL);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _ ("[IMAGE…]"));
  g_application_set_option_context_summary (G_APPLICATION (self),
                                            _ ("Image operations on OpenCL devices, previewed live"));
}

CapraPanelApplication *
capra_panel_application_new (void)
{
  return g_object_new (CAPRA_TYPE_PANEL_APPLICATION, "application-id", CAPRA_PANEL_ID, "flags",
                       G_APPLICATION_HANDLES_OPEN, "resource-base-path", "/io/github/capra/Panel", NULL);
}
