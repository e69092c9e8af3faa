/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host-apply: state of applying the steps to a host's image. */
#include "ui/panel/window/host-apply.h"

#include <glib/gi18n-lib.h>

struct _CapraHostApply {
  GObject parent_instance;
  CapraTaskButton *tasks;
  GCancellable *cancellable; /* while the host is applying */
  CapraTask *task;           /* likewise */
  gboolean lost;
  gboolean closing; /* the window is to be closed when the host is done */
};

G_DEFINE_FINAL_TYPE (CapraHostApply, capra_host_apply, G_TYPE_OBJECT)

enum { PROP_AVAILABLE = 1, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

gboolean
capra_host_apply_get_available (CapraHostApply *self)
{
  g_return_val_if_fail (CAPRA_IS_HOST_APPLY (self), FALSE);
  return !self->cancellable && !self->lost;
}

void
capra_host_apply_set_lost (CapraHostApply *self, gboolean lost)
{
  g_return_if_fail (CAPRA_IS_HOST_APPLY (self));
  self->lost = lost;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AVAILABLE]);
}

GCancellable *
capra_host_apply_begin (CapraHostApply *self)
{
  g_return_val_if_fail (CAPRA_IS_HOST_APPLY (self), NULL);
  g_return_val_if_fail (!self->cancellable, NULL);
  self->cancellable = g_cancellable_new ();
  self->task = capra_task_new (_ ("Applying the steps"), self->cancellable);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AVAILABLE]);
  return self->cancellable;
}

void
capra_host_apply_set_progress (CapraHostApply *self, double fraction)
{
  g_return_if_fail (CAPRA_IS_HOST_APPLY (self));
  g_return_if_fail (self->task);
  capra_task_set_fraction (self->task, fraction);
  capra_task_button_add (self->tasks, self->task);
}

gboolean
capra_host_apply_end (CapraHostApply *self)
{
  g_return_val_if_fail (CAPRA_IS_HOST_APPLY (self), FALSE);
  g_return_val_if_fail (self->cancellable, FALSE);
  capra_task_end (self->task);
  g_clear_object (&self->task);
  g_clear_object (&self->cancellable);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AVAILABLE]);
  return self->closing;
}

gboolean
capra_host_apply_delay_close (CapraHostApply *self)
{
  g_return_val_if_fail (CAPRA_IS_HOST_APPLY (self), FALSE);
  if (!self->cancellable)
    return FALSE;
  self->closing = TRUE;
  g_cancellable_cancel (self->cancellable);
  return TRUE;
}

static void
capra_host_apply_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROP_AVAILABLE)
    g_value_set_boolean (value, capra_host_apply_get_available (CAPRA_HOST_APPLY (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_host_apply_dispose (GObject *object)
{
  CapraHostApply *self = CAPRA_HOST_APPLY (object);

  g_clear_object (&self->task);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->tasks);
  G_OBJECT_CLASS (capra_host_apply_parent_class)->dispose (object);
}

static void
capra_host_apply_class_init (CapraHostApplyClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = capra_host_apply_dispose;
  object_class->get_property = capra_host_apply_get_property;
  properties[PROP_AVAILABLE] = g_param_spec_boolean ("available", NULL, NULL, TRUE,
                                                     G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
capra_host_apply_init (CapraHostApply *self)
{
}

CapraHostApply *
capra_host_apply_new (CapraTaskButton *tasks)
{
  CapraHostApply *self = g_object_new (CAPRA_TYPE_HOST_APPLY, NULL);

  self->tasks = g_object_ref (tasks);
  return self;
}
