/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-list: the steps in the sidebar, and the chooser that adds one. */
#include "ui/panel/steps/step-list.h"

#include <adwaita.h>

#include "ui/panel/resources.h"
#include "ui/panel/steps/chooser.h"
#include "ui/panel/steps/preset-popover.h"
#include "ui/panel/steps/step-row.h"
#include "ui/panel/widgets/shortcuts.h"

#define MARGIN 12
#define EXPANSION 300 /* ms: duration of a row's animation */

struct _CapraStepList {
  GtkBox parent_instance;
  GtkWidget *stack, *scroller, *header_bin, *empty, *list, *add_button, *clear_button, *chooser;
  CapraStepModel *model;
  GSettings *settings;
  CapraThumbnails *thumbnails; /* NULL without pictures of the steps */
  GHashTable *expanded;        /* of the ids of the steps whose rows are expanded, also when they are created anew */
  guint timer;                 /* until the new row is allocated */
};

G_DEFINE_FINAL_TYPE (CapraStepList, capra_step_list, GTK_TYPE_BOX)

/* Of a row that is expanding. */
typedef struct {
  guint frames; /* so far */
  gint64 end;   /* of the animation, which the first frame starts */
  int height;   /* in the last frame */
  double value; /* to which the list was scrolled in the last frame */
} Growth;

enum { PROP_0, PROP_MODEL, PROP_SETTINGS, PROP_HEADER, PROP_THUMBNAILS, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];
static guint failed_signal;

/* The step of the row that has the focus is the one that the user works on. */
static void
on_row_focus (GtkEventController *focus, CapraStepList *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (focus);

  capra_step_model_select (self->model, capra_step_row_get_step (CAPRA_STEP_ROW (row)));
}

static void
mark_selected (CapraStepList *self)
{
  CapraStep *selected = capra_step_model_get_selected (self->model);
  GtkWidget *row = gtk_widget_get_first_child (self->list);

  for (; row; row = gtk_widget_get_next_sibling (row))
    if (CAPRA_IS_STEP_ROW (row) && capra_step_row_get_step (CAPRA_STEP_ROW (row)) == selected)
      gtk_widget_add_css_class (row, "capra-selected");
    else
      gtk_widget_remove_css_class (row, "capra-selected");
}

/* Scrolls no further than is needed to show the row: its header, and as much of its properties as fits. */
static void
scroll_to (CapraStepList *self, GtkWidget *row)
{
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW (self->scroller);
  GtkWidget *content = gtk_viewport_get_child (GTK_VIEWPORT (gtk_scrolled_window_get_child (scroller)));
  GtkAdjustment *scroll = gtk_scrolled_window_get_vadjustment (scroller);
  double top = 0, bottom;

  if (!gtk_widget_translate_coordinates (row, content, 0, 0, NULL, &top))
    return;
  top += gtk_widget_get_margin_top (content);
  bottom = top + gtk_widget_get_height (row) + MARGIN;
  gtk_adjustment_set_value (scroll, MIN (top - MARGIN, MAX (gtk_adjustment_get_value (scroll),
                                                            bottom - gtk_adjustment_get_page_size (scroll))));
}

static gboolean
has_focus (GtkWidget *row)
{
  GtkRoot *root = gtk_widget_get_root (row);
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;

  return focus && (focus == row || gtk_widget_is_ancestor (focus, row));
}

/* Keeps the row in sight while it grows, unless the user scrolls or goes on to something else. */
static gboolean
on_growth (GtkWidget *row, GdkFrameClock *clock, gpointer data)
{
  GtkWidget *list = gtk_widget_get_ancestor (row, CAPRA_TYPE_STEP_LIST);
  Growth *growth = data;
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  int height = gtk_widget_get_height (row);
  GtkAdjustment *scroll = NULL;
  gboolean settled;

  if (!list || !has_focus (row) || !adw_expander_row_get_expanded (ADW_EXPANDER_ROW (row)))
    return G_SOURCE_REMOVE;
  scroll = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (CAPRA_STEP_LIST (list)->scroller));
  if (growth->frames++ == 0)
    growth->end = now + EXPANSION * G_TIME_SPAN_MILLISECOND;
  else if (gtk_adjustment_get_value (scroll) != growth->value)
    return G_SOURCE_REMOVE;
  /* The first frames, which may take longer than the animation, do not change the height yet. */
  settled = growth->frames > 3 && now >= growth->end && height == growth->height;
  growth->height = height;
  scroll_to (CAPRA_STEP_LIST (list), row);
  growth->value = gtk_adjustment_get_value (scroll);
  return settled ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

/* Rows that the user expands, which therefore have the focus, come into sight; those of steps that fail while the user
 * works on others do not take these away. */
static void
follow_growth (GtkWidget *row)
{
  if (has_focus (row))
    gtk_widget_add_tick_callback (row, on_growth, g_new0 (Growth, 1), g_free);
}

