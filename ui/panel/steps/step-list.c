/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-list: the pipeline in the sidebar, and the choice of further steps. */
#include "ui/panel/steps/step-list.h"

#include <adwaita.h>

#include "ui/panel/resources.h"
#include "ui/panel/steps/chooser.h"
#include "ui/panel/steps/preset-popover.h"
#include "ui/panel/steps/step-row.h"

#define MARGIN 12
#define UNFOLDING 300 /* milliseconds that a row takes to open */

struct _CapraStepList {
  GtkBox parent_instance;
  GtkWidget *stack, *scroller, *header, *empty, *list, *add_button, *presets_button, *clear_button, *chooser;
  CapraStepModel *pipeline;
  guint timer;  /* until that row has its place */
  guint expand; /* the id of the step whose row is to be opened when it comes */
};

G_DEFINE_FINAL_TYPE (CapraStepList, capra_step_list, GTK_TYPE_BOX)

static guint failed_signal;

static GtkWidget *
make_row (gpointer item, gpointer data)
{
  CapraStepList *self = data;
  GtkWidget *row = capra_step_row_new (self->pipeline, item);

  if (capra_step_get_id (item) == self->expand)
    adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  return row;
}

static void
update (CapraStepList *self)
{
  gboolean any = capra_step_model_get_length (self->pipeline) > 0;

  gtk_widget_set_visible (self->list, any);
  gtk_widget_set_visible (self->empty, !any);
  gtk_widget_set_sensitive (self->clear_button, any);
}

static void
on_clear (CapraStepList *self)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new_with_free_func (g_object_unref);

  capra_step_model_replace (self->pipeline, none);
}

static void
show_page (CapraStepList *self, const char *name)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), name);
}

/* Brings the row of the new step into view once it has its place. */
static gboolean
show_new (gpointer data)
{
  CapraStepList *self = data;
  GtkWidget *row = capra_step_list_get_row (self, capra_step_model_get_length (self->pipeline) - 1);
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  double top = 0, bottom;

  self->timer = 0;
  if (!row
      || !gtk_widget_translate_coordinates (
        row,
        gtk_viewport_get_child (GTK_VIEWPORT (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (self->scroller)))), 0,
        0, NULL, &top))
    return G_SOURCE_REMOVE;
  /* No further than needed, so that the histogram stays in view where there is room. */
  bottom = top + gtk_widget_get_height (row) + MARGIN;
  gtk_adjustment_set_value (
    place, MIN (top - MARGIN, MAX (gtk_adjustment_get_value (place), bottom - gtk_adjustment_get_page_size (place))));
  gtk_widget_child_focus (row, GTK_DIR_TAB_FORWARD);
  return G_SOURCE_REMOVE;
}

static void
on_chosen (CapraStepList *self, const char *operation)
{
  g_autoptr (CapraStep) step = capra_step_new (operation);

  self->expand = capra_step_get_id (step);
  show_page (self, "steps");
  capra_step_model_insert (self->pipeline, step, -1);
  g_clear_handle_id (&self->timer, g_source_remove);
  self->timer = g_timeout_add (UNFOLDING, show_new, self);
}

static void
on_closed (CapraStepList *self)
{
  show_page (self, "steps");
  gtk_widget_grab_focus (self->add_button);
}

void
capra_step_list_choose (CapraStepList *self)
{
  g_return_if_fail (CAPRA_IS_STEP_LIST (self));
  show_page (self, "chooser");
  capra_chooser_start (CAPRA_CHOOSER (self->chooser));
}

GtkWidget *
capra_step_list_get_row (CapraStepList *self, guint position)
{
  return GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) position));
}

void
capra_step_list_set_settings (CapraStepList *self, GSettings *settings)
{
  capra_chooser_set_settings (CAPRA_CHOOSER (self->chooser), settings);
}

void
capra_step_list_set_header (CapraStepList *self, GtkWidget *widget)
{
  adw_bin_set_child (ADW_BIN (self->header), widget);
  gtk_widget_set_visible (self->header, TRUE);
}

static void
on_failed (CapraStepList *self, const char *message)
{
  g_signal_emit (self, failed_signal, 0, message);
}

static void
capra_step_list_dispose (GObject *object)
{
  CapraStepList *self = CAPRA_STEP_LIST (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->pipeline)
    g_signal_handlers_disconnect_by_data (self->pipeline, self);
  g_clear_object (&self->pipeline);
  G_OBJECT_CLASS (capra_step_list_parent_class)->dispose (object);
}

static void
capra_step_list_class_init (CapraStepListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_step_list_dispose;
  failed_signal = g_signal_new ("failed", CAPRA_TYPE_STEP_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
  g_type_ensure (CAPRA_TYPE_CHOOSER);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "step-list.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, stack);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, scroller);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, header);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, empty);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, list);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, add_button);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, presets_button);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, clear_button);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, chooser);
  gtk_widget_class_bind_template_callback (widget_class, capra_step_list_choose);
  gtk_widget_class_bind_template_callback (widget_class, on_clear);
  gtk_widget_class_bind_template_callback (widget_class, on_chosen);
  gtk_widget_class_bind_template_callback (widget_class, on_closed);
}

static void
capra_step_list_init (CapraStepList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
capra_step_list_new (CapraStepModel *pipeline)
{
  CapraStepList *self = g_object_new (CAPRA_TYPE_STEP_LIST, NULL);
  GtkWidget *popover = capra_preset_popover_new (pipeline);

  self->pipeline = g_object_ref (pipeline);
  g_signal_connect_swapped (popover, "failed", G_CALLBACK (on_failed), self);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->presets_button), popover);
  gtk_list_box_bind_model (GTK_LIST_BOX (self->list), G_LIST_MODEL (pipeline), make_row, self, NULL);
  g_signal_connect_swapped (pipeline, "changed", G_CALLBACK (update), self);
  update (self);
  return GTK_WIDGET (self);
}
