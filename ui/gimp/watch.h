/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watch: notices changes of a drawable and of its selection since they were read.
 *
 * GIMP does not announce changes to plug-ins. Sizes, effects and the bounds of the selection are compared each time;
 * pixels are compared a few rows at a time, so that neither process waits. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

typedef struct _CapraWatch CapraWatch;

/* @pixels: the copy that was read, without effects; @selection: (nullable): that of the selection */
CapraWatch *capra_watch_new (int drawable, GeglBuffer *pixels, GeglBuffer *selection);
void capra_watch_free (CapraWatch *watch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraWatch, capra_watch_free)

/**
 * capra_watch_check:
 * @over: (out) (optional): whether everything was compared once since the check that began with the first row
 *
 * Compares a part, for about 10 ms; the next call continues. The drawable has to exist.
 *
 * Returns: whether a change was found; it is found once
 */
gboolean capra_watch_check (CapraWatch *watch, gboolean *over);
/* The next check begins with the first row. */
void capra_watch_restart (CapraWatch *watch);

G_END_DECLS
