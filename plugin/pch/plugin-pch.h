/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Read once for all files of the module: reading it takes a third of the time in which one of them is compiled. Files
 * still include what they use, so that they compile without it (-Db_pch=false). */
#ifndef CAPRA_PLUGIN_PCH_H
#define CAPRA_PLUGIN_PCH_H

#define _GNU_SOURCE /* as in files that need it, which cannot define it behind these headers */
#include <gegl-plugin.h>

#endif
