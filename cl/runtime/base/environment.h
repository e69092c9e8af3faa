/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Environment: changes of this process's environment while other threads may read it. Not installed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The entry of the environment for the variable @name, such as "HOME=/root"; NULL if it is not set. It belongs to the
 * environment. */
char *capra_environment_get_entry (const char *name);

/* Makes @entry the entry for @name, and never frees it; NULL removes that. A copy of the environment is changed, and
 * the old one is never freed; setenv() would move and free it. */
void capra_environment_set_entry (const char *name, char *entry);

G_END_DECLS
