/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line-tool: a line over a canvas that can be drawn, and moved by pointer and keys. */
#pragma once

#include "ui/panel/preview/canvas.h"
#include "ui/panel/preview/line.h"

G_BEGIN_DECLS

/**
 * CapraLineTool:
 *
 * An overlay of the canvas. While it is active, a drag over the canvas with the first button draws a line or moves the
 * end, or the line, that it starts on; with Shift, a line is drawn at a multiple of 45 degrees. Arrow keys move an end
 * by one pixel, with Shift by ten; Space chooses the end or the whole line; Escape ends the tool.
 *
 * Properties: "canvas" (CapraCanvas): set it once; "active" (boolean): whether there is a line. A line across the
 * middle of the view is the first one. Signal "changed": capra_line_tool_get_line() has changed.
 */
#define CAPRA_TYPE_LINE_TOOL (capra_line_tool_get_type ())
G_DECLARE_FINAL_TYPE (CapraLineTool, capra_line_tool, CAPRA, LINE_TOOL, GtkWidget)

/* Of the image that the canvas shows; empty without one. An image of another size has no line yet. */
void capra_line_tool_set_extent (CapraLineTool *tool, const GeglRectangle *extent);

/* (nullable): %NULL unless the tool is active and the canvas shows an image. */
const CapraLine *capra_line_tool_get_line (CapraLineTool *tool);
/* Only while the tool is active. Ends outside the image are moved into it. */
void capra_line_tool_set_line (CapraLineTool *tool, const CapraLine *line);

G_END_DECLS
