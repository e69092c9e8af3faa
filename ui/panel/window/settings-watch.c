/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings-watch: reports changes of Capra's settings, which other programs make, too. */
#include "ui/panel/window/settings-watch.h"

#define DELAY 50 /* ms: a file is replaced in several steps */

struct _CapraSettingsWatch {
  GObject parent_instance;
  GFile *file;
  GFileMonitor *monitor;
  char *contents; /* NULL if the file does not exist */
  guint timer;
};

G_DEFINE_FINAL_TYPE (CapraSettingsWatch, capra_settings_watch, G_TYPE_OBJECT)

static guint changed_signal;

static char *
read_contents (CapraSettingsWatch *self)
{
  char *contents = NULL;

  g_file_load_contents (self->file, NULL, &contents, NULL, NULL, NULL);
  return contents;
}

static gboolean
on_timeout (gpointer data)
{
  CapraSettingsWatch *self = data;
  g_autofree char *before = self->contents;

  self->timer = 0;
  self->contents = read_contents (self);
  if (g_strcmp0 (before, self->contents) != 0)
    g_signal_emit (self, changed_signal, 0);
  return G_SOURCE_REMOVE;
}

static void
on_changed (CapraSettingsWatch *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  self->timer = g_timeout_add (DELAY, on_timeout, self);
}

static void
capra_settings_watch_dispose (GObject *object)
{
  CapraSettingsWatch *self = CAPRA_SETTINGS_WATCH (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->monitor)
    g_file_monitor_cancel (self->monitor);
  g_clear_object (&self->monitor);
  g_clear_object (&self->file);
  g_clear_pointer (&self->contents, g_free);
  G_OBJECT_CLASS (capra_settings_watch_parent_class)->dispose (object);
}

static void
capra_settings_watch_class_init (CapraSettingsWatchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_settings_watch_dispose;
  changed_signal = g_signal_new ("changed", CAPRA_TYPE_SETTINGS_WATCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
capra_settings_watch_init (CapraSettingsWatch *self)
{
  g_autofree char *path = g_build_filename (g_get_user_config_dir (), "capra", "settings.ini", NULL);

  self->file = g_file_new_for_path (path);
  self->contents = read_contents (self);
  self->monitor = g_file_monitor_file (self->file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
}

CapraSettingsWatch *
capra_settings_watch_new (void)
{
  return g_object_new (CAPRA_TYPE_SETTINGS_WATCH, NULL);
}
