/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-row: one step in the list: its name, its switch, its menu, and its properties when expanded. */
#include "ui/panel/steps/step-row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/resources.h"
#include "ui/panel/steps/aux-row.h"
#include "ui/panel/steps/remedy-row.h"
#include "ui/panel/steps/rename-popover.h"
#include "ui/panel/widgets/accessible.h"
#include "ui/panel/widgets/shortcuts.h"
#include "ui/pipeline/steps/size-pair.h"

struct _CapraStepRow {
  AdwExpanderRow parent_instance;
  CapraStepModel *model;
  CapraStep *step;
  GtkWidget *handle, *enabled_switch, *remedy;
  GtkWidget *rename_popover; /* NULL before its first use */
  GPtrArray *rows;           /* of CapraPropertyRow */
  GHashTable *links;         /* of CapraSizeLink, by the first of the two sizes */
  gboolean has_rows;         /* they have been created */
  double drag_x, drag_y;
};

#define PICTURE_SIZE 36

G_DEFINE_FINAL_TYPE (CapraStepRow, capra_step_row, ADW_TYPE_EXPANDER_ROW)

enum { PROP_0, PROP_MODEL, PROP_STEP, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];
static guint focus_signal;

static int
get_position (CapraStepRow *self)
{
  return capra_step_model_find (self->model, capra_step_get_id (self->step));
}

/* The list replaces rows that move: the row of the step @id gets the focus. */
static void
emit_focus (CapraStepRow *self, guint id)
{
  g_signal_emit (self, focus_signal, 0, id);
}

static void
move (CapraStepRow *row, int by)
{
  g_autoptr (CapraStepRow) self = g_object_ref (row);
  int position = get_position (self) + by;

  if (position < 0 || position >= (int) capra_step_model_get_length (self->model))
    return;
  capra_step_model_move (self->model, self->step, (guint) position);
  emit_focus (self, capra_step_get_id (self->step));
}

static void
on_up (GtkWidget *widget, const char *name, GVariant *parameter)
{
  move (CAPRA_STEP_ROW (widget), -1);
}

static void
on_down (GtkWidget *widget, const char *name, GVariant *parameter)
{
  move (CAPRA_STEP_ROW (widget), 1);
}

static void
on_duplicate (GtkWidget *widget, const char *name, GVariant *parameter)
{
  CapraStepRow *self = CAPRA_STEP_ROW (widget);
  g_autoptr (CapraStep) copy = capra_step_duplicate (self->step);

  capra_step_model_insert (self->model, copy, get_position (self) + 1);
  emit_focus (self, capra_step_get_id (copy));
}

static void
on_rename (GtkWidget *widget, const char *name, GVariant *parameter)
{
  CapraStepRow *self = CAPRA_STEP_ROW (widget);

  if (!self->rename_popover)
    {
      self->rename_popover = capra_rename_popover_new (self->step);
      gtk_widget_set_parent (self->rename_popover, self->handle);
    }
  gtk_popover_popup (GTK_POPOVER (self->rename_popover));
}

static void
on_reset (GtkWidget *widget, const char *name, GVariant *parameter)
{
  capra_step_reset (CAPRA_STEP_ROW (widget)->step, NULL);
}

/* The list drops the row while the model still works with its step. The next step gets the focus, or the last one. */
static void
on_remove (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (CapraStepRow) self = g_object_ref (CAPRA_STEP_ROW (widget));
  guint position = (guint) MAX (get_position (self), 0);
  CapraStep *next = capra_step_model_get_step (self->model, position + 1);

  if (!next && position > 0)
    next = capra_step_model_get_step (self->model, position - 1);
  capra_step_model_remove (self->model, self->step);
  emit_focus (self, next ? capra_step_get_id (next) : 0);
}

/* Within a property, Delete is for its control. */
static gboolean
on_delete_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));

  if (!focus || gtk_widget_get_ancestor (focus, CAPRA_TYPE_PROPERTY_ROW)
      || gtk_widget_get_ancestor (focus, CAPRA_TYPE_AUX_ROW) || gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER))
    return FALSE;
  return gtk_widget_activate_action (widget, "step.remove", NULL);
}

static void
update_actions (CapraStepRow *self)
{
  int position = get_position (self), last = (int) capra_step_model_get_length (self->model) - 1;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "step.up", position > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "step.down", position >= 0 && position < last);
}

static void
update_enabled (CapraStepRow *self)
{
  gboolean enabled = capra_step_get_enabled (self->step);

  gtk_switch_set_active (GTK_SWITCH (self->enabled_switch), enabled);
  if (enabled)
    gtk_widget_remove_css_class (GTK_WIDGET (self), "capra-off");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self), "capra-off");
}

static void
on_switched (CapraStepRow *self)
{
  capra_step_set_enabled (self->step, gtk_switch_get_active (GTK_SWITCH (self->enabled_switch)));
}

