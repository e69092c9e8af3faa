/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-header: reads the keywords. */
#include "ui/cli/run/run-header.h"

#include "capra.h"

char *
run_header_find_file (const char *input, RunGraph *graph)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  if (input)
    return g_strdup (input);
  run_graph_add_files (graph, files);
  return files->len ? g_strdup (files->pdata[0]) : NULL;
}

char *
run_header_read (const char *input, RunGraph *graph)
{
  g_autofree char *path = run_header_find_file (input, graph);
  g_autofree char *image = input ? NULL : run_graph_dup_fits_image (graph);
  g_autoptr (CapraFits) fits = path ? capra_fits_open (path, NULL) : NULL;
  g_autoptr (CapraFitsHeader) header = NULL;
  guint index = 0;

  if (!fits || !capra_fits_find_image (fits, image ? image : "", &index, NULL))
    return NULL;
  header = capra_fits_read_header (fits, index, NULL);
  return header ? capra_fits_header_to_string (header) : NULL;
}
