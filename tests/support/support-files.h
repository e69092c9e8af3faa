/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that tests write. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes @text to the file @name below @folder, and creates the folders between them. */
void support_file_write (const char *folder, const char *name, const char *text);

/* Makes a folder in that for temporary files, and returns its path. It is removed with all that it contains after the
 * process has ended, in whichever way. To be called at the start of main(). @template: as for g_dir_make_tmp() */
char *support_folder_make (const char *template);

G_END_DECLS
