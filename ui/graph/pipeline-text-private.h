/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two forms of a pipeline's text share. */
#pragma once

#include "pipeline-text.h"

G_BEGIN_DECLS

char *capra_step_to_command (CapraStep *step);
/* An error if there is no such operation. */
CapraStep *capra_step_new_checked (const char *operation, GError **error);
/* An error if there is no such property, or the value does not fit. */
gboolean capra_step_set_text (CapraStep *step, const char *name, const char *text, GError **error);

G_END_DECLS
