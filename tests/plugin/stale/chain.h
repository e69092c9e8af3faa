/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chain: one to three operations of Capra behind a canvas, and their result as a scalar reference computes it, for the
 * test of random steps. */
#pragma once

#include "tests/plugin/stale/canvas.h"

G_BEGIN_DECLS

#define CHAIN_MAX_STEPS 3

typedef enum { CHAIN_BOX, CHAIN_GAUSSIAN, CHAIN_THRESHOLD, CHAIN_STATISTICS } ChainKind;

/* An operation, and the values of its properties. */
typedef struct {
  ChainKind kind;
  gint radius;  /* of the box */
  gint border;  /* the property abyss-policy: none or clamp */
  double sigma; /* of the Gaussian */
  double value; /* the threshold */
} ChainStep;

/* An associated value. It may differ from the right one by @slack, as a value near a threshold is black or white. */
typedef struct {
  double value, alpha, slack;
} ChainPixel;

/**
 * Chain:
 * @canvas: the input
 * @view: the buffer of the canvas, or a sub-buffer of it
 * @extent: of the view when the graph was made
 * @hidden: what was written and not announced by the view's signal "changed"; may be empty
 * @announced: what was announced since chain_expect_write()
 */
typedef struct {
  Canvas *canvas;
  GeglBuffer *view;
  GeglRectangle extent, hidden, announced;
  GeglNode *graph, *source, *nodes[CHAIN_MAX_STEPS];
  ChainStep steps[CHAIN_MAX_STEPS];
  guint n;
} Chain;

Chain *chain_new (Canvas *canvas, GRand *random);
void chain_free (Chain *chain);

/* Makes new nodes with the same properties, or the same nodes again behind the source. */
void chain_rebuild (Chain *chain);
void chain_reconnect (Chain *chain);

/* Changes a property of an operation, or its device. */
void chain_change (Chain *chain, GRand *random);
void chain_change_device (Chain *chain, GRand *random);

/* Called before and after a write of @rect to the canvas. */
void chain_expect_write (Chain *chain);
void chain_note_write (Chain *chain, const GeglRectangle *rect);

/* What the chain must show in @rect, row by row. Free with g_free(). */
ChainPixel *chain_compute (const Chain *chain, const GeglRectangle *rect);

/* Renders @rect in one of several ways. Fails the test unless it is what it must be. Returns the number of values that
 * were compared with a small slack. */
guint chain_render (Chain *chain, const GeglRectangle *rect, GRand *random);

/* Fails the test unless @found ("RaGaBaA float") is what the chain must show in @rect. */
guint chain_check (Chain *chain, const GeglRectangle *rect, const float *found);

G_END_DECLS
