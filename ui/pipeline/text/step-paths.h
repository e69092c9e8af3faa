/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-paths: the paths of files in the properties and second inputs of steps. */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* Makes relative paths of files in @steps absolute; @folder: of the file that the text was read from. */
void capra_steps_resolve_paths (GPtrArray *steps, const char *folder);

G_END_DECLS
