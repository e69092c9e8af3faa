/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read once for all files of the panel and of its tests: its own reading takes most of the time in which one of them is
 * compiled. Files still include what they use, so that they compile without it (-Db_pch=false). */
#ifndef CAPRA_PANEL_PCH_H /* not #pragma once, of which GCC warns in a header that it precompiles */
#define CAPRA_PANEL_PCH_H

#define _GNU_SOURCE /* as in files that need it, which cannot define it behind these headers */
#include <adwaita.h>

#endif
