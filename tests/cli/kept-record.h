/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a check in the user's cache, as its file says: it may be of other kernels. */
#pragma once

#include <sys/types.h>

#include <glib.h>

G_BEGIN_DECLS

/* NULL if there is none. */
char *kept_record_dup_path (void);
GKeyFile *kept_record_load (void);

/* FALSE and 0 without a record. */
gboolean kept_record_get_boolean (const char *key);
guint kept_record_get_number (const char *key);

/* The names at @key, separated by commas. */
char *kept_record_dup_names (const char *key);

/* The process that checks in the background, or the last one that did; 0 if there was none. */
pid_t kept_record_get_checker (void);

/* Makes the record one of before the system was last started. */
void kept_record_restart_system (void);

void kept_record_assert_names (const char *key, const char *expected);

G_END_DECLS
