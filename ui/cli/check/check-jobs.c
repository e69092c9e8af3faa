/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists what a check runs. */
#include "ui/cli/check/check-jobs.h"

#include "ui/cli/check/check-families.h"

static gboolean
is_selected (const CheckFamily *family, char **globs, gboolean full)
{
  if (family->large && !full)
    return FALSE;
  for (char **glob = globs; glob && *glob; glob++)
    if (g_pattern_match_simple (*glob, family->name))
      return TRUE;
  return !globs;
}

char *
check_jobs_find_unmatched (const char *selection, gboolean full)
{
  g_auto (GStrv) globs = g_strsplit (selection, ",", -1);

  for (char **glob = globs; *glob; glob++)
    {
      char *one[] = { *glob, NULL };
      gboolean matched = FALSE;

      for (guint i = 0; i < check_n_families && !matched; i++)
        matched = is_selected (check_families[i], one, full);
      if (!matched)
        return g_strdup (*glob);
    }
  return *globs ? NULL : g_strdup (selection);
}

/* Whether `CAPRA_TUNING` sets a key of @variant, which can then not be tried. */
static gboolean
is_forced (const char *variant)
{
  g_auto (GStrv) pairs = g_strsplit (variant, ",", -1);

  for (char **pair = pairs; *pair; pair++)
    {
      g_auto (GStrv) parts = g_strsplit (*pair, "=", 2);

      if (capra_tuning_is_forced (parts[0]))
        return TRUE;
    }
  return FALSE;
}

GArray *
check_jobs_list (const char *selection, gboolean full)
{
  g_auto (GStrv) globs = selection ? g_strsplit (selection, ",", -1) : NULL;
  GArray *jobs = g_array_new (FALSE, FALSE, sizeof (CheckJob));

  for (guint i = 0; i < check_n_families; i++)
    {
      CheckJob job = { check_families[i], NULL };

      if (!is_selected (job.family, globs, full))
        continue;
      g_array_append_val (jobs, job);
      for (guint v = 0; full && job.family->variants && job.family->variants[v]; v++)
        {
          job.variant = job.family->variants[v];
          if (!is_forced (job.variant))
            g_array_append_val (jobs, job);
        }
    }
  return jobs;
}
