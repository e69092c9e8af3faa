/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Presets: saved pipelines, each an XML file in the user's data folder. */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* Names of all presets, sorted (g_strfreev). */
GStrv capra_presets_list (void);

/* (transfer full) (element-type CapraStep): %NULL with @error set if the file is invalid. */
GPtrArray *capra_presets_load (const char *name, GError **error);
/* Replaces an existing preset. */
gboolean capra_presets_save (const char *name, GPtrArray *steps, GError **error);
gboolean capra_presets_remove (const char *name, GError **error);

G_END_DECLS
