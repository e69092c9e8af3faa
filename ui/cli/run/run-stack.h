/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-stack: writes results to a stack of frames in an HDF5 file. */
#pragma once

#include <gegl.h>

#include "ui/batch/result-stack.h"

G_BEGIN_DECLS

/* Writes @result as frame @index: labels as integers, others as linear floats, with the channels that it has. */
gboolean run_stack_write (CapraResultStack *stack, guint64 index, GeglBuffer *result, GError **error);

G_END_DECLS
