/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value-list: the values that one property takes in turn (--for). */
#pragma once

#include "ui/cli/run/run-graph.h"

G_BEGIN_DECLS

/**
 * RunValues:
 * @property: its name
 * @step: the index of its step
 * @texts: NULL-terminated
 * @count: the number of @texts
 */
typedef struct {
  GParamSpec *property;
  guint step;
  GStrv texts;
  guint count;
} RunValues;

/**
 * run_values_new:
 * @argument: "PROPERTY=FILE" or "NUMBER.PROPERTY=FILE", with the number of the step from 1
 *
 * Reads the values: one per line, without empty lines and lines that begin with "#".
 *
 * Returns: (nullable): %NULL with @error set, also if a line cannot be a value of the property
 */
RunValues *run_values_new (const char *argument, RunGraph *graph, GError **error);
void run_values_free (RunValues *values);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunValues, run_values_free)

/* Sets the property of @graph to the value at @index. */
void run_values_apply (const RunValues *values, guint index, RunGraph *graph);

G_END_DECLS