/* A renamed step shows its operation below the name. */
static void
update_error (CapraStepRow *self)
{
  g_autofree char *error = capra_remedy_row_get_message (self->model, self->step);
  g_autofree char *operation = capra_step_get_name (self->step)
                                 ? capra_operation_get_title (capra_step_get_operation (self->step))
                                 : NULL;
  g_autofree char *escaped = error || operation ? g_markup_escape_text (error ? error : operation, -1) : NULL;

  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), escaped ? escaped : "");
  if (error)
    gtk_widget_add_css_class (GTK_WIDGET (self), "capra-failed");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "capra-failed");
  if (error && gtk_widget_get_visible (self->remedy))
    adw_expander_row_set_expanded (ADW_EXPANDER_ROW (self), TRUE);
}

/* Returns: (transfer none) (nullable): the link of two sizes, which the row of the first one creates */
static CapraSizeLink *
get_link (CapraStepRow *self, GParamSpec *property)
{
  GParamSpec *other = capra_operation_find_other_size (capra_step_get_operation (self->step), property);
  CapraSizeLink *link = other ? g_hash_table_lookup (self->links, other) : NULL;

  if (other && !link)
    {
      link = capra_size_link_new (self->step, property, other);
      g_hash_table_insert (self->links, property, link);
    }
  return link;
}

/* Creates the rows of the properties when the row is first expanded: most steps stay collapsed. */
static void
on_expanded (CapraStepRow *self)
{
  const char *operation;
  guint count;
  g_autofree GParamSpec **list = NULL;

  if (!adw_expander_row_get_expanded (ADW_EXPANDER_ROW (self)) || self->has_rows)
    return;
  self->has_rows = TRUE;
  operation = capra_step_get_operation (self->step);
  list = capra_operation_get_properties (operation, &count);
  if (capra_operation_has_aux (operation))
    adw_expander_row_add_row (ADW_EXPANDER_ROW (self), capra_aux_row_new (self->model, self->step));
  for (guint i = 0; i < count; i++)
    {
      GtkWidget *row = capra_property_row_new (self->step, list[i], get_link (self, list[i]));

      adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);
      g_ptr_array_add (self->rows, row);
    }
}

static GdkContentProvider *
on_drag_prepare (CapraStepRow *self, double x, double y)
{
  self->drag_x = x;
  self->drag_y = y;
  return gdk_content_provider_new_typed (CAPRA_TYPE_STEP, self->step);
}

static void
on_drag_begin (CapraStepRow *self, GdkDrag *drag, GtkDragSource *source)
{
  g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (GTK_WIDGET (self));

  gtk_drag_source_set_icon (source, picture, (int) self->drag_x, (int) self->drag_y);
  gtk_widget_add_css_class (GTK_WIDGET (self), "capra-dragged");
}

static void
on_drag_end (CapraStepRow *self)
{
  gtk_widget_remove_css_class (GTK_WIDGET (self), "capra-dragged");
}

static gboolean
on_drop (CapraStepRow *self, const GValue *value)
{
  CapraStep *step = g_value_get_object (value);
  g_autoptr (CapraStepRow) kept = g_object_ref (self); /* the list may replace it */
  int position = get_position (self);

  if (!step || position < 0 || capra_step_model_find (self->model, capra_step_get_id (step)) < 0)
    return FALSE; /* a step of another window */
  capra_step_model_move (self->model, step, (guint) position);
  emit_focus (self, capra_step_get_id (step));
  return TRUE;
}

static void
update_name (CapraStepRow *self)
{
  g_autofree char *title = capra_step_dup_title (self->step);
  g_autofree char *escaped = g_markup_escape_text (title, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), escaped);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  update_error (self);
}

static void
update_expansion (CapraStepRow *self)
{
  const char *operation = capra_step_get_operation (self->step);
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (operation, &count);

  adw_expander_row_set_enable_expansion (ADW_EXPANDER_ROW (self), count > 0 || capra_operation_has_aux (operation));
}

