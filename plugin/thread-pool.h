/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Thread pool: the plug-in's threads, for work beside GEGL's own threads: downloads, several devices, tiles. */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

/* A function that runs in a thread of the pool. */
typedef struct _CapraTask CapraTask;
typedef void (*CapraTaskFunc) (gpointer data);

/* Starts @func in a thread of the pool; never fails. @data must exist until capra_task_finish(). */
CapraTask *capra_task_start (CapraTaskFunc func, gpointer data);

/* Waits until the function has returned, and frees @task. If no thread has started the function yet, it runs in the
 * calling thread, so that a wait never depends on the system's having another thread. */
void capra_task_finish (CapraTask *task);

/* Calls @func for ranges that cover 0 … @n - 1, in half as many threads as GEGL has. Unlike
 * gegl_parallel_distribute_range(), it does not fall back to a single thread while GEGL's threads are busy. */
void capra_thread_pool_distribute_range (gsize n, GeglParallelDistributeRangeFunc func, gpointer data);

G_END_DECLS
