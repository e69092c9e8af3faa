/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Size-link: keeps the sizes of a step along x and y equal while they are linked. */
#include "ui/panel/steps/size-link.h"

struct _CapraSizeLink {
  GObject parent_instance;
  CapraStep *step;
  GParamSpec *first, *second;
  gboolean linked;
};

G_DEFINE_FINAL_TYPE (CapraSizeLink, capra_size_link, G_TYPE_OBJECT)

enum { PROP_LINKED = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

static gboolean
are_equal (CapraSizeLink *self)
{
  g_auto (GValue) first = G_VALUE_INIT;
  g_auto (GValue) second = G_VALUE_INIT;

  capra_step_get (self->step, self->first, &first);
  capra_step_get (self->step, self->second, &second);
  return g_param_values_cmp (self->first, &first, &second) == 0;
}

static void
set_linked (CapraSizeLink *self, gboolean linked)
{
  g_auto (GValue) first = G_VALUE_INIT;

  if (self->linked == !!linked)
    return;
  self->linked = !!linked;
  if (linked)
    {
      capra_step_get (self->step, self->first, &first);
      capra_step_set (self->step, self->second, &first);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LINKED]);
}

static void
on_changed (CapraSizeLink *self)
{
  if (self->linked && !are_equal (self))
    set_linked (self, FALSE);
}

GParamSpec *
capra_size_link_get_other (CapraSizeLink *self, GParamSpec *property)
{
  g_return_val_if_fail (CAPRA_IS_SIZE_LINK (self), NULL);
  return property == self->first ? self->second : self->first;
}

void
capra_size_link_set_size (CapraSizeLink *self, GParamSpec *property, const GValue *value)
{
  g_return_if_fail (CAPRA_IS_SIZE_LINK (self));
  if (self->linked)
    capra_step_set_two (self->step, property, value, capra_size_link_get_other (self, property), value);
  else
    capra_step_set (self->step, property, value);
}

static void
capra_size_link_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_boolean (value, CAPRA_SIZE_LINK (object)->linked);
}

static void
capra_size_link_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  set_linked (CAPRA_SIZE_LINK (object), g_value_get_boolean (value));
}

static void
capra_size_link_finalize (GObject *object)
{
  CapraSizeLink *self = CAPRA_SIZE_LINK (object);

  g_clear_object (&self->step);
  g_clear_pointer (&self->first, g_param_spec_unref);
  g_clear_pointer (&self->second, g_param_spec_unref);
  G_OBJECT_CLASS (capra_size_link_parent_class)->finalize (object);
}

static void
capra_size_link_class_init (CapraSizeLinkClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = capra_size_link_get_property;
  object_class->set_property = capra_size_link_set_property;
  object_class->finalize = capra_size_link_finalize;
  properties[PROP_LINKED] = g_param_spec_boolean ("linked", NULL, NULL, FALSE,
                                                  G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
capra_size_link_init (CapraSizeLink *self)
{
}

CapraSizeLink *
capra_size_link_new (CapraStep *step, GParamSpec *first, GParamSpec *second)
{
  CapraSizeLink *self = g_object_new (CAPRA_TYPE_SIZE_LINK, NULL);

  self->step = g_object_ref (step);
  self->first = g_param_spec_ref (first);
  self->second = g_param_spec_ref (second);
  self->linked = are_equal (self);
  g_signal_connect_object (step, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  return self;
}
