/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window: the panel, as an application's window or in a host such as GIMP. */
#include "ui/panel/window/window.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/batch/batch-action.h"
#include "ui/panel/preview/canvas-input.h"
#include "ui/panel/preview/image-view.h"
#include "ui/panel/resources.h"
#include "ui/panel/widgets/accessible.h"
#include "ui/panel/widgets/toast.h"
#include "ui/panel/window/copy-actions.h"
#include "ui/panel/window/area-actions.h"
#include "ui/panel/window/document-actions.h"
#include "ui/panel/window/document.h"
#include "ui/panel/window/file-dialogs.h"
#include "ui/panel/window/frame-button.h"
#include "ui/panel/window/host-apply.h"
#include "ui/panel/window/host-layer.h"
#include "ui/panel/window/image-description.h"
#include "ui/panel/window/kept-bar.h"
#include "ui/panel/window/message-bar.h"
#include "ui/panel/steps/remedy-row.h"
#include "ui/panel/window/saver.h"
#include "ui/panel/window/sidebar.h"
#include "ui/panel/window/steps-offer.h"
#include "ui/panel/window/start-actions.h"
#include "ui/panel/window/view-actions.h"
#include "ui/panel/window/window-settings.h"
#include "ui/panel/window/welcome.h"

struct _CapraPanelWindow {
  AdwApplicationWindow parent_instance;
  AdwToastOverlay *toasts;
  CapraTaskButton *tasks;
  AdwWindowTitle *title;
  GtkWidget *header, *open_button, *save_button, *effects_button;
  GtkDropDown *layer_effects;
  CapraKeptBar *kept_bar;
  CapraMessageBar *message_bar;
  AdwFlap *flap;
  GtkStack *stack;
  GtkLabel *loading_text;
  CapraFrameButton *frame_button;
  CapraImageView *view;
  CapraSidebar *sidebar;

  CapraDocument *document;
  CapraStepsOffer *steps_offer;
  CapraSaver *saver;
  CapraHostApply *host_apply;
  CapraHostLayer *host_layer;
  CapraPanelApplyFunc apply; /* NULL without a host */
  gpointer apply_data;
  GSettings *settings; /* NULL if the schema is not installed */
};

G_DEFINE_FINAL_TYPE (CapraPanelWindow, capra_panel_window, ADW_TYPE_APPLICATION_WINDOW)

static void
show_toast (CapraPanelWindow *self, const char *message)
{
  g_autofree char *escaped = g_markup_escape_text (message, -1); /* titles of toasts are markup */
  gboolean image = g_str_equal (gtk_stack_get_visible_child_name (self->stack), "image");

  adw_toast_overlay_add_toast (image ? capra_image_view_get_toasts (self->view) : self->toasts,
                               adw_toast_new (escaped));
}

static void
on_show_toast (GtkWidget *window, const char *action, GVariant *message)
{
  show_toast (CAPRA_PANEL_WINDOW (window), g_variant_get_string (message, NULL));
}

void
capra_panel_window_show_error (CapraPanelWindow *self, const char *message)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  capra_message_bar_show_error (self->message_bar, message);
}

static void
hide_error (CapraPanelWindow *self)
{
  capra_message_bar_hide_error (self->message_bar);
}

static void
on_errors_changed (CapraPanelWindow *self)
{
  capra_sidebar_update_failures (self->sidebar);
}

/* Operations without a device of their own use the default device when they run next. */
static void
on_settings_changed (CapraPanelWindow *self)
{
  capra_image_view_refresh (self->view);
}

static void
update_actions (CapraPanelWindow *self)
{
  GActionMap *map = G_ACTION_MAP (self);
  gboolean steps = capra_step_model_get_length (capra_document_get_pipeline (self->document)) > 0;
  gboolean result = capra_document_get_image (self->document) && capra_host_apply_get_available (self->host_apply);
  gboolean effects = capra_host_layer_can_add_effects (self->host_layer);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "save")),
                               result && (steps || !self->apply));
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "apply-effects")),
                               result && steps && effects);
  gtk_widget_set_tooltip_text (self->effects_button,
                               effects ? _ ("Add the steps to the layer as effects that can be changed later")
                                       : _ ("New effects come after those that the layer has: choose With Effects"));
}

