/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step: one operation of a pipeline with the values of its properties. */
#include "ui/pipeline/steps/step.h"

#include <string.h>

struct _CapraStep {
  GObject parent_instance;
  guint id;
  char *operation;
  char *name; /* NULL if the user gave none */
  char *error;
  char *failed_device;
  gboolean enabled, raw;
  gboolean needs_labels; /* the error is that of an input without them */
  CapraAuxSource *aux;   /* NULL if not connected */
  GHashTable *values;    /* name of a property -> GValue; without defaults */
  GHashTable *results;   /* see capra_step_set_results(); NULL before the first ones */
};

G_DEFINE_FINAL_TYPE (CapraStep, capra_step, G_TYPE_OBJECT)

enum { PROP_0, PROP_ERROR, PROP_RESULTS, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];
static guint changed_signal;
static guint last_id; /* atomic */

static void
value_free (gpointer data)
{
  g_value_unset (data);
  g_free (data);
}

static GValue *
value_copy (const GValue *value)
{
  GValue *copy = g_new0 (GValue, 1);

  g_value_init (copy, G_VALUE_TYPE (value));
  g_value_copy (value, copy);
  return copy;
}

static void
capra_step_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CapraStep *self = CAPRA_STEP (object);

  switch (id)
    {
    case PROP_ERROR: g_value_set_string (value, self->error); break;
    case PROP_RESULTS: g_value_set_boxed (value, self->results); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
capra_step_finalize (GObject *object)
{
  CapraStep *self = CAPRA_STEP (object);

  g_free (self->operation);
  g_free (self->name);
  g_free (self->error);
  g_free (self->failed_device);
  g_clear_pointer (&self->aux, capra_aux_source_unref);
  g_hash_table_unref (self->values);
  g_clear_pointer (&self->results, g_hash_table_unref);
  G_OBJECT_CLASS (capra_step_parent_class)->finalize (object);
}

static void
capra_step_class_init (CapraStepClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = capra_step_get_property;
  object_class->finalize = capra_step_finalize;
  properties[PROP_ERROR] = g_param_spec_string ("error", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_RESULTS] = g_param_spec_boxed ("results", NULL, NULL, G_TYPE_HASH_TABLE,
                                                 G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  changed_signal = g_signal_new ("changed", CAPRA_TYPE_STEP, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
capra_step_init (CapraStep *self)
{
  self->enabled = TRUE;
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, value_free);
}

CapraStep *
capra_step_new (const char *operation)
{
  CapraStep *self;

  g_return_val_if_fail (operation != NULL, NULL);
  self = g_object_new (CAPRA_TYPE_STEP, NULL);
  self->operation = g_strdup (operation);
  self->id = g_atomic_int_add (&last_id, 1) + 1;
  return self;
}

CapraStep *
capra_step_duplicate (CapraStep *step)
{
  CapraStep *copy;
  GHashTableIter iter;
  gpointer name, value;

  g_return_val_if_fail (CAPRA_IS_STEP (step), NULL);
  copy = capra_step_new (step->operation);
  copy->name = g_strdup (step->name);
  copy->enabled = step->enabled;
  copy->raw = step->raw;
  copy->aux = step->aux ? capra_aux_source_ref (step->aux) : NULL;
  g_hash_table_iter_init (&iter, step->values);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_hash_table_insert (copy->values, g_strdup (name), value_copy (value));
  return copy;
}

CapraStep *
capra_step_copy (CapraStep *step)
{
  CapraStep *copy = capra_step_duplicate (step);

  copy->id = step->id;
  return copy;
}

guint
capra_step_get_id (CapraStep *step)
{
  return step->id;
}

const char *
capra_step_get_operation (CapraStep *step)
{
  return step->operation;
}

gboolean
capra_step_get_enabled (CapraStep *step)
{
  return step->enabled;
}

static void
emit_changed (CapraStep *step, const char *name)
{
  g_signal_emit (step, changed_signal, g_quark_from_string (name));
}

void
capra_step_set_enabled (CapraStep *step, gboolean enabled)
{
  g_return_if_fail (CAPRA_IS_STEP (step));
  if (step->enabled == !!enabled)
    return;
  step->enabled = !!enabled;
  emit_changed (step, "enabled");
}

const char *
capra_step_get_name (CapraStep *step)
{
  return step->name;
}

void
capra_step_set_name (CapraStep *step, const char *name)
{
  g_autofree char *clean = g_strdup (name ? name : "");

  g_return_if_fail (CAPRA_IS_STEP (step));
  for (char *at = clean; *at; at++)
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  g_strstrip (clean);
  if (g_strcmp0 (step->name ? step->name : "", clean) == 0)
    return;
  g_free (step->name);
  step->name = *clean ? g_steal_pointer (&clean) : NULL;
  emit_changed (step, "capra-name");
}

char *
capra_step_dup_title (CapraStep *step)
{
  return step->name ? g_strdup (step->name) : capra_operation_get_title (step->operation);
}

gboolean
capra_step_get_raw_values (CapraStep *step)
{
  return step->raw;
}

void
capra_step_set_raw_values (CapraStep *step, gboolean raw)
{
  g_return_if_fail (CAPRA_IS_STEP (step));
  step->raw = raw;
}

const char *
capra_step_get_error (CapraStep *step)
{
  return step->error;
}

const char *
capra_step_get_failed_device (CapraStep *step)
{
  return step->failed_device;
}

gboolean
capra_step_get_needs_labels (CapraStep *step)
{
  return step->error && step->needs_labels;
}

gboolean
capra_step_set_error (CapraStep *step, const CapraStepError *error)
{
  const char *message = error ? error->message : NULL, *device = error ? error->device : NULL;
  gboolean changed = FALSE;

  g_return_val_if_fail (CAPRA_IS_STEP (step), FALSE);
  changed = g_strcmp0 (step->error, message) != 0;
  if (!changed && g_strcmp0 (step->failed_device, device) == 0)
    return FALSE;
  step->needs_labels = error && error->needs_labels;
  g_free (step->failed_device);
  step->failed_device = g_strdup (device);
  if (changed)
    {
      g_free (step->error);
      step->error = g_strdup (message);
      g_object_notify_by_pspec (G_OBJECT (step), properties[PROP_ERROR]);
    }
  return TRUE;
}

gboolean
capra_step_get_result (CapraStep *step, const char *name, double *number)
{
  const double *found = step->results ? g_hash_table_lookup (step->results, name) : NULL;

  if (found)
    *number = *found;
  return found != NULL;
}

static gboolean
have_same_results (GHashTable *a, GHashTable *b)
{
  GHashTableIter iter;
  gpointer name, number;

  if (!a || !b || g_hash_table_size (a) != g_hash_table_size (b))
    return a == b;
  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &name, &number))
    {
      const double *other = g_hash_table_lookup (b, name);

      if (!other || memcmp (number, other, sizeof *other) != 0) /* a NaN equals itself */
        return FALSE;
    }
  return TRUE;
}

void
capra_step_set_results (CapraStep *step, GHashTable *results)
{
  g_return_if_fail (CAPRA_IS_STEP (step));
  if (have_same_results (step->results, results))
    return;
  g_clear_pointer (&step->results, g_hash_table_unref);
  step->results = results ? g_hash_table_ref (results) : NULL;
  g_object_notify_by_pspec (G_OBJECT (step), properties[PROP_RESULTS]);
}

void
capra_step_error_free (CapraStepError *error)
{
  g_free (error->message);
  g_free (error->device);
  g_free (error);
}

void
capra_step_get (CapraStep *step, GParamSpec *property, GValue *value)
{
  const GValue *set = g_hash_table_lookup (step->values, property->name);

  g_value_init (value, G_PARAM_SPEC_VALUE_TYPE (property));
  if (set)
    g_value_copy (set, value);
  else
    g_param_value_set_default (property, value);
}

/* Compares floats with the tolerance of the property, objects by identity. */
static gboolean
values_equal (GParamSpec *property, const GValue *a, const GValue *b)
{
  return g_param_values_cmp (property, a, b) == 0;
}

/* Returns whether the value has changed. */
static gboolean
store (CapraStep *step, GParamSpec *property, const GValue *value)
{
  g_auto (GValue) old = G_VALUE_INIT;
  g_auto (GValue) valid = G_VALUE_INIT;

  capra_step_get (step, property, &old);
  g_value_init (&valid, G_PARAM_SPEC_VALUE_TYPE (property));
  g_value_copy (value, &valid);
  g_param_value_validate (property, &valid);
  if (values_equal (property, &old, &valid))
    return FALSE;
  if (g_param_value_defaults (property, &valid))
    g_hash_table_remove (step->values, property->name);
  else
    g_hash_table_insert (step->values, g_strdup (property->name), value_copy (&valid));
  return TRUE;
}

void
capra_step_set (CapraStep *step, GParamSpec *property, const GValue *value)
{
  g_return_if_fail (CAPRA_IS_STEP (step));
  if (store (step, property, value))
    emit_changed (step, property->name);
}

void
capra_step_set_two (CapraStep *step, GParamSpec *property, const GValue *value, GParamSpec *other,
                    const GValue *other_value)
{
  gboolean changed;

  g_return_if_fail (CAPRA_IS_STEP (step));
  changed = store (step, property, value);
  changed |= store (step, other, other_value);
  if (changed)
    emit_changed (step, property->name);
}

gboolean
capra_step_is_default (CapraStep *step, GParamSpec *property)
{
  return !g_hash_table_contains (step->values, property->name);
}

void
capra_step_reset (CapraStep *step, GParamSpec *property)
{
  g_return_if_fail (CAPRA_IS_STEP (step));
  if (property)
    {
      if (g_hash_table_remove (step->values, property->name))
        emit_changed (step, property->name);
    }
  else
    {
      g_autofree gpointer *names = g_hash_table_get_keys_as_array (step->values, NULL);
      g_autoptr (GHashTable) old = step->values;

      step->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, value_free);
      for (guint i = 0; names[i]; i++)
        emit_changed (step, names[i]);
      capra_step_set_aux (step, NULL);
    }
}

