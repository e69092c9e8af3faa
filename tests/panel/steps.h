/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the panel's tests without a window share: images and steps. */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* Waves of every color, so that each pixel differs from its neighbours. */
GeglBuffer *steps_make_image (int width, int height, const char *format);

/* A property as text; what cannot be read fails the test (g_free). */
void steps_set_text (CapraStep *step, const char *name, const char *text);
char *steps_get_text (CapraStep *step, const char *name);

/* One Gaussian blur with that standard deviation. */
GPtrArray *steps_make_blur (const char *sigma);

/* Fails unless @others are @steps with all their values; @only_enabled: but for those switched off. */
void steps_assert_same (GPtrArray *steps, GPtrArray *others, gboolean only_enabled);

G_END_DECLS