static void
update_page (CapraPanelWindow *self)
{
  g_autofree char *name = capra_document_dup_loading_name (self->document);
  g_autofree char *text = name ? g_strdup_printf (_ ("Opening %s…"), name) : NULL;
  const char *other = capra_document_get_image (self->document) ? "image" : "empty";

  if (text)
    gtk_label_set_text (self->loading_text, text);
  gtk_stack_set_visible_child_name (self->stack, text ? "loading" : other);
}

static void
on_image_changed (CapraPanelWindow *self)
{
  GeglBuffer *image = capra_document_get_image (self->document);
  const char *name = capra_document_get_name (self->document);
  g_autofree char *subtitle = capra_image_description_new (image);
  g_autofree char *keywords = capra_image_description_new_keywords (image);
  g_autofree char *markup = keywords ? g_markup_printf_escaped ("<tt>%s</tt>", keywords) : NULL; /* aligned columns */
  g_autofree char *title = g_strdup_printf (_ ("%s — Capra"), name);
  g_autoptr (CapraPyramid) pyramid = capra_pyramid_new (image);

  adw_window_title_set_title (self->title, name);
  adw_window_title_set_subtitle (self->title, subtitle);
  gtk_window_set_title (GTK_WINDOW (self), title);
  gtk_widget_set_tooltip_markup (GTK_WIDGET (self->title), markup);
  capra_image_view_set_image (self->view, pyramid, capra_document_get_file (self->document));
  capra_sidebar_set_image (self->sidebar, pyramid);
  update_page (self);
  update_actions (self);
}

static void
on_saved (CapraPanelWindow *self, GPtrArray *steps, const char *message)
{
  if (steps)
    capra_document_mark_saved (self->document, steps);
  show_toast (self, message);
}

void
capra_panel_window_save (CapraPanelWindow *self, GFile *file, int bits)
{
  g_autoptr (GPtrArray) steps = NULL;

  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  hide_error (self);
  steps = capra_step_model_snapshot (capra_document_get_pipeline (self->document));
  capra_saver_save (self->saver, file, capra_document_get_image (self->document), steps, bits);
}

static void
on_save_chosen (gpointer self, GFile *file, int bits)
{
  capra_panel_window_save (self, file, bits);
}

static void
apply (CapraPanelWindow *self, CapraPanelApplyMode mode)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (capra_document_get_pipeline (self->document));

  hide_error (self);
  if (capra_host_layer_reload_outdated (self->host_layer))
    return; /* first the user sees the result for the layer as it is now */
  self->apply (self, steps, mode, capra_host_apply_begin (self->host_apply), self->apply_data);
}

static void
on_save (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  CapraPanelWindow *self = data;

  if (self->apply)
    apply (self, CAPRA_PANEL_APPLY_PIXELS);
  else
    capra_file_dialogs_save_result (GTK_WINDOW (self), self->document, on_save_chosen, self);
}

static void
on_apply_effects (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  apply (data, CAPRA_PANEL_APPLY_EFFECTS);
}

static void
on_add_step (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  CapraPanelWindow *self = data;

  adw_flap_set_reveal_flap (self->flap, TRUE);
  capra_sidebar_choose_operation (self->sidebar);
}

static void
add_actions (CapraPanelWindow *self)
{
  static const GActionEntry entries[] = {
    { "save", on_save },
    { "apply-effects", on_apply_effects },
    { "add-step", on_add_step },
  };
  g_autoptr (GPropertyAction) sidebar = g_property_action_new ("sidebar", self->flap, "reveal-flap");

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (sidebar));
  capra_view_actions_add (G_ACTION_MAP (self), self->view);
  capra_area_actions_add (GTK_APPLICATION_WINDOW (self), self->header, GTK_WIDGET (self->stack), self->flap,
                          self->sidebar);
}

static CapraWindowParts
get_parts (CapraPanelWindow *self)
{
  return (CapraWindowParts){ GTK_WINDOW (self), self->flap, self->view, self->sidebar };
}

static gboolean
capra_panel_window_close_request (GtkWindow *window)
{
  CapraPanelWindow *self = CAPRA_PANEL_WINDOW (window);
  CapraWindowParts parts = get_parts (self);

  if (capra_host_apply_delay_close (self->host_apply) || capra_saver_delay_close (self->saver))
    return TRUE;
  capra_window_settings_store (self->settings, &parts);
  return GTK_WINDOW_CLASS (capra_panel_window_parent_class)->close_request (window);
}

