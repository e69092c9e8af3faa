/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory-room: limits the memory of the images that several threads process. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * RunMemoryRoom:
 * @total: bytes for the decoded pixels of all images together
 * @used: by the images that are being processed
 */
typedef struct {
  GMutex mutex;
  GCond freed;
  guint64 total, used;
} RunMemoryRoom;

/* A share of the machine's memory. */
guint64 run_memory_room_choose_total (void);

/* The total is a share of the machine's memory. */
void run_memory_room_init (RunMemoryRoom *room);
void run_memory_room_clear (RunMemoryRoom *room);

/* Waits until @bytes are free, or nothing is used: one image is always processed, whatever its size. A thread that has
 * taken memory must not take more before it gives it back, else threads would wait for each other. */
void run_memory_room_take (RunMemoryRoom *room, guint64 bytes);
void run_memory_room_give_back (RunMemoryRoom *room, guint64 bytes);

G_END_DECLS
