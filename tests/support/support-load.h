/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load: threads that leave other programs little of the processors' time. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Starts the threads, several for each processor. */
void support_load_begin (void);
void support_load_end (void);

G_END_DECLS