static void
capra_panel_window_dispose (GObject *object)
{
  CapraPanelWindow *self = CAPRA_PANEL_WINDOW (object);

  capra_document_close (self->document);
  capra_image_view_set_image (self->view, NULL, NULL); /* stops its threads */
  capra_sidebar_set_image (self->sidebar, NULL);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (capra_panel_window_parent_class)->dispose (object);
}

static void
capra_panel_window_finalize (GObject *object)
{
  CapraPanelWindow *self = CAPRA_PANEL_WINDOW (object);

  g_object_unref (self->document);
  g_object_unref (self->steps_offer);
  g_object_unref (self->saver);
  g_object_unref (self->host_apply);
  g_object_unref (self->host_layer);
  G_OBJECT_CLASS (capra_panel_window_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *klass)
{
  g_type_ensure (CAPRA_TYPE_FRAME_BUTTON);
  g_type_ensure (CAPRA_TYPE_IMAGE_VIEW);
  g_type_ensure (CAPRA_TYPE_KEPT_BAR);
  g_type_ensure (CAPRA_TYPE_MESSAGE_BAR);
  g_type_ensure (CAPRA_TYPE_SIDEBAR);
  g_type_ensure (CAPRA_TYPE_TASK_BUTTON);
  g_type_ensure (CAPRA_TYPE_WELCOME);
  gtk_widget_class_set_template_from_resource (klass, CAPRA_PANEL_RESOURCE "window.ui");
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, toasts);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, tasks);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, title);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, header);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, open_button);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, save_button);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, effects_button);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, layer_effects);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, kept_bar);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, message_bar);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, flap);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, stack);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, loading_text);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, frame_button);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, view);
  gtk_widget_class_bind_template_child (klass, CapraPanelWindow, sidebar);
  gtk_widget_class_bind_template_callback (klass, on_errors_changed);
  gtk_widget_class_bind_template_callback (klass, on_settings_changed);
  gtk_widget_class_bind_template_callback (klass, capra_panel_window_show_error);
}

static void
capra_panel_window_class_init (CapraPanelWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_panel_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = capra_panel_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = capra_panel_window_close_request;
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), CAPRA_TOAST_ACTION, "s", on_show_toast);
  bind_template (GTK_WIDGET_CLASS (klass));
}

static void
connect (CapraPanelWindow *self, gpointer object, const char *signal, GCallback callback)
{
  g_signal_connect_object (object, signal, callback, self, G_CONNECT_SWAPPED);
}

static void
capra_panel_window_init (CapraPanelWindow *self)
{
  CapraWindowParts parts;

  gtk_widget_init_template (GTK_WIDGET (self));
  parts = get_parts (self);
  self->document = capra_document_new ();
  self->steps_offer = capra_steps_offer_new (self->document, self->message_bar);
  self->saver = capra_saver_new (GTK_WINDOW (self), self->tasks, capra_document_get_pipeline (self->document));
  self->host_apply = capra_host_apply_new (self->tasks);
  self->host_layer = capra_host_layer_new (self->document, self->message_bar, self->layer_effects);
  capra_image_view_set_pipeline (self->view, capra_document_get_pipeline (self->document));
  capra_canvas_input_add_window_key (capra_image_view_get_canvas (self->view), GTK_WIDGET (self));
  capra_sidebar_set_pipeline (self->sidebar, capra_document_get_pipeline (self->document));
  capra_sidebar_set_view (self->sidebar, self->view);
  capra_sidebar_add_window_key (self->sidebar, GTK_WIDGET (self));
  capra_kept_bar_set_pipeline (self->kept_bar, capra_document_get_pipeline (self->document));
  add_actions (self);
  capra_frame_button_set_document (self->frame_button, self->document);
  connect (self, self->document, "notify::image", G_CALLBACK (on_image_changed));
  connect (self, self->document, "notify::loading", G_CALLBACK (update_page));
  connect (self, self->document, "failed", G_CALLBACK (capra_panel_window_show_error));
  connect (self, self->document, "notice", G_CALLBACK (show_toast));
  connect (self, self->document, "started", G_CALLBACK (hide_error));
  connect (self, capra_document_get_pipeline (self->document), "changed", G_CALLBACK (update_actions));
  connect (self, self->saver, "saved", G_CALLBACK (on_saved));
  connect (self, self->saver, "failed", G_CALLBACK (capra_panel_window_show_error));
  connect (self, self->saver, "done", G_CALLBACK (gtk_window_close));
  connect (self, self->host_apply, "notify::available", G_CALLBACK (update_actions));
  capra_accessible_complete (GTK_WIDGET (self));
  self->settings = capra_window_settings_restore (&parts);
}

