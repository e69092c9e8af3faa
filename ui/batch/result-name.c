/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result-name: which results are stacked in HDF5 files. */
#include "ui/batch/result-stack.h"

gboolean
capra_result_stack_is_name (const char *path)
{
  static const char *const suffixes[] = { ".h5", ".hdf5", ".nxs", ".nx5" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (path, suffixes[i]))
      return TRUE;
  return FALSE;
}
