/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Kernel sources with their includes. Not installed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The text of the kernel file @file ("threshold.cl"), each `#include "x"` line replaced by that file once,
 * with #line directives, so that build logs name file and line. */
char *capra_program_source (const char *file, GError **error);

G_END_DECLS