CapraAuxSource *
capra_step_get_aux (CapraStep *step)
{
  return step->aux;
}

void
capra_step_set_aux (CapraStep *step, CapraAuxSource *aux)
{
  g_return_if_fail (CAPRA_IS_STEP (step));
  if (capra_aux_source_equal (step->aux, aux))
    return;
  g_clear_pointer (&step->aux, capra_aux_source_unref);
  step->aux = aux ? capra_aux_source_ref (aux) : NULL;
  emit_changed (step, "aux");
}

/* Emits "changed" for each property whose value is not the one in @before. */
static void
emit_differences (CapraStep *step, GHashTable *before)
{
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (step->operation, &count);

  for (guint i = 0; i < count; i++)
    {
      const GValue *was = g_hash_table_lookup (before, list[i]->name);
      const GValue *is = g_hash_table_lookup (step->values, list[i]->name);

      if (!was != !is || (was && !values_equal (list[i], was, is)))
        emit_changed (step, list[i]->name);
    }
}

gboolean
capra_step_has_values_of (CapraStep *step, CapraStep *other)
{
  guint count;
  g_autofree GParamSpec **list = NULL;
  gboolean same = TRUE;

  g_return_val_if_fail (CAPRA_IS_STEP (step) && CAPRA_IS_STEP (other), FALSE);
  list = capra_operation_get_properties (capra_step_get_operation (step), &count);
  for (guint i = 0; i < count; i++)
    {
      g_auto (GValue) first = G_VALUE_INIT, second = G_VALUE_INIT;

      capra_step_get (step, list[i], &first);
      capra_step_get (other, list[i], &second);
      same &= g_param_values_cmp (list[i], &first, &second) == 0;
    }
  return same;
}

void
capra_step_assign (CapraStep *step, CapraStep *other)
{
  g_autoptr (CapraStep) copy = NULL;
  g_autoptr (GHashTable) before = NULL;

  g_return_if_fail (CAPRA_IS_STEP (step) && CAPRA_IS_STEP (other));
  g_return_if_fail (strcmp (step->operation, other->operation) == 0);
  copy = capra_step_duplicate (other);
  before = step->values;
  step->values = g_hash_table_ref (copy->values);
  emit_differences (step, before);
  capra_step_set_aux (step, other->aux);
  capra_step_set_enabled (step, other->enabled);
  capra_step_set_name (step, other->name);
  step->raw = other->raw;
}
