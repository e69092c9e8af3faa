/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Start: an operation's device is started when GEGL prepares the operation, which it does before it decodes the image.
 */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

/* Makes prepare() of @klass start the device if the operation has an image. Programs that only list operations, or set
 * properties of nodes without an image, load no driver. Called after the class has set its own prepare(). */
void capra_start_install (GeglOperationClass *klass);

G_END_DECLS
