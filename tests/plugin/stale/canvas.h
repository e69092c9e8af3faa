/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas: a GeglBuffer, and what each of its pixels must be, for the test of random steps. All pixels are gray. */
#pragma once

#include <gegl.h>

#include <gegl-buffer-backend.h> /* needs the types above */

G_BEGIN_DECLS

/* Values are associated: multiplied by alpha, which is 1 in formats without alpha. */
typedef struct {
  float value, alpha;
} CanvasPixel;

/* Which values a format stores exactly. */
typedef enum {
  CANVAS_BINARY, /* 0 and 1 */
  CANVAS_BYTES,  /* multiples of 1/255 */
  CANVAS_FLOATS,
} CanvasDepth;

typedef struct {
  const char *name;
  gboolean alpha;
  CanvasDepth depth;
} CanvasFormat;

/**
 * Canvas:
 * @buffer: the buffer
 * @format: of the buffer
 * @area: where pixels are known; contains all extents that @buffer has had
 * @pixels: of @area, row by row
 * @undo: (nullable): a copy of the buffer, as an undo stack keeps it
 * @undo_pixels: its pixels
 * @frozen: whether the signal "changed" waits
 */
typedef struct {
  GeglBuffer *buffer;
  CanvasFormat format;
  GeglRectangle area;
  CanvasPixel *pixels;
  GeglBuffer *undo;
  CanvasPixel *undo_pixels;
  gboolean frozen;
} Canvas;

/* A random integer from @low to @high. */
gint canvas_random (GRand *random, gint low, gint high);

/* A random rectangle within @bounds. */
GeglRectangle canvas_random_rect (GRand *random, const GeglRectangle *bounds);

/* A new canvas with noise, of a random size, format and size of tiles. */
Canvas *canvas_new (GRand *random);
void canvas_free (Canvas *canvas);

CanvasPixel *canvas_pixel (const Canvas *canvas, gint x, gint y);

/* Makes @buffer (taken) that of @canvas, and its pixels those of the canvas. */
void canvas_take_buffer (Canvas *canvas, GeglBuffer *buffer, const CanvasFormat *format);

/* Reads the known pixels of @rect from the buffer, after somebody else has written it. */
void canvas_read (Canvas *canvas, const GeglRectangle *rect);

/* Fails the test unless the buffer contains the known pixels. */
void canvas_check (const Canvas *canvas);

/* Replaces the buffer by a copy that shares its tiles. */
void canvas_duplicate (Canvas *canvas);

/* Writes to @canvas by a function of GEGL, through @handle: its buffer or a sub-buffer of it. @other: from where to
 * copy. Returns the rectangle that was written; @door is set to the name of the function. */
GeglRectangle canvas_write (Canvas *canvas, GeglBuffer *handle, const Canvas *other, GRand *random, const char **door);

G_END_DECLS
