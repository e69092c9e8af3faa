/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open-files: opens several files, one after the other. */
#pragma once

#include "ui/panel/window/document.h"

G_BEGIN_DECLS

/**
 * capra_open_files:
 * @files: (element-type GFile): at least one
 *
 * The first file that can be read is opened in the window of @document, each other one in a window of its own, which
 * appears when the file is read. The window of @document says which files could not be read. Files are not opened any
 * more when it is closed.
 */
void capra_open_files (CapraDocument *document, GSList *files);

G_END_DECLS
