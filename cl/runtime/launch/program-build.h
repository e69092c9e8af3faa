/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Building programs: from the disk caches or from the source, well or quickly. Private. */
#pragma once

#include "runtime/launch/program-cache.h"

G_BEGIN_DECLS

/* The program of kernels/@name.cl from the user's cache, or from the one of all users; NULL if neither has it. */
cl_program capra_program_load (CapraContext *context, const char *name, const char *options);

/* The same from its source. @quick: without the driver's optimizer, for the first use only: same results, slower
 * kernels. Counted as being built meanwhile. */
cl_program capra_program_build (CapraContext *context, const char *name, const char *options, gboolean quick,
                                GError **error);

/* Puts the program's binary into the user's cache, with kernels for the work-group @sizes, separated by commas, in
 * PoCL's words ("64-1-1-goffs0"; nullable). Sets the environment: for a process that does nothing else. */
gboolean capra_program_prepare (CapraContext *context, const char *name, const char *options, const char *sizes,
                                GError **error);

/* Puts @program, which was built from these, into @cache. */
gboolean capra_program_keep (CapraContext *context, const char *name, const char *options, cl_program program,
                             const CapraProgramCache *cache, GError **error);

/* How many programs are being built from their source, in this process, while work waits for them. */
guint capra_program_get_building (void);

G_END_DECLS