static void
on_row_expanded (CapraStepList *self, GParamSpec *property, AdwExpanderRow *row)
{
  gpointer id = GUINT_TO_POINTER (capra_step_get_id (capra_step_row_get_step (CAPRA_STEP_ROW (row))));

  if (adw_expander_row_get_expanded (row))
    {
      g_hash_table_add (self->expanded, id);
      follow_growth (GTK_WIDGET (row));
    }
  else
    g_hash_table_remove (self->expanded, id);
}

static void
on_focus_step (CapraStepList *self, guint id)
{
  int position = capra_step_model_find (self->model, id);
  GtkWidget *row = position >= 0 ? capra_step_list_get_row (self, (guint) position) : NULL;

  if (row)
    gtk_widget_child_focus (row, GTK_DIR_TAB_FORWARD);
  else
    gtk_widget_grab_focus (self->add_button);
}

static void
show_picture (CapraStepList *self, CapraStepRow *row)
{
  guint id = capra_step_get_id (capra_step_row_get_step (row));

  capra_step_row_set_picture (row, self->thumbnails ? capra_thumbnails_get (self->thumbnails, id) : NULL);
}

static GtkWidget *
make_row (gpointer item, gpointer data)
{
  CapraStepList *self = data;
  GtkWidget *row = capra_step_row_new (self->model, item);
  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_signal_connect_object (focus, "enter", G_CALLBACK (on_row_focus), self, 0);
  gtk_widget_add_controller (row, focus);

  if (g_hash_table_contains (self->expanded, GUINT_TO_POINTER (capra_step_get_id (item))))
    adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  show_picture (self, CAPRA_STEP_ROW (row));
  g_signal_connect_object (row, "notify::expanded", G_CALLBACK (on_row_expanded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (row, "focus-step", G_CALLBACK (on_focus_step), self, G_CONNECT_SWAPPED);
  return row;
}

static void
show_pictures (CapraStepList *self)
{
  GtkWidget *row;

  for (guint i = 0; (row = capra_step_list_get_row (self, i)); i++)
    show_picture (self, CAPRA_STEP_ROW (row));
}

static void
update (CapraStepList *self)
{
  gboolean any = capra_step_model_get_length (self->model) > 0;

  gtk_widget_set_visible (self->list, any);
  gtk_widget_set_visible (self->empty, !any);
  gtk_widget_set_sensitive (self->clear_button, any);
}

static void
on_clear (CapraStepList *self)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new_with_free_func (g_object_unref);

  capra_step_model_replace (self->model, none);
}

static void
show_page (CapraStepList *self, const char *name)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), name);
}

/* Scrolls to the row of the new step once it is allocated. */
static gboolean
show_new (gpointer data)
{
  CapraStepList *self = data;
  GtkWidget *row = capra_step_list_get_row (self, capra_step_model_get_length (self->model) - 1);

  self->timer = 0;
  if (!row)
    return G_SOURCE_REMOVE;
  scroll_to (self, row);
  gtk_widget_child_focus (row, GTK_DIR_TAB_FORWARD);
  return G_SOURCE_REMOVE;
}

static void
on_chosen (CapraStepList *self, const char *operation)
{
  g_autoptr (CapraStep) step = capra_step_new (operation);

  g_hash_table_add (self->expanded, GUINT_TO_POINTER (capra_step_get_id (step)));
  show_page (self, "steps");
  capra_step_model_insert (self->model, step, -1);
  g_clear_handle_id (&self->timer, g_source_remove);
  self->timer = g_timeout_add (EXPANSION, show_new, self);
}

static void
on_closed (CapraStepList *self)
{
  show_page (self, "steps");
  gtk_widget_grab_focus (self->add_button);
}

/* Steps that were pasted or opened while an operation was to be chosen are seen. */
static void
on_items_changed (CapraStepList *self, guint position, guint removed, guint added)
{
  if (added > 0 && g_str_equal (gtk_stack_get_visible_child_name (GTK_STACK (self->stack)), "chooser"))
    on_closed (self);
}

/* The marked step, whichever widget has the focus. */
static gboolean
on_duplicate_key (GtkWidget *window, GVariant *arguments, gpointer data)
{
  CapraStepList *self = data;
  CapraStep *selected = capra_step_model_get_selected (self->model);
  int position = selected ? capra_step_model_find (self->model, capra_step_get_id (selected)) : -1;
  GtkWidget *row = position >= 0 ? capra_step_list_get_row (self, (guint) position) : NULL;

  if (row && gtk_widget_get_mapped (row))
    gtk_widget_activate_action (row, "step.duplicate", NULL);
  return TRUE;
}

void
capra_step_list_add_window_key (CapraStepList *self, GtkWidget *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  g_return_if_fail (CAPRA_IS_STEP_LIST (self));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        capra_shortcuts_new ("step.duplicate", on_duplicate_key, self));
  gtk_widget_add_controller (window, keys);
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
capra_step_list_set_header (CapraStepList *self, GtkWidget *widget)
{
  g_return_if_fail (CAPRA_IS_STEP_LIST (self));
  adw_bin_set_child (ADW_BIN (self->header_bin), widget);
  if (!widget)
    gtk_widget_set_visible (self->header_bin, FALSE);
  else /* no space and no handle are left above the list while it is hidden */
    g_object_bind_property (widget, "visible", self->header_bin, "visible", G_BINDING_SYNC_CREATE);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_HEADER]);
}

