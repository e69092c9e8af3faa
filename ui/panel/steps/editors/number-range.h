/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number-range: the range of a numeric property, and the part of it that a slider covers. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * CapraNumberRange:
 * @minimum, @maximum: valid values
 * @ui_minimum, @ui_maximum: values that the slider covers
 * @gamma: above 1 if small values get more of the slider
 * @step, @page: increments of the arrow keys and of Page Up and Page Down
 * @digits: decimal places
 * @unlimited: whether 0 stands for no limit
 */
typedef struct {
  double minimum, maximum;
  double ui_minimum, ui_maximum;
  double gamma, step, page;
  int digits;
  gboolean unlimited;
} CapraNumberRange;

/* @property: of type double, int or uint; GEGL's own types also define the slider. */
void capra_number_range_init (CapraNumberRange *range, GParamSpec *property);
/* FALSE if the slider would cover too many values to be useful. */
gboolean capra_number_range_has_slider (const CapraNumberRange *range);
/* The position of @number on a slider from 0 to 1. */
double capra_number_range_to_position (const CapraNumberRange *range, double number);
/* The number at that position, rounded to the displayed digits. */
double capra_number_range_from_position (const CapraNumberRange *range, double position);

/* Values of type double, int or uint as doubles. */
double capra_number_get (const GValue *value);
void capra_number_set (GValue *value, double number);

G_END_DECLS
