/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read once for all files of the library: reading it takes a third of the time in which one of them is compiled. Files
 * still include what they use, so that they compile without it (-Db_pch=false). */
#ifndef CAPRA_PIPELINE_PCH_H
#define CAPRA_PIPELINE_PCH_H

#define _GNU_SOURCE /* as in files that need it, which cannot define it behind these headers */
#include <gegl.h>

#endif
