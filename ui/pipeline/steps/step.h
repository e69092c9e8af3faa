/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step: one operation of a pipeline with the values of its properties. */
#pragma once

#include "ui/pipeline/steps/aux-source.h"

G_BEGIN_DECLS

/**
 * CapraStep:
 *
 * Emits "changed" with the property's name as detail ("enabled" and "aux" too). Values are never modified in
 * place: objects such as colors are replaced. So a copy can be read by another thread.
 */
#define CAPRA_TYPE_STEP (capra_step_get_type ())
G_DECLARE_FINAL_TYPE (CapraStep, capra_step, CAPRA, STEP, GObject)

CapraStep *capra_step_new (const char *operation);
/* With the same values and the same id, but without an identity in any list. */
CapraStep *capra_step_copy (CapraStep *step);
/* With the same values, as a step of its own. */
CapraStep *capra_step_duplicate (CapraStep *step);

guint capra_step_get_id (CapraStep *step);
const char *capra_step_get_operation (CapraStep *step);
gboolean capra_step_get_enabled (CapraStep *step);
void capra_step_set_enabled (CapraStep *step, gboolean enabled);

/* Whether the pipeline that it is in works on the numbers of files as they are: kept with each step, so that it goes
 * wherever steps go. Announced by nothing. */
gboolean capra_step_get_raw_values (CapraStep *step);
void capra_step_set_raw_values (CapraStep *step, gboolean data);

/* What the preview says of it: %NULL while all is well; announced as "notify::error". */
const char *capra_step_get_error (CapraStep *step);
void capra_step_set_error (CapraStep *step, const char *error);

/* Fills @value (uninitialised) with the set value or the default. */
void capra_step_get (CapraStep *step, GParamSpec *property, GValue *value);
void capra_step_set (CapraStep *step, GParamSpec *property, const GValue *value);
gboolean capra_step_is_default (CapraStep *step, GParamSpec *property);
/* %NULL resets all of them. */
void capra_step_reset (CapraStep *step, GParamSpec *property);

/* What feeds the second input; %NULL: nothing (transfer none). */
CapraAuxSource *capra_step_get_aux (CapraStep *step);
void capra_step_set_aux (CapraStep *step, CapraAuxSource *aux);

/* Takes over the values of @other, which has the same operation. */
void capra_step_assign (CapraStep *step, CapraStep *other);

/* Keys of Capra's operations, translated: what the image on the aux pad is for. */
#define CAPRA_OPERATION_AUX_TITLE "capra:aux-title"
#define CAPRA_OPERATION_AUX_DESCRIPTION "capra:aux-description"

/**
 * capra_operation_get_properties:
 *
 * Returns: (transfer container): the properties that a person can set, in the operation's order
 */
GParamSpec **capra_operation_get_properties (const char *operation, guint *count);
/* One of those by its name, in which "_" is as good as "-"; %NULL if there is none. */
GParamSpec *capra_operation_find_property (const char *operation, const char *name);
/* The enum property, with the key "labels", and its value with which the operation's output is label numbers; %NULL if
 * there is none. */
GParamSpec *capra_operation_find_labels_property (const char *operation, int *value);
/* Whether the operation has a second input. */
gboolean capra_operation_has_aux (const char *operation);
/* The title for people, the name where it has none (g_free). */
char *capra_operation_get_title (const char *operation);

G_END_DECLS
