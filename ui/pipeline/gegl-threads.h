/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gegl-threads: counts the threads that run GEGL's operations, so that a process can end after them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Call it before the thread is started. */
void capra_gegl_threads_add (void);
/* Call it in the thread, at its end. */
void capra_gegl_threads_remove (void);

/* Waits until no thread is left, up to three seconds: operations cannot be interrupted. */
void capra_gegl_threads_wait (void);

G_END_DECLS
