/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Task: work that takes long, with its progress, which the user can cancel. */
#include "ui/panel/widgets/task.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/widgets/preparation.h"

struct _CapraTask {
  GObject parent_instance;
  char *title;
  double fraction;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (CapraTask, capra_task, G_TYPE_OBJECT)

enum { PROP_TITLE = 1, PROP_FRACTION, PROP_DETAIL, PROP_CANCELED, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];
static guint ended_signal;

const char *
capra_task_get_title (CapraTask *task)
{
  g_return_val_if_fail (CAPRA_IS_TASK (task), NULL);
  return task->title;
}

double
capra_task_get_fraction (CapraTask *task)
{
  g_return_val_if_fail (CAPRA_IS_TASK (task), 0.0);
  return task->fraction;
}

void
capra_task_set_fraction (CapraTask *task, double fraction)
{
  g_return_if_fail (CAPRA_IS_TASK (task));
  task->fraction = CLAMP (fraction, 0.0, 1.0);
  g_object_notify_by_pspec (G_OBJECT (task), properties[PROP_FRACTION]);
  g_object_notify_by_pspec (G_OBJECT (task), properties[PROP_DETAIL]);
}

void
capra_task_cancel (CapraTask *task)
{
  g_return_if_fail (CAPRA_IS_TASK (task));
  g_cancellable_cancel (task->cancellable);
  g_object_notify_by_pspec (G_OBJECT (task), properties[PROP_CANCELED]);
  g_object_notify_by_pspec (G_OBJECT (task), properties[PROP_DETAIL]);
}

gboolean
capra_task_get_canceled (CapraTask *task)
{
  g_return_val_if_fail (CAPRA_IS_TASK (task), FALSE);
  return g_cancellable_is_cancelled (task->cancellable);
}

void
capra_task_end (CapraTask *task)
{
  g_return_if_fail (CAPRA_IS_TASK (task));
  g_signal_emit (task, ended_signal, 0);
}

/* While kernels are built, that is what takes long. */
static char *
describe (CapraTask *self)
{
  const char *preparation = capra_preparation_get_message ();

  if (capra_task_get_canceled (self))
    return g_strdup (_ ("Canceling…"));
  return preparation ? g_strdup (preparation) : g_strdup_printf ("%d %%", (int) (self->fraction * 100.0));
}

static void
capra_task_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CapraTask *self = CAPRA_TASK (object);

  switch (id)
    {
    case PROP_TITLE: g_value_set_string (value, self->title); break;
    case PROP_FRACTION: g_value_set_double (value, self->fraction); break;
    case PROP_DETAIL: g_value_take_string (value, describe (self)); break;
    case PROP_CANCELED: g_value_set_boolean (value, capra_task_get_canceled (self)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_task_finalize (GObject *object)
{
  CapraTask *self = CAPRA_TASK (object);

  g_free (self->title);
  g_object_unref (self->cancellable);
  G_OBJECT_CLASS (capra_task_parent_class)->finalize (object);
}

static void
capra_task_class_init (CapraTaskClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = capra_task_get_property;
  object_class->finalize = capra_task_finalize;
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  properties[PROP_FRACTION] = g_param_spec_double ("fraction", NULL, NULL, 0.0, 1.0, 0.0, flags);
  properties[PROP_DETAIL] = g_param_spec_string ("detail", NULL, NULL, NULL, flags);
  properties[PROP_CANCELED] = g_param_spec_boolean ("canceled", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  ended_signal = g_signal_new ("ended", CAPRA_TYPE_TASK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
capra_task_init (CapraTask *self)
{
}

CapraTask *
capra_task_new (const char *title, GCancellable *cancellable)
{
  CapraTask *self = g_object_new (CAPRA_TYPE_TASK, NULL);

  self->title = g_strdup (title);
  self->cancellable = g_object_ref (cancellable);
  return self;
}
