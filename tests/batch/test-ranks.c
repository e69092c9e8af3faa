/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rank of a process in the environments of cluster launchers, and its share of a batch. */
#include "ui/batch/ranks.h"

static const char *const names[] = {
  "OMPI_COMM_WORLD_RANK",
  "OMPI_COMM_WORLD_SIZE",
  "PMI_RANK",
  "PMI_SIZE",
  "SLURM_PROCID",
  "SLURM_NTASKS",
  "SLURM_STEP_ID",
  "SLURM_ARRAY_TASK_ID",
  "SLURM_ARRAY_TASK_MIN",
  "SLURM_ARRAY_TASK_STEP",
  "SLURM_ARRAY_TASK_COUNT",
};

typedef struct {
  const char *environment; /* NAME=VALUE, separated by spaces */
  int rank, count;         /* of the user */
  int expected[2];         /* -1 for an error */
} Case;

static const Case cases[] = {
  { "", -1, 0, { 0, 1 } },
  { "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=8", -1, 0, { 3, 8 } },
  { "PMI_RANK=1 PMI_SIZE=2", -1, 0, { 1, 2 } },
  { "SLURM_PROCID=2 SLURM_NTASKS=4 SLURM_STEP_ID=0", -1, 0, { 2, 4 } },
  { "SLURM_PROCID=0 SLURM_NTASKS=4", -1, 0, { 0, 1 } }, /* a batch script */
  { "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=8 SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_STEP_ID=0", -1, 0, { 3, 8 } },
  { "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=5", -1, 0, { 3, 5 } },
  { "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=3 SLURM_PROCID=1 SLURM_NTASKS=2 SLURM_STEP_ID=0", -1, 0, { 3, 6 } },
  { "SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=3", -1, 0, { -1, 0 } },
  { "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=3", -1, 0, { -1, 0 } },
  { "OMPI_COMM_WORLD_RANK=-1 OMPI_COMM_WORLD_SIZE=3", -1, 0, { -1, 0 } },
  { "PMI_RANK=x PMI_SIZE=2", -1, 0, { -1, 0 } },
  { "PMI_RANK=0 PMI_SIZE=99999999999999999999", -1, 0, { -1, 0 } },
  { "PMI_RANK=0 PMI_SIZE=2", 4, 5, { 4, 5 } },
  { "", 5, 5, { -1, 0 } },
  { "", 0, 0, { -1, 0 } },
  { "", -1, 3, { -1, 0 } },
};

static void
test_environment (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) settings = g_strsplit (cases[i].environment, " ", -1);
      g_autoptr (GError) error = NULL;
      CapraRanks ranks = { 9, 9 };
      gboolean good;

      g_test_message ("%s", cases[i].environment);
      for (guint j = 0; j < G_N_ELEMENTS (names); j++)
        g_unsetenv (names[j]);
      for (guint j = 0; settings[j] && *settings[j]; j++)
        {
          g_auto (GStrv) pair = g_strsplit (settings[j], "=", 2);

          g_setenv (pair[0], pair[1], TRUE);
        }
      good = capra_ranks_find (cases[i].rank, cases[i].count, &ranks, &error);
      g_assert_cmpint (good, ==, cases[i].expected[0] >= 0);
      if (!good)
        g_assert_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE);
      else
        g_assert_true (ranks.rank == (guint) cases[i].expected[0] && ranks.count == (guint) cases[i].expected[1]);
    }
}

/* The shares follow one another, cover all items, and differ by at most one. */
static void
test_share (void)
{
  for (guint count = 1; count < 12; count++)
    for (guint64 items = 0; items < 40; items++)
      {
        guint64 at = 0;

        for (guint rank = 0; rank < count; rank++)
          {
            const CapraRanks ranks = { rank, count };
            guint64 first, end;

            capra_ranks_share (&ranks, items, &first, &end);
            g_assert_cmpuint (first, ==, at);
            g_assert_true (end - first == items / count || end - first == items / count + 1);
            at = end;
          }
        g_assert_cmpuint (at, ==, items);
      }
}

static void
test_names (void)
{
  static const char *const paths[][2] = { { "a.b/out.h5", "a.b/out.2-of-4.h5" },
                                          { "a.b/out", "a.b/out.2-of-4" },
                                          { ".hidden", ".hidden.2-of-4" },
                                          { "out.x.nxs", "out.x.2-of-4.nxs" } };
  const CapraRanks ranks = { 1, 4 }, alone = { 0, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *part = capra_ranks_name_part (&ranks, paths[i][0]);
      g_autofree char *whole = capra_ranks_name_part (&alone, paths[i][0]);

      g_assert_cmpstr (part, ==, paths[i][1]);
      g_assert_cmpstr (whole, ==, paths[i][0]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ranks/environment", test_environment);
  g_test_add_func ("/ranks/share", test_share);
  g_test_add_func ("/ranks/names", test_names);
  return g_test_run ();
}
