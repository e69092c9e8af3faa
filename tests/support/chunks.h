/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A host that shows the result of a graph as GIMP does: rendered in chunks, which are kept until they are invalidated.
 * For tests that what it shows equals, to the byte, the same graph rendered at once. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

typedef struct _ChunkHost ChunkHost;

/* Shows all of @node in @format ("RGBA float"). @seed decides the order of the chunks. */
ChunkHost *chunk_host_new (GeglNode *node, const char *format, guint32 seed);
void chunk_host_free (ChunkHost *host);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ChunkHost, chunk_host_free)

/* Renders up to @n of the chunks that are missing, in random order, and sometimes any other rectangle. */
void chunk_host_render (ChunkHost *host, guint n);

/* The same in two threads at once; all nodes must be Capra's or sources. */
void chunk_host_render_in_threads (ChunkHost *host, guint n);

/* Renders all chunks that are missing. Fails the test unless all pixels equal those of a new graph, with copies of all
 * nodes and buffers, that is rendered at once: to the byte in chunks that were rendered since the last change, and
 * except for the last digit in others. @what names the state in the message. */
void chunk_host_check (ChunkHost *host, const char *what);

/* Drops all chunks. */
void chunk_host_forget (ChunkHost *host);

/* The number of chunks that are missing. */
guint chunk_host_count_missing (ChunkHost *host);

/* A buffer of @rect with noise that depends only on @seed. */
GeglBuffer *chunk_noise (const char *format, const GeglRectangle *rect, guint32 seed);

/* Writes noise into @rect of @buffer; into a random rectangle of up to 64 x 64 pixels. */
void chunk_write (GeglBuffer *buffer, const GeglRectangle *rect, GRand *random);
void chunk_stroke (GeglBuffer *buffer, GRand *random);

G_END_DECLS
