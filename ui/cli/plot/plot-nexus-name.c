/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plot-nexus: the names of HDF5 files. */
#include "ui/cli/plot/plot-nexus.h"

gboolean
plot_nexus_has_name (const char *path)
{
  static const char *const suffixes[] = { ".h5", ".hdf5", ".nxs", ".nx5" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (path, suffixes[i]))
      return TRUE;
  return FALSE;
}
