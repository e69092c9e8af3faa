/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of pipelines: images and steps. */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* A pattern in all channels: each pixel differs from its neighbors. */
GeglBuffer *steps_make_image (int width, int height, const char *format);

/* The value of a property as text (g_free). An unknown property or invalid text fails the test. */
void steps_set_text (CapraStep *step, const char *name, const char *text);
char *steps_get_text (CapraStep *step, const char *name);

/* A single Gaussian blur. */
GPtrArray *steps_make_blur (const char *sigma);

/* Asserts that @others have the operations and values of @steps; @only_enabled: ignores disabled steps. */
void steps_assert_same (GPtrArray *steps, GPtrArray *others, gboolean only_enabled);

G_END_DECLS
