/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Building programs: from the disk caches or from the source, with or without the optimizer. Private. */
#pragma once

#include "runtime/launch/program-cache.h"

G_BEGIN_DECLS

/* The setting `kernels` (CAPRA_KERNELS). */
typedef enum {
  CAPRA_KERNELS_BACKGROUND, /* default: where the optimizer is slow, it runs in the background */
  CAPRA_KERNELS_OPTIMIZED,  /* launches wait for the optimizer */
  CAPRA_KERNELS_QUICK,      /* no optimizer where it is slow */
  CAPRA_KERNELS_PREPARE, /* as optimized, but PoCL's programs are saved by capra_programs_save() alone: PoCL makes the
                          * binary of a program once, with the kernels that were launched before */
} CapraKernelsMode;

CapraKernelsMode capra_program_get_mode (void);

/* The program of @name.cl from the user's cache, or from that of all users; NULL if neither has it. */
cl_program capra_program_load (CapraContext *context, const char *name, const char *options);

/* The same from its source. @quick: without the driver's optimizer, for the first use only: the results are the same,
 * the kernels are slower. Counted by capra_program_get_building() until it returns. */
cl_program capra_program_build (CapraContext *context, const char *name, const char *options, gboolean quick,
                                GError **error);

/* Saves the program's binary in the user's cache, with kernels for the work-group @sizes (nullable), separated by
 * commas, in PoCL's notation ("64-1-1-goffs0"). Sets environment variables: for a process with no other purpose. */
gboolean capra_program_prepare (CapraContext *context, const char *name, const char *options, const char *sizes,
                                GError **error);

/* Saves @program, which was built from these arguments, in @cache. */
gboolean capra_program_save (CapraContext *context, const char *name, const char *options, cl_program program,
                             const CapraProgramCache *cache, GError **error);

/* The number of programs that this process is building from their source while commands wait for them. */
guint capra_program_get_building (void);

G_END_DECLS
