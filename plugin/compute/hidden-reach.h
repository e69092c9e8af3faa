/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Hidden reach: how far a change of the input alters the last digits of a result, beyond what GEGL invalidates. */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

/* Pixels to each side. */
typedef struct {
  gint x, y;
} CapraHiddenReach;

/* The hidden reach of @operation itself, of any class. */
typedef CapraHiddenReach (*CapraHiddenReachFunc) (GeglOperation *operation);

/* Enlarges @rect, which GEGL has invalidated, by the hidden reach of @operation and of the operations upstream, so that
 * what is stored outside of it equals a new computation to the byte. */
void capra_hidden_reach_add (GeglOperation *operation, CapraHiddenReachFunc get_own, GeglRectangle *rect);

G_END_DECLS
