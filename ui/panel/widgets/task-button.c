/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Task-button: what is running, in a header bar: the progress, and a button to cancel it. */
#include "ui/panel/widgets/task-button.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/resources.h"
#include "ui/panel/widgets/accessible.h"

#define ROW_SPACING 6
#define ROW_MARGIN 6
#define TITLE_CHARS 40 /* of a task in the list */

struct _CapraTaskButton {
  GtkBox parent_instance;
  GtkMenuButton *button;
  GtkProgressBar *progress;
  GtkButton *cancel_button;
  GtkListBox *list;
  GListStore *tasks;
};

G_DEFINE_FINAL_TYPE (CapraTaskButton, capra_task_button, GTK_TYPE_BOX)

static guint
count (CapraTaskButton *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->tasks));
}

/* (transfer none): the only task, or NULL. */
static CapraTask *
get_single (CapraTaskButton *self)
{
  g_autoptr (CapraTask) task = count (self) == 1 ? g_list_model_get_item (G_LIST_MODEL (self->tasks), 0) : NULL;

  return task; /* the list holds it */
}

static void
update_progress (CapraTaskButton *self)
{
  CapraTask *single = get_single (self);
  guint n = count (self);
  double sum = 0.0;
  g_autofree char *text = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CapraTask) task = g_list_model_get_item (G_LIST_MODEL (self->tasks), i);

      sum += capra_task_get_fraction (task);
    }
  gtk_progress_bar_set_fraction (self->progress, n > 0 ? sum / n : 0.0);
  if (single && capra_task_get_canceled (single))
    g_object_get (single, "detail", &text, NULL);
  else
    text = g_strdup_printf ("%d %%", n > 0 ? (int) (sum / n * 100.0) : 0);
  gtk_progress_bar_set_text (self->progress, text);
  gtk_widget_set_visible (GTK_WIDGET (self->cancel_button), single && !capra_task_get_canceled (single));
}

static void
update_titles (CapraTaskButton *self)
{
  CapraTask *single = get_single (self);
  guint n = count (self);
  g_autofree char *several = g_strdup_printf (ngettext ("%u task is running", "%u tasks are running", n), n);
  const char *title = single ? capra_task_get_title (single) : several;
  g_autofree char *cancel = g_strdup_printf (_ ("Cancel: %s"), title);

  gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), title);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->cancel_button), cancel);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->cancel_button), GTK_ACCESSIBLE_PROPERTY_LABEL, cancel, -1);
  if (n == 0)
    gtk_menu_button_popdown (self->button);
  update_progress (self);
}

static void
on_cancel_clicked (CapraTaskButton *self)
{
  CapraTask *single = get_single (self);

  if (single)
    capra_task_cancel (single);
}

static void
on_ended (CapraTaskButton *self, CapraTask *task)
{
  guint position;

  g_signal_handlers_disconnect_by_data (task, self);
  if (g_list_store_find (self->tasks, task, &position))
    g_list_store_remove (self->tasks, position);
}

void
capra_task_button_add (CapraTaskButton *button, CapraTask *task)
{
  g_return_if_fail (CAPRA_IS_TASK_BUTTON (button));
  if (g_list_store_find (button->tasks, task, NULL))
    return;
  g_signal_connect_object (task, "notify::fraction", G_CALLBACK (update_progress), button, G_CONNECT_SWAPPED);
  g_signal_connect_object (task, "notify::canceled", G_CALLBACK (update_progress), button, G_CONNECT_SWAPPED);
  g_signal_connect_object (task, "ended", G_CALLBACK (on_ended), button, G_CONNECT_SWAPPED);
  g_list_store_append (button->tasks, task);
}

/* A row of the list: the title above the progress and a button. */
static GtkWidget *
make_row (gpointer item, gpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, ROW_SPACING);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2 * ROW_SPACING);
  GtkWidget *title = gtk_label_new (capra_task_get_title (item)), *progress = gtk_progress_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));

  gtk_label_set_xalign (GTK_LABEL (title), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (title), TITLE_CHARS);
  gtk_progress_bar_set_show_text (GTK_PROGRESS_BAR (progress), TRUE);
  gtk_widget_set_hexpand (progress, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (progress), GTK_ACCESSIBLE_PROPERTY_LABEL, capra_task_get_title (item),
                                  -1);
  capra_accessible_complete (cancel);
  g_object_bind_property (item, "fraction", progress, "fraction", G_BINDING_SYNC_CREATE);
  g_object_bind_property (item, "detail", progress, "text", G_BINDING_SYNC_CREATE);
  g_object_bind_property (item, "canceled", cancel, "sensitive", G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
  g_signal_connect_object (cancel, "clicked", G_CALLBACK (capra_task_cancel), item, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (line), progress);
  gtk_box_append (GTK_BOX (line), cancel);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), line);
  gtk_widget_set_margin_top (box, ROW_MARGIN);
  gtk_widget_set_margin_bottom (box, ROW_MARGIN);
  return box;
}

/* The window is closed. Tasks that end later must not change the button, whose header bar is gone. */
static void
capra_task_button_unroot (GtkWidget *widget)
{
  CapraTaskButton *self = CAPRA_TASK_BUTTON (widget);

  g_signal_handlers_disconnect_by_data (self->tasks, self);
  for (guint i = 0; i < count (self); i++)
    {
      g_autoptr (CapraTask) task = g_list_model_get_item (G_LIST_MODEL (self->tasks), i);

      g_signal_handlers_disconnect_by_data (task, self);
    }
  GTK_WIDGET_CLASS (capra_task_button_parent_class)->unroot (widget);
}

static void
capra_task_button_dispose (GObject *object)
{
  g_clear_object (&CAPRA_TASK_BUTTON (object)->tasks);
  G_OBJECT_CLASS (capra_task_button_parent_class)->dispose (object);
}

static void
capra_task_button_class_init (CapraTaskButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_task_button_dispose;
  widget_class->unroot = capra_task_button_unroot;
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "task-button.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraTaskButton, button);
  gtk_widget_class_bind_template_child (widget_class, CapraTaskButton, progress);
  gtk_widget_class_bind_template_child (widget_class, CapraTaskButton, cancel_button);
  gtk_widget_class_bind_template_child (widget_class, CapraTaskButton, list);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel_clicked);
}

static void
capra_task_button_init (CapraTaskButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->tasks = g_list_store_new (CAPRA_TYPE_TASK);
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (self->tasks), make_row, NULL, NULL);
  g_signal_connect_object (self->tasks, "items-changed", G_CALLBACK (update_titles), self, G_CONNECT_SWAPPED);
  update_titles (self);
}
