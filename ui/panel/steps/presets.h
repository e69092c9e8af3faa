/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Presets: pipelines that a person keeps, one graph in GEGL's XML each in the user's data folder. */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* Names of all presets, sorted (g_strfreev). */
GStrv capra_presets_list (void);

/* (element-type CapraStep): an error tells what is wrong with the file. */
GPtrArray *capra_presets_load (const char *name, GError **error);
/* Replaces one of that name. */
gboolean capra_presets_save (const char *name, GPtrArray *steps, GError **error);
gboolean capra_presets_remove (const char *name, GError **error);

G_END_DECLS
