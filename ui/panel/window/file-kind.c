/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File-kind: what files are opened as, according to their names. */
#include "ui/panel/window/file-kind.h"

static gboolean
has_suffix (GFile *file, const char *suffix)
{
  g_autofree char *name = g_file_get_basename (file);

  return g_str_has_suffix (name, suffix);
}

gboolean
capra_file_is_graph (GFile *file)
{
  return has_suffix (file, ".xml");
}

gboolean
capra_file_is_raw (GFile *file)
{
  return has_suffix (file, ".npy");
}
