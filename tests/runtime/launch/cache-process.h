/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that use the kernel cache, in a folder of the test. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The result of a process that uses the cache. */
typedef struct {
  guint builds, loads;
} CacheUse;

/* Called first in main(): a process that was started to use a program does so, prints how, and ends. */
void cache_process_init (int argc, char **argv);

/* The path of this program. */
const char *cache_process_get_program (void);

/* Starts a process that uses one program, "fill" or "arithmetic", and waits for it. */
GSubprocess *cache_process_start (const char *which);
CacheUse cache_process_finish (GSubprocess *child);

/* Fails the test unless a process builds the program, or loads it from the cache. */
void cache_assert_built (const char *which);
void cache_assert_loaded (const char *which);

/* A separate cache for the processes of this test, and its removal (free). */
char *cache_new (void);
void cache_remove (char *home);

/* The folder of kernels; its only file, @but another one (nullable). Free with g_free(). */
char *cache_folder (const char *home);
char *cache_find_file (const char *home, const char *but);

/* Writes in place, so that owner and permissions do not change. */
void cache_write_file (const char *path, const char *data, gsize length);

/* Fails the test unless kernels are built, and then there is a valid file of this user. */
void cache_assert_replaced (const char *path);

G_END_DECLS
