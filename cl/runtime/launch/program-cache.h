/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program cache: the driver's binaries of built programs, in a folder. Private.
 *
 * A file has a header, the identity of what it was built from and for (source, options, platform, device, version,
 * driver), and the binary. Whatever differs from that in any byte is not handed to the driver: most crash on it. */
#pragma once

#include "runtime/device/context.h"

G_BEGIN_DECLS

/* The user's cache (@shared FALSE): a folder that is made if needed, closed to others; what is damaged there is
 * removed. A shared one belongs to root, is only read by others, and may be missing. */
typedef struct {
  const char *folder;
  gboolean shared;
} CapraProgramCache;

/* The user's cache folder. */
const CapraProgramCache *capra_program_cache_user (void);

/* That of all users, which `capra prepare --system` fills. */
const CapraProgramCache *capra_program_cache_shared (void);

/* A program that is built, from the binary that @cache has of @source with @options; else NULL. */
cl_program capra_program_cache_load (const CapraProgramCache *cache, CapraContext *context, const char *source,
                                     const char *options);

/* Keeps the binary of @program in @cache. FALSE if it could not: that costs time the next time, nothing else. */
gboolean capra_program_cache_save (const CapraProgramCache *cache, CapraContext *context, const char *source,
                                   const char *options, cl_program program);

G_END_DECLS