void
capra_step_list_set_settings (CapraStepList *self, GSettings *settings)
{
  g_return_if_fail (CAPRA_IS_STEP_LIST (self));
  if (g_set_object (&self->settings, settings))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SETTINGS]);
}

void
capra_step_list_set_thumbnails (CapraStepList *self, CapraThumbnails *thumbnails)
{
  g_return_if_fail (CAPRA_IS_STEP_LIST (self));
  if (self->thumbnails)
    g_signal_handlers_disconnect_by_data (self->thumbnails, self);
  if (!g_set_object (&self->thumbnails, thumbnails))
    return;
  if (thumbnails)
    g_signal_connect_object (thumbnails, "updated", G_CALLBACK (show_pictures), self, G_CONNECT_SWAPPED);
  show_pictures (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_THUMBNAILS]);
}

static void
on_failed (CapraStepList *self, const char *message)
{
  g_signal_emit (self, failed_signal, 0, message);
}

static void
capra_step_list_constructed (GObject *object)
{
  CapraStepList *self = CAPRA_STEP_LIST (object);

  G_OBJECT_CLASS (capra_step_list_parent_class)->constructed (object);
  gtk_list_box_bind_model (GTK_LIST_BOX (self->list), G_LIST_MODEL (self->model), make_row, self, NULL);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "items-changed", G_CALLBACK (on_items_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "notify::selected", G_CALLBACK (mark_selected), self, G_CONNECT_SWAPPED);
  update (self);
}

static void
capra_step_list_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CapraStepList *self = CAPRA_STEP_LIST (object);

  switch (id)
    {
    case PROP_MODEL: g_value_set_object (value, self->model); break;
    case PROP_SETTINGS: g_value_set_object (value, self->settings); break;
    case PROP_THUMBNAILS: g_value_set_object (value, self->thumbnails); break;
    case PROP_HEADER: g_value_set_object (value, adw_bin_get_child (ADW_BIN (self->header_bin))); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
capra_step_list_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  CapraStepList *self = CAPRA_STEP_LIST (object);

  switch (id)
    {
    case PROP_MODEL: self->model = g_value_dup_object (value); break;
    case PROP_SETTINGS: capra_step_list_set_settings (self, g_value_get_object (value)); break;
    case PROP_THUMBNAILS: capra_step_list_set_thumbnails (self, g_value_get_object (value)); break;
    case PROP_HEADER: capra_step_list_set_header (self, g_value_get_object (value)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
capra_step_list_dispose (GObject *object)
{
  CapraStepList *self = CAPRA_STEP_LIST (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->settings);
  g_clear_object (&self->thumbnails);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (capra_step_list_parent_class)->dispose (object);
}

static void
capra_step_list_finalize (GObject *object)
{
  g_hash_table_unref (CAPRA_STEP_LIST (object)->expanded);
  G_OBJECT_CLASS (capra_step_list_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *klass)
{
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  properties[PROP_MODEL] = g_param_spec_object ("model", NULL, NULL, CAPRA_TYPE_STEP_MODEL,
                                                G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SETTINGS] = g_param_spec_object ("settings", NULL, NULL, G_TYPE_SETTINGS, flags);
  properties[PROP_HEADER] = g_param_spec_object ("header", NULL, NULL, GTK_TYPE_WIDGET, flags);
  properties[PROP_THUMBNAILS] = g_param_spec_object ("thumbnails", NULL, NULL, CAPRA_TYPE_THUMBNAILS, flags);
  g_object_class_install_properties (klass, N_PROPERTIES, properties);
}

static void
capra_step_list_class_init (CapraStepListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->constructed = capra_step_list_constructed;
  object_class->get_property = capra_step_list_get_property;
  object_class->set_property = capra_step_list_set_property;
  object_class->dispose = capra_step_list_dispose;
  object_class->finalize = capra_step_list_finalize;
  install_properties (object_class);
  failed_signal = g_signal_new ("failed", CAPRA_TYPE_STEP_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
  g_type_ensure (CAPRA_TYPE_CHOOSER);
  g_type_ensure (CAPRA_TYPE_PRESET_POPOVER);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "step-list.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, stack);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, scroller);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, header_bin);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, empty);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, list);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, add_button);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, clear_button);
  gtk_widget_class_bind_template_child (widget_class, CapraStepList, chooser);
  gtk_widget_class_bind_template_callback (widget_class, capra_step_list_choose);
  gtk_widget_class_bind_template_callback (widget_class, on_clear);
  gtk_widget_class_bind_template_callback (widget_class, on_chosen);
  gtk_widget_class_bind_template_callback (widget_class, on_closed);
  gtk_widget_class_bind_template_callback (widget_class, on_failed);
}

static void
capra_step_list_init (CapraStepList *self)
{
  self->expanded = g_hash_table_new (NULL, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
capra_step_list_new (CapraStepModel *model)
{
  return g_object_new (CAPRA_TYPE_STEP_LIST, "model", model, NULL);
}