static void
set_up_host (CapraPanelWindow *self, CapraPanelApplyFunc apply_func, gpointer data)
{
  g_autoptr (GPropertyAction) selection = g_property_action_new ("selection", self->view, "show-selection");

  self->apply = apply_func;
  self->apply_data = data;
  gtk_widget_set_visible (self->open_button, FALSE);
  gtk_button_set_label (GTK_BUTTON (self->save_button), _ ("_Apply"));
  capra_accessible_complete (self->save_button);
  gtk_widget_set_tooltip_text (self->save_button, _ ("Apply the steps to the image"));
  capra_host_layer_add_actions (self->host_layer, G_ACTION_MAP (self));
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (selection));
}

CapraPanelWindow *
capra_panel_window_new (GtkApplication *application, GeglBuffer *buffer, const char *title,
                        CapraPanelApplyFunc apply_func, gpointer data)
{
  CapraPanelWindow *self = g_object_new (CAPRA_TYPE_PANEL_WINDOW, "application", application, NULL);

  capra_document_actions_add (GTK_APPLICATION_WINDOW (self), self->document, apply_func != NULL);
  capra_copy_actions_add (GTK_APPLICATION_WINDOW (self), self->document);
  if (apply_func)
    set_up_host (self, apply_func, data);
  else
    {
      capra_batch_action_add (GTK_APPLICATION_WINDOW (self), self->document, self->tasks);
      capra_start_actions_add (GTK_APPLICATION_WINDOW (self), self->document);
      capra_start_actions_accept_files (GTK_WIDGET (self->toasts), self->document);
    }
  if (buffer)
    capra_document_set_image (self->document, buffer, title ? title : _ ("Image"));
  update_actions (self);
  return self;
}

void
capra_panel_window_offer_effects (CapraPanelWindow *self)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  gtk_widget_set_visible (self->effects_button, TRUE);
}

void
capra_panel_window_set_progress (CapraPanelWindow *self, double fraction)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  capra_host_apply_set_progress (self->host_apply, fraction);
}

void
capra_panel_window_finish_apply (CapraPanelWindow *self, const GError *error)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  if (capra_host_apply_end (self->host_apply) || !error)
    gtk_window_close (GTK_WINDOW (self));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      CapraStepModel *pipeline = capra_document_get_pipeline (self->document);
      g_autofree char *message = capra_remedy_row_describe_failure (pipeline, error);

      capra_panel_window_show_error (self, message);
    }
}

void
capra_panel_window_set_lost (CapraPanelWindow *self, const char *message)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  capra_host_apply_set_lost (self->host_apply, message != NULL);
  if (message)
    capra_panel_window_show_error (self, message);
  else
    hide_error (self);
}

void
capra_panel_window_add_states (CapraPanelWindow *self, GPtrArray *states)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  capra_document_add_states (self->document, capra_kept_bar_get_steps (self->kept_bar), states);
}

void
capra_panel_window_offer_steps (CapraPanelWindow *self, const char *steps)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  capra_kept_bar_offer (self->kept_bar, steps);
}

void
capra_panel_window_offer_windows (CapraPanelWindow *self, guint count)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  capra_kept_bar_offer_windows (self->kept_bar, count);
}

void
capra_panel_window_close_when_saved (CapraPanelWindow *self)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  capra_saver_close_when_done (self->saver);
  gtk_window_close (GTK_WINDOW (self));
}

void
capra_panel_window_cancel_saving (CapraPanelWindow *self)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  capra_saver_cancel (self->saver);
}

CapraHostLayer *
capra_panel_window_get_host_layer (CapraPanelWindow *self)
{
  return self->host_layer;
}

CapraDocument *
capra_panel_window_get_document (CapraPanelWindow *self)
{
  return self->document;
}

CapraStepModel *
capra_panel_window_get_pipeline (CapraPanelWindow *self)
{
  return capra_document_get_pipeline (self->document);
}

CapraCanvas *
capra_panel_window_get_canvas (CapraPanelWindow *self)
{
  return capra_image_view_get_canvas (self->view);
}

CapraPreview *
capra_panel_window_get_preview (CapraPanelWindow *self)
{
  return capra_image_view_get_preview (self->view);
}
