/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catalog: the operations that can be steps, and which of them are favorites. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CapraOperationInfo:
 *
 * Properties: "favorite" (boolean).
 */
#define CAPRA_TYPE_OPERATION_INFO (capra_operation_info_get_type ())
G_DECLARE_FINAL_TYPE (CapraOperationInfo, capra_operation_info, CAPRA, OPERATION_INFO, GObject)

const char *capra_operation_info_get_name (CapraOperationInfo *info);
const char *capra_operation_info_get_title (CapraOperationInfo *info);
const char *capra_operation_info_get_description (CapraOperationInfo *info);
/* NULL-terminated. */
const char *const *capra_operation_info_get_categories (CapraOperationInfo *info);
gboolean capra_operation_info_is_capra (CapraOperationInfo *info);
gboolean capra_operation_info_get_favorite (CapraOperationInfo *info);
void capra_operation_info_set_favorite (CapraOperationInfo *info, gboolean favorite);
/* Ranks @info for a search: 0 if a word of @query is missing; higher if words occur in the title or start it. */
int capra_operation_info_match (CapraOperationInfo *info, const char *query);

/* A list of CapraOperationInfo: the operations of GEGL with an input and an output that process images. */
GListModel *capra_catalog_new (void);
/* All categories in @catalog, sorted (g_strfreev). */
GStrv capra_catalog_get_categories (GListModel *catalog);
/* GEGL's name of a category, such as "blur", as a title, "Blur" (g_free). */
char *capra_catalog_make_title (const char *category);

G_END_DECLS
