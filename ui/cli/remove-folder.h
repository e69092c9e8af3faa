/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes folders of temporary files. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Removes @folder and all that is in it, as far as possible. */
void remove_folder (const char *folder);

G_END_DECLS
