/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory-room: limits the memory of the images that several threads process. */
#include "ui/cli/run/memory-room.h"

#include <unistd.h>

/* While an image is processed, it takes several times the memory of its decoded pixels: for the result, for floats in
 * between, and for what GEGL and the devices keep. Data/capra.1 states this share. */
#define SHARE 16

guint64
run_memory_room_choose_total (void)
{
  long pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);

  return pages > 0 && page > 0 ? (guint64) pages * (guint64) page / SHARE : 0;
}

void
run_memory_room_init (RunMemoryRoom *room)
{
  g_mutex_init (&room->mutex);
  g_cond_init (&room->freed);
  room->used = 0;
  room->total = run_memory_room_choose_total ();
}

void
run_memory_room_clear (RunMemoryRoom *room)
{
  g_mutex_clear (&room->mutex);
  g_cond_clear (&room->freed);
}

void
run_memory_room_take (RunMemoryRoom *room, guint64 bytes)
{
  g_mutex_lock (&room->mutex);
  while (room->used > 0 && room->used + bytes > room->total)
    g_cond_wait (&room->freed, &room->mutex);
  room->used += bytes;
  g_mutex_unlock (&room->mutex);
}

void
run_memory_room_give_back (RunMemoryRoom *room, guint64 bytes)
{
  g_mutex_lock (&room->mutex);
  room->used -= bytes;
  g_cond_broadcast (&room->freed);
  g_mutex_unlock (&room->mutex);
}
