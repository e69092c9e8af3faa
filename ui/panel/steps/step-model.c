/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-model: the list of steps of a pipeline, with undo and redo.
 *
 * The history is a list of snapshots. Changes of one property less than a second apart, such as those of a slider being
 * dragged, are one entry. */
#include "ui/panel/steps/step-model.h"

#include <string.h>

#define MERGE_WITHIN (G_USEC_PER_SEC)
#define MAX_HISTORY 500

struct _CapraStepModel {
  GObject parent_instance;
  GPtrArray *steps;
  GPtrArray *history; /* of GPtrArray of CapraStep; [now] is the current state */
  guint now;
  GQuark last_property; /* changed by the last entry; 0 if later changes must not be merged into it */
  guint last_id;
  gint64 last_time;
  gboolean restoring, raw;
  gboolean grouping, grouped; /* within one change; it has an entry already */
  guint selected;             /* id of a step; 0 for none */
};

static void list_model_init (GListModelInterface *iface);
static void on_step_changed (CapraStep *step, gpointer data);

G_DEFINE_FINAL_TYPE_WITH_CODE (CapraStepModel, capra_step_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

enum { PROP_0, PROP_CAN_UNDO, PROP_CAN_REDO, PROP_SELECTED, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];
static guint changed_signal;

static GType
get_item_type (GListModel *model)
{
  return CAPRA_TYPE_STEP;
}

static guint
get_n_items (GListModel *model)
{
  return CAPRA_STEP_MODEL (model)->steps->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  CapraStepModel *self = CAPRA_STEP_MODEL (model);

  return position < self->steps->len ? g_object_ref (self->steps->pdata[position]) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
capra_step_model_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CapraStepModel *self = CAPRA_STEP_MODEL (object);

  switch (id)
    {
    case PROP_CAN_UNDO: g_value_set_boolean (value, capra_step_model_can_undo (self)); break;
    case PROP_CAN_REDO: g_value_set_boolean (value, capra_step_model_can_redo (self)); break;
    case PROP_SELECTED: g_value_set_object (value, capra_step_model_get_selected (self)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
capra_step_model_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SELECTED)
    capra_step_model_select (CAPRA_STEP_MODEL (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
remove_step (CapraStepModel *self, CapraStep *step)
{
  g_signal_handlers_disconnect_by_data (step, self);
  g_object_unref (step);
}

static void
capra_step_model_finalize (GObject *object)
{
  CapraStepModel *self = CAPRA_STEP_MODEL (object);

  for (guint i = 0; i < self->steps->len; i++)
    remove_step (self, self->steps->pdata[i]);
  g_ptr_array_unref (self->steps);
  g_ptr_array_unref (self->history);
  G_OBJECT_CLASS (capra_step_model_parent_class)->finalize (object);
}

static void
capra_step_model_class_init (CapraStepModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = capra_step_model_get_property;
  object_class->set_property = capra_step_model_set_property;
  object_class->finalize = capra_step_model_finalize;
  properties[PROP_CAN_UNDO] = g_param_spec_boolean ("can-undo", NULL, NULL, FALSE,
                                                    G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_CAN_REDO] = g_param_spec_boolean ("can-redo", NULL, NULL, FALSE,
                                                    G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SELECTED] = g_param_spec_object (
    "selected", NULL, NULL, CAPRA_TYPE_STEP, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  changed_signal = g_signal_new ("changed", CAPRA_TYPE_STEP_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 0);
}

static void
capra_step_model_init (CapraStepModel *self)
{
  self->steps = g_ptr_array_new ();
  self->history = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_ptr_array_add (self->history, g_ptr_array_new_with_free_func (g_object_unref));
}

CapraStepModel *
capra_step_model_new (void)
{
  return g_object_new (CAPRA_TYPE_STEP_MODEL, NULL);
}

guint
capra_step_model_get_length (CapraStepModel *model)
{
  return model->steps->len;
}

CapraStep *
capra_step_model_get_step (CapraStepModel *model, guint position)
{
  return position < model->steps->len ? model->steps->pdata[position] : NULL;
}

int
capra_step_model_find (CapraStepModel *model, guint id)
{
  for (guint i = 0; i < model->steps->len; i++)
    if (capra_step_get_id (model->steps->pdata[i]) == id)
      return (int) i;
  return -1;
}

GPtrArray *
capra_step_model_snapshot (CapraStepModel *model)
{
  GPtrArray *copy = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < model->steps->len; i++)
    g_ptr_array_add (copy, capra_step_copy (model->steps->pdata[i]));
  return copy;
}

static void
emit_changed (CapraStepModel *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CAN_UNDO]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CAN_REDO]);
  g_signal_emit (self, changed_signal, 0);
}

/* Adds the current state to the history. @id and @property: what changed, 0 for the list itself. */
static void
record (CapraStepModel *self, guint id, GQuark property)
{
  gint64 time = g_get_monotonic_time ();
  gboolean follows = property && property == self->last_property && id == self->last_id
                     && time - self->last_time < MERGE_WITHIN;
  gboolean merge = self->now > 0 && (self->grouping ? self->grouped : follows);

  g_ptr_array_set_size (self->history, (int) self->now + 1);
  if (merge)
    g_ptr_array_set_size (self->history, (int) self->now);
  else
    self->now++;
  g_ptr_array_add (self->history, capra_step_model_snapshot (self));
  if (self->history->len > MAX_HISTORY)
    {
      g_ptr_array_remove_index (self->history, 0);
      self->now--;
    }
  self->last_id = id;
  self->last_property = property;
  self->last_time = time;
  self->grouped = self->grouping;
  emit_changed (self);
}

static void
on_step_changed (CapraStep *step, gpointer data)
{
  CapraStepModel *self = data;
  GSignalInvocationHint *hint = g_signal_get_invocation_hint (step);

  if (!self->restoring)
    record (self, capra_step_get_id (step), hint ? hint->detail : 0);
}

static CapraStep *
adopt (CapraStepModel *self, CapraStep *step)
{
  g_signal_connect (step, "changed", G_CALLBACK (on_step_changed), self);
  return g_object_ref (step);
}

void
capra_step_model_insert (CapraStepModel *model, CapraStep *step, int position)
{
  g_return_if_fail (CAPRA_IS_STEP_MODEL (model) && CAPRA_IS_STEP (step));
  capra_step_set_raw_values (step, model->raw);
  if (position < 0 || position > (int) model->steps->len)
    position = (int) model->steps->len;
  g_ptr_array_insert (model->steps, position, adopt (model, step));
  g_list_model_items_changed (G_LIST_MODEL (model), position, 0, 1);
  record (model, 0, 0);
}

void
capra_step_model_remove (CapraStepModel *model, CapraStep *step)
{
  guint position;

  g_return_if_fail (CAPRA_IS_STEP_MODEL (model));
  if (!g_ptr_array_find (model->steps, step, &position))
    return;
  g_ptr_array_remove_index (model->steps, position);
  remove_step (model, step);
  g_list_model_items_changed (G_LIST_MODEL (model), position, 1, 0);
  record (model, 0, 0);
}

void
capra_step_model_move (CapraStepModel *model, CapraStep *step, guint position)
{
  guint from, low, high;

  g_return_if_fail (CAPRA_IS_STEP_MODEL (model));
  if (!g_ptr_array_find (model->steps, step, &from))
    return;
  position = MIN (position, model->steps->len - 1);
  if (from == position)
    return;
  g_ptr_array_remove_index (model->steps, from);
  g_ptr_array_insert (model->steps, (int) position, step);
  low = MIN (from, position);
  high = MAX (from, position);
  g_list_model_items_changed (G_LIST_MODEL (model), low, high - low + 1, high - low + 1);
  record (model, 0, 0);
}

/* Whether a step can become @wanted by changing its values. */
static gboolean
is_same_step (CapraStep *step, CapraStep *wanted)
{
  return capra_step_get_id (step) == capra_step_get_id (wanted)
         && strcmp (capra_step_get_operation (step), capra_step_get_operation (wanted)) == 0;
}

/* Restores the list in @state; reuses steps, so that their rows stay expanded. */
static void
restore (CapraStepModel *self, GPtrArray *state)
{
  GPtrArray *list = g_ptr_array_new ();
  guint old_length = self->steps->len, head = 0, tail = 0;
  g_autoptr (GPtrArray) old = NULL;

  self->restoring = TRUE;
  for (guint i = 0; i < state->len; i++)
    {
      CapraStep *wanted = state->pdata[i];
      int at = capra_step_model_find (self, capra_step_get_id (wanted));

      if (at >= 0 && is_same_step (self->steps->pdata[at], wanted))
        {
          g_ptr_array_add (list, g_object_ref (self->steps->pdata[at]));
          capra_step_assign (self->steps->pdata[at], wanted);
        }
      else
        {
          g_autoptr (CapraStep) copy = capra_step_copy (wanted);

          g_ptr_array_add (list, g_object_ref (copy));
        }
    }
  while (head < MIN (old_length, list->len) && self->steps->pdata[head] == list->pdata[head])
    head++;
  while (tail < MIN (old_length, list->len) - head
         && self->steps->pdata[old_length - 1 - tail] == list->pdata[list->len - 1 - tail])
    tail++;

  old = self->steps;
  self->steps = list;
  if (list->len > 0)
    self->raw = capra_step_get_raw_values (list->pdata[0]);
  for (guint i = 0; i < old->len; i++)
    remove_step (self, old->pdata[i]);
  for (guint i = 0; i < list->len; i++)
    g_signal_connect (list->pdata[i], "changed", G_CALLBACK (on_step_changed), self);
  if (head + tail < old_length || head + tail < list->len)
    g_list_model_items_changed (G_LIST_MODEL (self), head, old_length - head - tail, list->len - head - tail);
  self->restoring = FALSE;
}

void
capra_step_model_replace (CapraStepModel *model, GPtrArray *steps)
{
  g_return_if_fail (CAPRA_IS_STEP_MODEL (model));
  restore (model, steps);
  record (model, 0, 0);
}

CapraStep *
capra_step_model_get_selected (CapraStepModel *model)
{
  int position = model->selected ? capra_step_model_find (model, model->selected) : -1;

  return position >= 0 ? model->steps->pdata[position] : NULL;
}

void
capra_step_model_select (CapraStepModel *model, CapraStep *step)
{
  guint id = step ? capra_step_get_id (step) : 0;

  g_return_if_fail (CAPRA_IS_STEP_MODEL (model));
  if (id == model->selected)
    return;
  model->selected = id;
  g_object_notify_by_pspec (G_OBJECT (model), properties[PROP_SELECTED]);
}

void
capra_step_model_begin_change (CapraStepModel *model)
{
  g_return_if_fail (CAPRA_IS_STEP_MODEL (model) && !model->grouping);
  model->grouping = TRUE;
  model->grouped = FALSE;
}

void
capra_step_model_end_change (CapraStepModel *model)
{
  g_return_if_fail (CAPRA_IS_STEP_MODEL (model));
  model->grouping = FALSE;
}

gboolean
capra_step_model_get_raw_values (CapraStepModel *model)
{
  return model->raw;
}

void
capra_step_model_set_raw_values (CapraStepModel *model, gboolean raw)
{
  g_return_if_fail (CAPRA_IS_STEP_MODEL (model));
  if (model->raw == !!raw)
    return;
  model->raw = !!raw;
  for (guint i = 0; i < model->steps->len; i++)
    capra_step_set_raw_values (model->steps->pdata[i], model->raw);
  if (model->steps->len > 0)
    record (model, 0, 0);
  else
    emit_changed (model);
}

gboolean
capra_step_model_can_undo (CapraStepModel *model)
{
  return model->now > 0;
}

gboolean
capra_step_model_can_redo (CapraStepModel *model)
{
  return model->now + 1 < model->history->len;
}

static void
go (CapraStepModel *self, guint to)
{
  self->now = to;
  self->last_property = 0;
  self->grouped = FALSE;
  restore (self, self->history->pdata[to]);
  emit_changed (self);
}

void
capra_step_model_undo (CapraStepModel *model)
{
  g_return_if_fail (CAPRA_IS_STEP_MODEL (model));
  if (capra_step_model_can_undo (model))
    go (model, model->now - 1);
}

void
capra_step_model_redo (CapraStepModel *model)
{
  g_return_if_fail (CAPRA_IS_STEP_MODEL (model));
  if (capra_step_model_can_redo (model))
    go (model, model->now + 1);
}