static void
capra_step_row_constructed (GObject *object)
{
  CapraStepRow *self = CAPRA_STEP_ROW (object);

  G_OBJECT_CLASS (capra_step_row_parent_class)->constructed (object);
  self->remedy = capra_remedy_row_new (self->model, self->step);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), self->remedy);
  capra_accessible_complete (GTK_WIDGET (self));
  update_name (self);
  update_expansion (self);
  update_enabled (self);
  update_actions (self);
  g_signal_connect_object (self->step, "changed::enabled", G_CALLBACK (update_enabled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->step, "changed::capra-name", G_CALLBACK (update_name), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->step, "notify::error", G_CALLBACK (update_error), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
}

static void
capra_step_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CapraStepRow *self = CAPRA_STEP_ROW (object);

  switch (id)
    {
    case PROP_MODEL: g_value_set_object (value, self->model); break;
    case PROP_STEP: g_value_set_object (value, self->step); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
capra_step_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  CapraStepRow *self = CAPRA_STEP_ROW (object);

  switch (id)
    {
    case PROP_MODEL: self->model = g_value_dup_object (value); break;
    case PROP_STEP: self->step = g_value_dup_object (value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
capra_step_row_dispose (GObject *object)
{
  CapraStepRow *self = CAPRA_STEP_ROW (object);

  g_clear_pointer (&self->rename_popover, gtk_widget_unparent);
  g_clear_object (&self->step);
  g_clear_object (&self->model);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->links, g_hash_table_unref);
  G_OBJECT_CLASS (capra_step_row_parent_class)->dispose (object);
}

static void
install_actions (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "step.up", NULL, on_up);
  gtk_widget_class_install_action (klass, "step.down", NULL, on_down);
  gtk_widget_class_install_action (klass, "step.duplicate", NULL, on_duplicate);
  gtk_widget_class_install_action (klass, "step.rename", NULL, on_rename);
  gtk_widget_class_install_action (klass, "step.reset", NULL, on_reset);
  gtk_widget_class_install_action (klass, "step.remove", NULL, on_remove);
  capra_shortcuts_add_step_bindings (klass, "step.remove", on_delete_key);
}

static void
capra_step_row_class_init (CapraStepRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = capra_step_row_constructed;
  object_class->get_property = capra_step_row_get_property;
  object_class->set_property = capra_step_row_set_property;
  object_class->dispose = capra_step_row_dispose;
  properties[PROP_MODEL] = g_param_spec_object ("model", NULL, NULL, CAPRA_TYPE_STEP_MODEL, flags);
  properties[PROP_STEP] = g_param_spec_object ("step", NULL, NULL, CAPRA_TYPE_STEP, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  focus_signal = g_signal_new ("focus-step", CAPRA_TYPE_STEP_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                               1, G_TYPE_UINT);
  install_actions (widget_class);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "step-row.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraStepRow, handle);
  gtk_widget_class_bind_template_child (widget_class, CapraStepRow, enabled_switch);
  gtk_widget_class_bind_template_callback (widget_class, on_expanded);
  gtk_widget_class_bind_template_callback (widget_class, on_switched);
}

/* The row is dragged by its header; on its properties, dragging moves sliders. */
static void
add_dragging (CapraStepRow *self)
{
  GtkWidget *header = gtk_widget_get_ancestor (self->handle, ADW_TYPE_ACTION_ROW);
  GtkDragSource *source = gtk_drag_source_new ();
  GtkDropTarget *target = gtk_drop_target_new (CAPRA_TYPE_STEP, GDK_ACTION_MOVE);

  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  /* The drag ends after the list has replaced the row. */
  g_signal_connect_object (source, "prepare", G_CALLBACK (on_drag_prepare), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (source, "drag-begin", G_CALLBACK (on_drag_begin), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (source, "drag-end", G_CALLBACK (on_drag_end), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "drop", G_CALLBACK (on_drop), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (header, GTK_EVENT_CONTROLLER (source));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

static void
capra_step_row_init (CapraStepRow *self)
{
  self->rows = g_ptr_array_new ();
  self->links = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_cursor_from_name (self->handle, "grab");
  add_dragging (self);
}

CapraStep *
capra_step_row_get_step (CapraStepRow *row)
{
  return row->step;
}

void
capra_step_row_set_picture (CapraStepRow *row, GdkPaintable *picture)
{
  GtkImage *handle = GTK_IMAGE (row->handle);

  g_return_if_fail (CAPRA_IS_STEP_ROW (row));
  if (picture)
    gtk_image_set_from_paintable (handle, picture);
  else
    gtk_image_set_from_icon_name (handle, "list-drag-handle-symbolic");
  (picture ? gtk_widget_remove_css_class : gtk_widget_add_css_class) (row->handle, "dim-label");
  gtk_image_set_pixel_size (handle, picture ? PICTURE_SIZE : -1);
  gtk_widget_set_tooltip_text (row->handle, picture ? _ ("Result of this step; drag to move") : _ ("Drag to move"));
}

CapraPropertyRow *
capra_step_row_find_property (CapraStepRow *row, const char *name)
{
  for (guint i = 0; i < row->rows->len; i++)
    {
      CapraPropertyRow *property = row->rows->pdata[i];

      if (strcmp (capra_editor_get_property (capra_property_row_get_editor (property))->name, name) == 0)
        return property;
    }
  return NULL;
}

GtkWidget *
capra_step_row_new (CapraStepModel *model, CapraStep *step)
{
  return g_object_new (CAPRA_TYPE_STEP_ROW, "model", model, "step", step, NULL);
}
