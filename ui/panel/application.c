/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Application: the panel on its own. */
#include "application.h"

#include <gegl.h>
#include <glib/gi18n-lib.h>

#include "capra.h"
#include "log-catcher.h"
#include "panel-resources.h"
#include "window.h"

struct _CapraPanelApplication {
  AdwApplication parent_instance;
};

G_DEFINE_FINAL_TYPE (CapraPanelApplication, capra_panel_application, ADW_TYPE_APPLICATION)

static void
add_style (void)
{
  g_autoptr(GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (provider, CAPRA_PANEL_RESOURCE "style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

/* The first look at the devices takes a while; later ones find them known. */
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

  adw_show_about_window (parent, "application-name", _("Capra"), "application-icon", CAPRA_PANEL_ID,
                         "version", CAPRA_VERSION, "license-type", GTK_LICENSE_GPL_3_0, "comments",
                         _("Image operations on OpenCL devices, for GEGL and GIMP"), NULL);
}

static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GList *window;

  while ((window = gtk_application_get_windows (GTK_APPLICATION (data))))
    {
      GtkWindow *closing = window->data;

      gtk_window_close (closing);
      if (gtk_application_get_windows (GTK_APPLICATION (data)) == window)
        break; /* it refused */
    }
  g_application_quit (G_APPLICATION (data));
}

static void
on_new_window (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (GTK_WINDOW (capra_panel_window_new (data, NULL, NULL, NULL, NULL)));
}

static const struct {
  const char *action;
  const char *keys[4];
} shortcuts[] = {
  { "win.open", { "<Control>o" } },
  { "win.save", { "<Control>s" } },
  { "win.undo", { "<Control>z" } },
  { "win.redo", { "<Control><Shift>z", "<Control>y" } },
  { "win.add-step", { "<Control>f", "Insert" } },
  { "win.copy-command", { "<Control><Shift>c" } },
  { "win.paste-steps", { "<Control><Shift>v" } },
  { "win.zoom-in", { "<Control>plus", "<Control>equal", "<Control>KP_Add" } },
  { "win.zoom-out", { "<Control>minus", "<Control>KP_Subtract" } },
  { "win.zoom-fit", { "<Control>0", "<Control>KP_0" } },
  { "win.zoom-to(1.0)", { "<Control>1", "<Control>KP_1" } },
  { "win.compare::off", { "<Alt>1" } },
  { "win.compare::split", { "<Alt>2" } },
  { "win.compare::side", { "<Alt>3" } },
  { "win.timing-overlay", { "<Control>t" } },
  { "win.sidebar", { "F9" } },
  { "win.show-help-overlay", { "<Control>question" } },
  { "window.close", { "<Control>w" } },
  { "app.new-window", { "<Control>n" } },
  { "app.quit", { "<Control>q" } },
};

static void
capra_panel_application_startup (GApplication *application)
{
  static const GActionEntry entries[] = {
    { "about", on_about },
    { "quit", on_quit },
    { "new-window", on_new_window },
  };

  G_APPLICATION_CLASS (capra_panel_application_parent_class)->startup (application);
  gtk_window_set_default_icon_name (CAPRA_PANEL_ID);
  capra_panel_init ();
  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries),
                                   application);
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (application), shortcuts[i].action,
                                           shortcuts[i].keys);
}

static void
capra_panel_application_activate (GApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

  if (!window)
    window = GTK_WINDOW (capra_panel_window_new (GTK_APPLICATION (application), NULL, NULL, NULL,
                                                 NULL));
  gtk_window_present (window);
}

static void
capra_panel_application_open (GApplication *application, GFile **files, int count, const char *hint)
{
  for (int i = 0; i < count; i++)
    {
      CapraPanelWindow *window
          = capra_panel_window_new (GTK_APPLICATION (application), NULL, NULL, NULL, NULL);

      gtk_window_present (GTK_WINDOW (window));
      capra_panel_window_open (window, files[i]);
    }
}

static int
capra_panel_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  if (!g_variant_dict_contains (options, "version"))
    return -1; /* go on */
  g_print ("capra-panel %s\n", CAPRA_VERSION);
  return 0;
}

static void
capra_panel_application_class_init (CapraPanelApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  application_class->startup = capra_panel_application_startup;
  application_class->activate = capra_panel_application_activate;
  application_class->handle_local_options = capra_panel_application_handle_local_options;
  application_class->open = capra_panel_application_open;
}

static void
capra_panel_application_init (CapraPanelApplication *self)
{
  g_application_add_main_option (G_APPLICATION (self), "version", 0, 0, G_OPTION_ARG_NONE,
                                 _("Print the version"), NULL);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _("[IMAGE…]"));
  g_application_set_option_context_summary (G_APPLICATION (self),
                                            _("Image operations on OpenCL devices, previewed live"));
}

CapraPanelApplication *
capra_panel_application_new (void)
{
  return g_object_new (CAPRA_TYPE_PANEL_APPLICATION, "application-id", CAPRA_PANEL_ID, "flags",
                       G_APPLICATION_HANDLES_OPEN, "resource-base-path", "/io/github/capra/Panel",
                       NULL);
}
