/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra join: joins the HDF5 results of several processes. */
#include <stdio.h>
#include <string.h>

#include "ui/batch/join.h"
#include "ui/cli/command.h"

static gboolean incomplete;

static const GOptionEntry entries[] = {
  { "incomplete", 0, 0, G_OPTION_ARG_NONE, &incomplete, "Join the parts even if frames are missing", NULL },
  { NULL },
};

int
capra_command_join (int argc, char **argv)
{
  g_autoptr (GOptionContext) options = g_option_context_new ("OUTPUT PART…");
  g_autoptr (GError) error = NULL;
  g_autofree char *missing = NULL;
  gboolean joined;

  g_option_context_add_main_entries (options, entries, NULL);
  g_option_context_set_summary (options, "Joins HDF5 files of results, one from each process, without copying: the "
                                         "data sets of OUTPUT\nrefer to those of the parts, which must stay in place.");
  if (!g_option_context_parse (options, &argc, &argv, &error))
    {
      fprintf (stderr, "capra join: %s\n", error->message);
      return 2;
    }
  if (argc < 3)
    {
      fprintf (stderr, "capra join: give the file to write, and the files to join\n");
      return 2;
    }
  for (int i = 2; i < argc; i++)
    if (strcmp (argv[i], argv[1]) == 0)
      {
        fprintf (stderr, "capra join: %s is both written and joined\n", argv[1]);
        return 2;
      }
  joined = capra_join (argv[1], argv + 2, (guint) argc - 2, incomplete, &missing, &error);
  if (!joined)
    fprintf (stderr, "capra join: %s\n", error->message);
  else if (missing)
    fprintf (stderr, "capra join: %s has no frames %s\n", argv[1], missing);
  return !joined;
}
