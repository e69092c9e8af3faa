/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:gzip-load: GEGL's loader of files that end with ".gz". */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

void capra_gzip_load_register (GTypeModule *module);

G_END_DECLS
