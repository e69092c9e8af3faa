/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-row: one step in the list: its name, its switch, its menu, and its properties when opened. */
#include "ui/panel/steps/step-row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/steps/property-row.h"
#include "ui/panel/steps/aux-row.h"

struct _CapraStepRow {
  AdwExpanderRow parent_instance;
  CapraStepModel *pipeline;
  CapraStep *step;
  GtkWidget *toggle;
  GSimpleActionGroup *actions;
  GPtrArray *rows; /* of CapraPropertyRow */
  gboolean opened; /* once */
  double drag_x, drag_y;
};

G_DEFINE_FINAL_TYPE (CapraStepRow, capra_step_row, ADW_TYPE_EXPANDER_ROW)

static int
get_position (CapraStepRow *self)
{
  return capra_step_model_find (self->pipeline, capra_step_get_id (self->step));
}

static void
on_move (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  CapraStepRow *self = data;
  int up = strcmp (g_action_get_name (G_ACTION (action)), "up") == 0 ? -1 : 1;
  int to = get_position (self) + up;

  if (to >= 0)
    capra_step_model_move (self->pipeline, self->step, (guint) to);
}

static void
on_duplicate (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  CapraStepRow *self = data;
  g_autoptr (CapraStep) copy = capra_step_duplicate (self->step);

  capra_step_model_insert (self->pipeline, copy, get_position (self) + 1);
}

static void
on_reset (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  capra_step_reset (CAPRA_STEP_ROW (data)->step, NULL);
}

static void
on_remove (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  CapraStepRow *self = data;
  g_autoptr (CapraStepRow) alive = g_object_ref (self);

  capra_step_model_remove (self->pipeline, self->step);
}

static void
enable (CapraStepRow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
update_actions (CapraStepRow *self)
{
  int position = get_position (self);

  enable (self, "up", position > 0);
  enable (self, "down", position >= 0 && position + 1 < (int) capra_step_model_get_length (self->pipeline));
}

static void
update_enabled (CapraStepRow *self)
{
  gboolean enabled = capra_step_get_enabled (self->step);

  gtk_switch_set_active (GTK_SWITCH (self->toggle), enabled);
  if (enabled)
    gtk_widget_remove_css_class (GTK_WIDGET (self), "capra-off");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self), "capra-off");
}

static void
on_toggled (GObject *toggle, GParamSpec *pspec, gpointer data)
{
  capra_step_set_enabled (CAPRA_STEP_ROW (data)->step, gtk_switch_get_active (GTK_SWITCH (toggle)));
}

static void
update_error (CapraStepRow *self)
{
  const char *error = capra_step_get_error (self->step);
  g_autofree char *escaped = error ? g_markup_escape_text (error, -1) : NULL;

  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), escaped ? escaped : "");
  if (error)
    gtk_widget_add_css_class (GTK_WIDGET (self), "capra-failed");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "capra-failed");
}

/* Rows of properties are made when they are first looked at. */
static void
on_expanded (CapraStepRow *self)
{
  guint count;
  g_autofree GParamSpec **list = NULL;

  if (!adw_expander_row_get_expanded (ADW_EXPANDER_ROW (self)) || self->opened)
    return;
  self->opened = TRUE;
  list = capra_operation_get_properties (capra_step_get_operation (self->step), &count);
  if (capra_operation_has_aux (capra_step_get_operation (self->step)))
    adw_expander_row_add_row (ADW_EXPANDER_ROW (self), capra_aux_row_new (self->pipeline, self->step));
  for (guint i = 0; i < count; i++)
    {
      GtkWidget *row = capra_property_row_new (self->step, list[i]);

      adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);
      g_ptr_array_add (self->rows, row);
    }
}

static GdkContentProvider *
on_drag_prepare (GtkDragSource *source, double x, double y, gpointer data)
{
  CapraStepRow *self = data;

  self->drag_x = x;
  self->drag_y = y;
  return gdk_content_provider_new_typed (CAPRA_TYPE_STEP, self->step);
}

static void
on_drag_begin (GtkDragSource *source, GdkDrag *drag, gpointer data)
{
  CapraStepRow *self = data;
  g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (GTK_WIDGET (self));

  gtk_drag_source_set_icon (source, picture, (int) self->drag_x, (int) self->drag_y);
  gtk_widget_add_css_class (GTK_WIDGET (self), "capra-dragged");
}

static void
on_drag_end (GtkDragSource *source, GdkDrag *drag, gboolean delete_data, gpointer data)
{
  gtk_widget_remove_css_class (GTK_WIDGET (data), "capra-dragged");
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, gpointer data)
{
  CapraStepRow *self = data;
  CapraStep *step = g_value_get_object (value);
  int to = get_position (self);

  if (!step || to < 0 || capra_step_model_find (self->pipeline, capra_step_get_id (step)) < 0)
    return FALSE; /* of another window */
  capra_step_model_move (self->pipeline, step, (guint) to);
  return TRUE;
}

