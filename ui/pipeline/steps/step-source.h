/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-source: whether steps make their image themselves. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/* @steps: (element-type CapraStep): whether the first one that is enabled needs no input, as a loader or a pattern, and
 * no other one refers to it. */
gboolean capra_steps_have_source (GPtrArray *steps);

G_END_DECLS
