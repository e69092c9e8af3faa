/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of area filters: typed noise, and parts of images; the references are in reference-filter.h. */
#pragma once

#include "tests/support/support.h"
#include "ui/cli/check/reference-filter.h"

G_BEGIN_DECLS

/* An array of noise of any type; @values gets the same values as doubles. Free with g_free(). */
CapraArray *support_typed_noise (CapraDevice *device, const CapraShape *shape, guint32 seed, double **values);
/* The part @rect of an image as an f32 array. */
CapraArray *support_crop (CapraDevice *device, const ReferenceImage *image, CapraRect rect);

G_END_DECLS