static void
add_dragging (CapraStepRow *self, GtkWidget *handle)
{
  GtkDragSource *source = gtk_drag_source_new ();
  GtkDropTarget *target = gtk_drop_target_new (CAPRA_TYPE_STEP, GDK_ACTION_MOVE);

  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  g_signal_connect (source, "prepare", G_CALLBACK (on_drag_prepare), self);
  g_signal_connect (source, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (source, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (handle, GTK_EVENT_CONTROLLER (source));
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

static GMenuModel *
make_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) move = g_menu_new ();
  g_autoptr (GMenu) rest = g_menu_new ();

  g_menu_append (move, _ ("Move _Up"), "step.up");
  g_menu_append (move, _ ("Move _Down"), "step.down");
  g_menu_append (rest, _ ("D_uplicate"), "step.duplicate");
  g_menu_append (rest, _ ("_Reset to Defaults"), "step.reset");
  g_menu_append (rest, _ ("Re_move"), "step.remove");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (move));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (rest));
  return G_MENU_MODEL (menu);
}

static GtkWidget *
make_menu_button (void)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenuModel) menu = make_menu ();

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), menu);
  gtk_widget_set_tooltip_text (button, _ ("More for this step"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("More for this step"), -1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

static void
build (CapraStepRow *self)
{
  static const GActionEntry entries[] = {
    { "up", on_move },     { "down", on_move },     { "duplicate", on_duplicate },
    { "reset", on_reset }, { "remove", on_remove },
  };
  AdwExpanderRow *row = ADW_EXPANDER_ROW (self);
  GtkWidget *handle = gtk_image_new_from_icon_name ("list-drag-handle-symbolic");
  g_autofree char *title = capra_operation_get_title (capra_step_get_operation (self->step));
  g_autofree char *escaped = g_markup_escape_text (title, -1);

  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (capra_step_get_operation (self->step), &count);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), escaped);
  adw_expander_row_set_enable_expansion (row,
                                         count > 0 || capra_operation_has_aux (capra_step_get_operation (self->step)));
  gtk_widget_set_tooltip_text (handle, _ ("Drag to another place"));
  gtk_widget_set_cursor_from_name (handle, "grab");
  gtk_widget_add_css_class (handle, "dim-label");
  adw_expander_row_add_prefix (row, handle);
  add_dragging (self, handle);

  self->toggle = gtk_switch_new ();
  gtk_widget_set_valign (self->toggle, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->toggle, _ ("Whether this step is carried out"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Whether this step is carried out"), -1);
  g_signal_connect (self->toggle, "notify::active", G_CALLBACK (on_toggled), self);
  adw_expander_row_add_action (row, make_menu_button ());
  adw_expander_row_add_action (row, self->toggle);

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "step", G_ACTION_GROUP (self->actions));
  g_signal_connect (self, "notify::expanded", G_CALLBACK (on_expanded), NULL);
}

static void
capra_step_row_dispose (GObject *object)
{
  CapraStepRow *self = CAPRA_STEP_ROW (object);

  g_clear_object (&self->actions);
  g_clear_object (&self->step);
  g_clear_object (&self->pipeline);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  G_OBJECT_CLASS (capra_step_row_parent_class)->dispose (object);
}

static void
capra_step_row_class_init (CapraStepRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_step_row_dispose;
}

static void
capra_step_row_init (CapraStepRow *self)
{
  self->rows = g_ptr_array_new ();
}

CapraStep *
capra_step_row_get_step (CapraStepRow *row)
{
  return row->step;
}

GtkWidget *
capra_step_row_find_property (CapraStepRow *row, const char *name)
{
  for (guint i = 0; i < row->rows->len; i++)
    if (strcmp (capra_property_row_get_property (row->rows->pdata[i])->name, name) == 0)
      return row->rows->pdata[i];
  return NULL;
}

GtkWidget *
capra_step_row_new (CapraStepModel *pipeline, CapraStep *step)
{
  CapraStepRow *self = g_object_new (CAPRA_TYPE_STEP_ROW, NULL);

  self->pipeline = g_object_ref (pipeline);
  self->step = g_object_ref (step);
  build (self);
  update_enabled (self);
  update_error (self);
  update_actions (self);
  g_signal_connect_object (step, "changed::enabled", G_CALLBACK (update_enabled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (step, "notify::error", G_CALLBACK (update_error), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pipeline, "changed", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
