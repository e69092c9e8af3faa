/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Size-link: keeps the sizes of a step along x and y equal while they are linked. */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/**
 * CapraSizeLink:
 *
 * Properties: "linked" (boolean): whether both sizes have the same value; set, the second size takes the value of the
 * first one. Sizes that become different otherwise, such as by undoing, are not linked any more.
 */
#define CAPRA_TYPE_SIZE_LINK (capra_size_link_get_type ())
G_DECLARE_FINAL_TYPE (CapraSizeLink, capra_size_link, CAPRA, SIZE_LINK, GObject)

/* Linked if the values are equal. */
CapraSizeLink *capra_size_link_new (CapraStep *step, GParamSpec *first, GParamSpec *second);
/* (transfer none): the size along the other axis */
GParamSpec *capra_size_link_get_other (CapraSizeLink *link, GParamSpec *property);
/* Sets one size, and also the other one if they are linked. */
void capra_size_link_set_size (CapraSizeLink *link, GParamSpec *property, const GValue *value);

G_END_DECLS
