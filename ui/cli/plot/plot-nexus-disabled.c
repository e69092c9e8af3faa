/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plot-nexus in a build without libhdf5. */
#include "ui/cli/plot/plot-nexus.h"

#include "ui/pipeline/error.h"

CapraColumns *
plot_nexus_read (const char *path, guint frame, GError **error)
{
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
               "cannot read \"%s\": Capra was built without HDF5; write the curves as text", path);
  return NULL;
}
