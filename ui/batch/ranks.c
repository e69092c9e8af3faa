/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks: the part of a batch that this process takes, if a cluster's launcher started several processes. */
#include "ui/batch/ranks.h"

#include <string.h>

typedef struct {
  const char *rank, *count;
  const char *needed; /* (nullable): the launcher sets this variable, too */
} Launcher;

/* Slurm sets SLURM_PROCID in batch scripts, too, which are not one of the processes of the job. */
static const Launcher launchers[] = {
  { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL },
  { "PMI_RANK", "PMI_SIZE", NULL },
  { "SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_ID" },
};

/* The number in an environment variable, or @missing without it. */
static gboolean
read_number (const char *name, guint missing, guint *number, GError **error)
{
  const char *text = g_getenv (name);
  guint64 value = missing;

  if (text && !g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &value, NULL))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "the variable %s is \"%s\", which is not a number; give --rank and --ranks", name, text);
      return FALSE;
    }
  *number = (guint) value;
  return TRUE;
}

static gboolean
check (guint64 rank, guint64 count, CapraRanks *ranks, GError **error)
{
  if (count < 1 || count > CAPRA_MAX_RANKS || rank >= count)
    {
      g_set_error (
        error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "rank %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
        " processes does not exist; ranks are 0 to one less than the number of processes, of which there are "
        "at most " G_STRINGIFY (CAPRA_MAX_RANKS),
        rank, count);
      return FALSE;
    }
  *ranks = (CapraRanks){ (guint) rank, (guint) count };
  return TRUE;
}

/* The process among those that MPI or srun started together. */
static gboolean
find_process (CapraRanks *ranks, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (launchers); i++)
    {
      const Launcher *launcher = &launchers[i];
      guint rank, count;

      if (!g_getenv (launcher->rank) || !g_getenv (launcher->count)
          || (launcher->needed && !g_getenv (launcher->needed)))
        continue;
      return read_number (launcher->rank, 0, &rank, error) && read_number (launcher->count, 1, &count, error)
             && check (rank, count, ranks, error);
    }
  return TRUE;
}

/* The task of an array, whose numbers can start anywhere and have a step. */
static gboolean
find_task (CapraRanks *ranks, GError **error)
{
  guint id, first, step, count;

  if (!g_getenv ("SLURM_ARRAY_TASK_ID") || !g_getenv ("SLURM_ARRAY_TASK_COUNT"))
    return TRUE;
  if (!read_number ("SLURM_ARRAY_TASK_ID", 0, &id, error) || !read_number ("SLURM_ARRAY_TASK_MIN", 0, &first, error)
      || !read_number ("SLURM_ARRAY_TASK_STEP", 1, &step, error)
      || !read_number ("SLURM_ARRAY_TASK_COUNT", 1, &count, error))
    return FALSE;
  step = MAX (step, 1);
  if (id < first || (id - first) % step != 0 || (id - first) / step >= count)
    {
      g_set_error (
        error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "the numbers of the Slurm array are not evenly spaced (task %u of %u from %u); give --rank and --ranks", id,
        count, first);
      return FALSE;
    }
  *ranks = (CapraRanks){ (id - first) / step, count };
  return TRUE;
}

gboolean
capra_ranks_find (int rank, int count, CapraRanks *ranks, GError **error)
{
  CapraRanks process = { 0, 1 }, task = { 0, 1 };

  if (rank >= 0 || count > 0)
    {
      if (rank >= 0 && count > 0)
        return check ((guint64) rank, (guint64) count, ranks, error);
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "give both --rank and --ranks");
      return FALSE;
    }
  return find_process (&process, error) && find_task (&task, error)
         && check ((guint64) task.rank * process.count + process.rank, (guint64) task.count * process.count, ranks,
                   error);
}

void
capra_ranks_share (const CapraRanks *ranks, guint64 count, guint64 *first, guint64 *end)
{
  guint64 whole = count / ranks->count, rest = count % ranks->count;

  /* The first ranks take one item more each, until none is left. */
  *first = ranks->rank * whole + MIN (ranks->rank, rest);
  *end = *first + whole + (ranks->rank < rest);
}

char *
capra_ranks_name_part (const CapraRanks *ranks, const char *path)
{
  const char *slash = strrchr (path, G_DIR_SEPARATOR), *name = slash ? slash + 1 : path;
  const char *dot = strrchr (name, '.'), *suffix = dot && dot > name ? dot : path + strlen (path);

  if (ranks->count == 1)
    return g_strdup (path);
  return g_strdup_printf ("%.*s.%u-of-%u%s", (int) (suffix - path), path, ranks->rank + 1, ranks->count, suffix);
}
