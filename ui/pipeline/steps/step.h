/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step: one operation of a pipeline with the values of its properties. */
#pragma once

#include "ui/pipeline/steps/aux-source.h"

G_BEGIN_DECLS

/**
 * CapraStep:
 *
 * Emits "changed" with the name of the property as its detail, also "enabled", "aux" and "capra-name". Values are
 * immutable: objects such as colors are replaced, not modified. So another thread can read a copy.
 */
#define CAPRA_TYPE_STEP (capra_step_get_type ())
G_DECLARE_FINAL_TYPE (CapraStep, capra_step, CAPRA, STEP, GObject)

CapraStep *capra_step_new (const char *operation);
/* A snapshot with the same values and the same id. */
CapraStep *capra_step_copy (CapraStep *step);
/* A new step with the same values and another id. */
CapraStep *capra_step_duplicate (CapraStep *step);

guint capra_step_get_id (CapraStep *step);
const char *capra_step_get_operation (CapraStep *step);
/* (nullable): the name that the user gave to the step. */
const char *capra_step_get_name (CapraStep *step);
/* @name: (nullable): without control characters; %NULL or empty for none */
void capra_step_set_name (CapraStep *step, const char *name);
/* The name, or the title of the operation (g_free). */
char *capra_step_dup_title (CapraStep *step);
gboolean capra_step_get_enabled (CapraStep *step);
void capra_step_set_enabled (CapraStep *step, gboolean enabled);

/* Whether the step's pipeline works on raw values, see capra_raw_values_load(). It is stored with each step, so that
 * copies and texts of steps keep it. Changes emit no signal. */
gboolean capra_step_get_raw_values (CapraStep *step);
void capra_step_set_raw_values (CapraStep *step, gboolean raw);

/**
 * CapraStepError:
 * @message: the error message
 * @device: (nullable): the id of the device that failed; %NULL if the cause is not a device
 * @needs_labels: whether the cause is an input without the numbers of regions
 */
typedef struct {
  char *message;
  char *device;
  gboolean needs_labels;
} CapraStepError;

void capra_step_error_free (CapraStepError *error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraStepError, capra_step_error_free)

/* (nullable): the error message of the preview; notified as "error". */
const char *capra_step_get_error (CapraStep *step);
/* (nullable): the id of the device whose failure is the error. */
const char *capra_step_get_failed_device (CapraStep *step);
/* Whether the step has failed since its input does not have the numbers of regions. */
gboolean capra_step_get_needs_labels (CapraStep *step);
/* @error: (nullable): %NULL if the step has not failed. Returns whether the error has changed. */
gboolean capra_step_set_error (CapraStep *step, const CapraStepError *error);

/* Whether the preview has found the number @name, such as "threshold"; notified as "results". */
gboolean capra_step_get_result (CapraStep *step, const char *name, double *number);
/* @results: (nullable): as in capra_graph_get_results(). */
void capra_step_set_results (CapraStep *step, GHashTable *results);

/* Initializes @value with the value that was set, or with the default. */
void capra_step_get (CapraStep *step, GParamSpec *property, GValue *value);
void capra_step_set (CapraStep *step, GParamSpec *property, const GValue *value);
/* Sets two values as one change, which emits "changed" for @property only. */
void capra_step_set_two (CapraStep *step, GParamSpec *property, const GValue *value, GParamSpec *other,
                         const GValue *other_value);
gboolean capra_step_is_default (CapraStep *step, GParamSpec *property);
/* @property: (nullable): %NULL resets all properties and the second input */
void capra_step_reset (CapraStep *step, GParamSpec *property);

/* (nullable) (transfer none): the source of the second input */
CapraAuxSource *capra_step_get_aux (CapraStep *step);
void capra_step_set_aux (CapraStep *step, CapraAuxSource *aux);

/* Whether all properties have the values that they have in @other, a step of the same operation. */
gboolean capra_step_has_values_of (CapraStep *step, CapraStep *other);
/* Copies the values of @other, a step of the same operation. */
void capra_step_assign (CapraStep *step, CapraStep *other);

/* Keys of Capra's operations, translated: what the image on the aux pad is for. */
#define CAPRA_OPERATION_AUX_TITLE "capra:aux-title"
#define CAPRA_OPERATION_AUX_DESCRIPTION "capra:aux-description"

/**
 * capra_operation_get_properties:
 *
 * Returns: (transfer container): the properties that the user can set, in the order of the operation
 */
GParamSpec **capra_operation_get_properties (const char *operation, guint *count);
/* (nullable): the settable property @name; "_" in it is equal to "-". */
GParamSpec *capra_operation_find_property (const char *operation, const char *name);
/* (nullable): the enum property with the key "labels". @value: the value with which the operation outputs labels. */
GParamSpec *capra_operation_find_labels_property (const char *operation, int *value);
/* Whether GEGL has the operation, and does not crash in it. */
gboolean capra_operation_is_known (const char *operation);
/* Whether the operation writes a table; then its result is its input. */
gboolean capra_operation_has_table (const char *operation);
/* Whether the operation computes with the numbers of regions if its input renders these, otherwise with colors. */
gboolean capra_operation_reads_numbers (const char *operation);
/* Whether the operation has a second input (aux). */
gboolean capra_operation_has_aux (const char *operation);
/* The translated title, or the name if it has no title (g_free). */
char *capra_operation_get_title (const char *operation);

G_END_DECLS
