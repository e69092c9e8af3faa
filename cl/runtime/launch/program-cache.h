/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program cache: the driver's binaries of built programs, in a folder. Not installed.
 *
 * A file consists of a header, the identity of what it was built from and for (source, options, platform, device,
 * version, driver), and the binary with a checksum. A file that differs in any byte is not passed to the driver: most
 * crash on it. */
#pragma once

#include "runtime/device/context.h"

G_BEGIN_DECLS

/* The user's cache (@shared FALSE) is a folder that is created if needed, not accessible to others; damaged files in it
 * are removed. The shared one belongs to root, others only read it, and it may be missing. */
typedef struct {
  const char *folder;
  gboolean shared;
} CapraProgramCache;

/* The user's cache folder. */
const CapraProgramCache *capra_program_cache_user (void);

/* The cache of all users, which `capra prepare --system` fills. */
const CapraProgramCache *capra_program_cache_shared (void);

/* The built program, from the binary in @cache of @source with @options; NULL if there is none. */
cl_program capra_program_cache_load (const CapraProgramCache *cache, CapraContext *context, const char *source,
                                     const char *options);

/* Saves the binary of @program in @cache. FALSE if that failed: the next process builds the program again. */
gboolean capra_program_cache_save (const CapraProgramCache *cache, CapraContext *context, const char *source,
                                   const char *options, cl_program program);

G_END_DECLS
