/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver folder: where drivers and their trials write files. Not installed.
 *
 * PoCL stores each kernel that it compiles in a folder, and ends the process, or has no devices, if that is full or
 * read-only. Then a folder for temporary files replaces it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The folder of the verdicts on drivers and of their trials: in the user's cache folder or, if no files can be created
 * there, in one for temporary files. NULL if there is none either. (transfer full) (nullable) */
char *capra_driver_folder_dup (void);

/* Whether files can be created in @folder. */
gboolean capra_driver_folder_has_space (const char *folder);

/* Before drivers are loaded, one of which is PoCL: replaces its folder if necessary, with a message. */
void capra_driver_folder_choose (void);

/* Whether PoCL can store a kernel now; call this before it compiles one. */
gboolean capra_driver_folder_check (GError **error);

/* The folder in which PoCL could not store kernels when it was loaded; NULL if it could. Sets @problem to the reason,
 * and @used to the folder that replaces it, NULL if there is none. */
const char *capra_driver_folder_get_replaced (const char **problem, const char **used);

G_END_DECLS
