/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The colors of labels, the same for C and for kernels.
 *
 * The hue advances by the golden ratio of the circle, so that neighboring numbers get hues far apart; in addition
 * every second and third number differs in saturation and lightness. */
#ifndef CAPRA_LABEL_COLOR_H
#define CAPRA_LABEL_COLOR_H

#include "algorithms/common/params.h"

/* A byte of the color of a label other than 0. Channel 0 is red, 1 green, 2 blue. */
static inline cl_uint
label_color_channel (cl_uint label, int channel)
{
  cl_uint hue = label * 2654435769u >> 16; /* 2^32 divided by the golden ratio */
  cl_uint turn = (5 - 2 * channel) * 65536 / 6;
  cl_float value = 1.0f - 0.15f * (cl_float) (label % 3);
  cl_float saturation = 0.55f + 0.3f * (cl_float) (label % 2);
  /* The channel is a trapezium over the circle, whose six sextants begin `turn` ahead. */
  cl_float angle = (cl_float) ((hue + turn) & 0xffff) * (6.0f / 65536.0f);
  cl_float part = angle < 4.0f - angle ? angle : 4.0f - angle;

  part = part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part;
  return (cl_uint) (value * (1.0f - saturation * part) * 255.0f + 0.5f);
}

#endif
