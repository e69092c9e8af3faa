/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks: the part of a batch that this process takes, if a cluster's launcher started several processes.
 *
 * mpirun, srun and Slurm job arrays describe each process in its environment. No library for MPI is needed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The most processes of one batch. */
#define CAPRA_MAX_RANKS 1000000

/**
 * CapraRanks:
 * @rank: from 0
 * @count: the number of processes; 1 if this one is alone
 */
typedef struct {
  guint rank, count;
} CapraRanks;

/**
 * capra_ranks_find:
 * @rank: -1, or the rank that the user has set
 * @count: 0, or the number of processes that the user has set
 *
 * Sets @ranks to these numbers; without them, to those in the environment: of Open MPI (OMPI_COMM_WORLD_RANK and
 * _SIZE), of other MPI launchers (PMI_RANK and _SIZE), of srun (SLURM_PROCID and SLURM_NTASKS, within a job step), and
 * of a Slurm array (SLURM_ARRAY_TASK_ID, _MIN, _STEP and _COUNT); if each task of an array starts several processes,
 * they are counted, too.
 *
 * Returns: FALSE with @error set if the numbers contradict each other
 */
gboolean capra_ranks_find (int rank, int count, CapraRanks *ranks, GError **error);

/* The items from *@first to *@end - 1 of @count items; the shares of all ranks are disjoint and complete. */
void capra_ranks_share (const CapraRanks *ranks, guint64 count, guint64 *first, guint64 *end);

/* The name of the part of @path that this rank writes: "a/out.h5" -> "a/out.2-of-4.h5" (ranks from 1). */
char *capra_ranks_name_part (const CapraRanks *ranks, const char *path);

G_END_DECLS
