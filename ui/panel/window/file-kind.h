/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File-kind: what files are opened as, according to their names. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Whether the file contains steps. */
gboolean capra_file_is_graph (GFile *file);
/* Whether the file always contains raw values. */
gboolean capra_file_is_raw (GFile *file);

G_END_DECLS
