/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number-places: where numbers over a picture have space, so that none covers another. */
#pragma once

#include <glib.h>
#include <graphene.h>

G_BEGIN_DECLS

typedef struct _CapraNumberPlaces CapraNumberPlaces;

/* @cell: about the height of a number; space is counted in squares of this side. */
CapraNumberPlaces *capra_number_places_new (const graphene_rect_t *area, float cell);
void capra_number_places_free (CapraNumberPlaces *places);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraNumberPlaces, capra_number_places_free)

/* Takes the space of @box, unless a part of it is taken already. Returns: whether it was free */
gboolean capra_number_places_take (CapraNumberPlaces *places, const graphene_rect_t *box);

G_END_DECLS
