/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks: round numbers on an axis, with their labels. */
#pragma once

#include "ui/display/stretch.h"

G_BEGIN_DECLS

/**
 * CapraTick:
 * @label: (nullable): in Pango's markup; %NULL for a small tick
 */
typedef struct {
  double value;
  char *label;
} CapraTick;

/**
 * CapraTicks:
 * @list: (element-type CapraTick): ascending
 * @factor: (nullable): by which all labels have to be multiplied, in Pango's markup
 */
typedef struct {
  GArray *list;
  char *factor;
} CapraTicks;

void capra_ticks_free (CapraTicks *ticks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraTicks, capra_ticks_free)

/* The smallest step of 1, 2 or 5 times a power of ten with at most @most steps from @low to @high. */
double capra_ticks_get_step (double low, double high, guint most);

/* @most: number of labels; @low < @high */
CapraTicks *capra_ticks_linear (double low, double high, guint most);
/* 0 < @low < @high. Powers of ten; over less than two of them, other round numbers, too. */
CapraTicks *capra_ticks_log (double low, double high, guint most);
/* Round values on the bar of a stretch. @gap: least distance of two labels, as a share of the bar */
CapraTicks *capra_ticks_stretch (const CapraStretch *stretch, double gap);

/* @value with that number of decimals and a minus sign. */
char *capra_ticks_format (double value, int decimals);

G_END_DECLS
