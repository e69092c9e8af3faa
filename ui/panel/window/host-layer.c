/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host-layer: the layer of a host that a window works on: its state, its effects, and steps that were kept with it. */
#include "ui/panel/window/host-layer.h"

#include <glib/gi18n-lib.h>

#include "ui/pipeline/graph/layer-target.h"

struct _CapraHostLayer {
  GObject parent_instance;
  CapraDocument *document;
  CapraMessageBar *messages;
  GtkDropDown *effects; /* the second item is "with effects" */
  gboolean outdated;    /* the layer has changed since it was read */
  GPtrArray *offered;   /* steps that were kept, until the user restores them */
};

G_DEFINE_FINAL_TYPE (CapraHostLayer, capra_host_layer, G_TYPE_OBJECT)

enum { PROP_WITH_EFFECTS = 1, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];
static guint reload_signal;

static const CapraLayerTarget *
get_target (CapraHostLayer *self)
{
  GeglBuffer *image = capra_document_get_image (self->document);

  return image ? capra_layer_target_get (image) : NULL;
}

gboolean
capra_host_layer_get_with_effects (CapraHostLayer *layer)
{
  g_return_val_if_fail (CAPRA_IS_HOST_LAYER (layer), FALSE);
  return gtk_drop_down_get_selected (layer->effects) == 1;
}

gboolean
capra_host_layer_can_add_effects (CapraHostLayer *layer)
{
  const CapraLayerTarget *target;

  g_return_val_if_fail (CAPRA_IS_HOST_LAYER (layer), FALSE);
  target = get_target (layer);
  return !target || target->n_effects == 0 || target->with_effects;
}

static void
on_restore (guint choice, gpointer data)
{
  CapraHostLayer *self = data;
  g_autoptr (GPtrArray) steps = g_steal_pointer (&self->offered);

  capra_step_model_replace (capra_document_get_pipeline (self->document), steps);
}

static void
show_offer (CapraHostLayer *self)
{
  if (self->offered)
    capra_message_bar_show_choice (self->messages, _ ("Steps that were not applied are kept with this layer."),
                                   _ ("Restore Steps"), NULL, on_restore, self);
  else
    capra_message_bar_hide_choice (self->messages);
}

void
capra_host_layer_set_image (CapraHostLayer *layer, GeglBuffer *pixels, const char *name)
{
  const CapraLayerTarget *target;

  g_return_if_fail (CAPRA_IS_HOST_LAYER (layer));
  layer->outdated = FALSE;
  capra_document_set_image (layer->document, pixels, name);
  target = get_target (layer);
  gtk_widget_set_visible (GTK_WIDGET (layer->effects), target && target->n_effects > 0);
  show_offer (layer); /* in place of a message that the layer has changed */
}

static void
reload (CapraHostLayer *self)
{
  g_signal_emit (self, reload_signal, 0);
}

static void
on_reload_chosen (guint choice, gpointer data)
{
  reload (data);
}

void
capra_host_layer_set_outdated (CapraHostLayer *layer)
{
  g_return_if_fail (CAPRA_IS_HOST_LAYER (layer));
  layer->outdated = TRUE;
  capra_message_bar_show_choice (layer->messages, _ ("The layer or its selection has changed."), _ ("Reload"), NULL,
                                 on_reload_chosen, layer);
}

gboolean
capra_host_layer_reload_outdated (CapraHostLayer *layer)
{
  g_return_val_if_fail (CAPRA_IS_HOST_LAYER (layer), FALSE);
  if (!layer->outdated)
    return FALSE;
  reload (layer);
  capra_document_report_notice (
    layer->document, _ ("The layer or its selection has changed and was read again: look at the result, then apply"));
  return TRUE;
}

void
capra_host_layer_offer_steps (CapraHostLayer *layer, GPtrArray *steps)
{
  g_return_if_fail (CAPRA_IS_HOST_LAYER (layer));
  g_clear_pointer (&layer->offered, g_ptr_array_unref);
  layer->offered = g_ptr_array_ref (steps);
  show_offer (layer);
}

gboolean
capra_host_layer_has_offer (CapraHostLayer *layer)
{
  g_return_val_if_fail (CAPRA_IS_HOST_LAYER (layer), FALSE);
  return layer->offered != NULL;
}

static void
on_reload (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  reload (data);
}

void
capra_host_layer_add_actions (CapraHostLayer *layer, GActionMap *map)
{
  static const GActionEntry entries[] = { { "reload", on_reload } };

  g_return_if_fail (CAPRA_IS_HOST_LAYER (layer));
  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), layer);
}

static void
on_effects_chosen (CapraHostLayer *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WITH_EFFECTS]);
  reload (self);
}

static void
capra_host_layer_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROP_WITH_EFFECTS)
    g_value_set_boolean (value, capra_host_layer_get_with_effects (CAPRA_HOST_LAYER (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_host_layer_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  if (id == PROP_WITH_EFFECTS)
    gtk_drop_down_set_selected (CAPRA_HOST_LAYER (object)->effects, g_value_get_boolean (value) ? 1 : 0);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_host_layer_dispose (GObject *object)
{
  CapraHostLayer *self = CAPRA_HOST_LAYER (object);

  g_clear_object (&self->document);
  g_clear_object (&self->messages);
  g_clear_object (&self->effects);
  g_clear_pointer (&self->offered, g_ptr_array_unref);
  G_OBJECT_CLASS (capra_host_layer_parent_class)->dispose (object);
}

static void
capra_host_layer_class_init (CapraHostLayerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = capra_host_layer_dispose;
  object_class->get_property = capra_host_layer_get_property;
  object_class->set_property = capra_host_layer_set_property;
  properties[PROP_WITH_EFFECTS] = g_param_spec_boolean (
    "with-effects", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  reload_signal = g_signal_new ("reload", CAPRA_TYPE_HOST_LAYER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                0);
}

static void
capra_host_layer_init (CapraHostLayer *self)
{
}

CapraHostLayer *
capra_host_layer_new (CapraDocument *document, CapraMessageBar *messages, GtkDropDown *effects)
{
  CapraHostLayer *self = g_object_new (CAPRA_TYPE_HOST_LAYER, NULL);

  self->document = g_object_ref (document);
  self->messages = g_object_ref (messages);
  self->effects = g_object_ref (effects);
  g_signal_connect_object (effects, "notify::selected", G_CALLBACK (on_effects_chosen), self, G_CONNECT_SWAPPED);
  return self;
}
