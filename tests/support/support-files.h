/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that tests write. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes @text to the file @name below @folder, and creates the folders between them. */
void support_file_write (const char *folder, const char *name, const char *text);

G_END_DECLS
