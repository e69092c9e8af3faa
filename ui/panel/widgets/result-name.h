/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result-name: names for the files of results. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* "cells.jpg" becomes "cells-capra.png". @source: (nullable): the image; @suffix: without a dot */
char *capra_result_name_suggest (GFile *source, const char *suffix);
/* "cells.jpg" becomes "cells-regions.csv". @what: what the table is of */
char *capra_result_name_suggest_table (GFile *source, const char *what, const char *suffix);
/* Returns: (transfer full): the folder of @source, or one of the user's if @source is in the cache, as the sample
 * images are */
GFile *capra_result_name_suggest_folder (GFile *source);
/* Returns: (transfer full) (type filename): a path in the suggested folder for @source, a local file, that does not
 * exist yet: "cells-capra.png", "cells-capra-2.png", … */
char *capra_result_name_find_free (GFile *source, const char *suffix);

G_END_DECLS
