/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Welcome: what a window without an image shows: how to get one, and sample images. */
#include "ui/panel/window/welcome.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "ui/panel/resources.h"
#include "ui/panel/window/sample-images.h"

#define PICTURE_WIDTH 136
#define PICTURE_HEIGHT 102

struct _CapraWelcome {
  GtkWidget parent_instance;
  GtkWidget *page, *samples;
  gboolean filled;
};

G_DEFINE_FINAL_TYPE (CapraWelcome, capra_welcome, GTK_TYPE_WIDGET)

static void
draw_sample (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (GFile) file = capra_sample_image_make (data, &error);
  g_autofree char *path = file ? g_file_get_path (file) : NULL;
  g_autoptr (GdkPixbuf) small = path ? gdk_pixbuf_new_from_file_at_scale (path, PICTURE_WIDTH, PICTURE_HEIGHT, TRUE,
                                                                          &error)
                                     : NULL;

  if (small)
    g_task_return_pointer (task, gdk_texture_new_for_pixbuf (small), g_object_unref);
  else
    g_task_return_error (task, error);
}

/* Without a picture, the sample's button shows the error as soon as it is used. */
static void
on_drawn (GObject *picture, GAsyncResult *result, gpointer data)
{
  g_autoptr (GdkTexture) texture = g_task_propagate_pointer (G_TASK (result), NULL);

  gtk_picture_set_paintable (GTK_PICTURE (picture), GDK_PAINTABLE (texture));
}

static GtkWidget *
make_picture (const char *name)
{
  GtkWidget *picture = gtk_picture_new ();
  g_autoptr (GTask) task = g_task_new (picture, NULL, on_drawn, NULL);

  gtk_widget_set_size_request (picture, PICTURE_WIDTH, PICTURE_HEIGHT);
  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_widget_set_overflow (picture, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (picture, "capra-sample");
  g_task_set_task_data (task, g_strdup (name), g_free);
  g_task_run_in_thread (task, draw_sample);
  return picture;
}

static GtkWidget *
make_label (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, style);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 20);
  return label;
}

static GtkWidget *
make_button (const CapraSampleImage *sample)
{
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *about = make_label (sample->description, "caption");
  g_autofree char *name = g_strdup_printf ("%s: %s", sample->title, sample->description);

  gtk_widget_add_css_class (about, "dim-label");
  gtk_box_append (GTK_BOX (box), make_picture (sample->name));
  gtk_box_append (GTK_BOX (box), make_label (sample->title, "heading"));
  gtk_box_append (GTK_BOX (box), about);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "flat");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.open-sample");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", sample->name);
  return button;
}

/* The images are drawn when the page is first shown: most windows open with a file. */
static void
capra_welcome_map (GtkWidget *widget)
{
  CapraWelcome *self = CAPRA_WELCOME (widget);
  CapraSampleImage *sample;

  for (guint i = 0; !self->filled && (sample = capra_sample_image_get (i)); i++)
    {
      GtkWidget *child = gtk_flow_box_child_new ();

      gtk_widget_set_focusable (child, FALSE); /* its button takes the focus */
      gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), make_button (sample));
      gtk_flow_box_append (GTK_FLOW_BOX (self->samples), child);
      g_free (sample);
    }
  self->filled = TRUE;
  GTK_WIDGET_CLASS (capra_welcome_parent_class)->map (widget);
}

static void
capra_welcome_dispose (GObject *object)
{
  g_clear_pointer (&CAPRA_WELCOME (object)->page, gtk_widget_unparent);
  G_OBJECT_CLASS (capra_welcome_parent_class)->dispose (object);
}

static void
capra_welcome_class_init (CapraWelcomeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_welcome_dispose;
  widget_class->map = capra_welcome_map;
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "welcome.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraWelcome, page);
  gtk_widget_class_bind_template_child (widget_class, CapraWelcome, samples);
}

static void
capra_welcome_init (CapraWelcome *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
