/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catalogue: the operations that can be steps, and which of them are favorites. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CapraOperationInfo:
 *
 * Properties: "favourite" (boolean).
 */
#define CAPRA_TYPE_OPERATION_INFO (capra_operation_info_get_type ())
G_DECLARE_FINAL_TYPE (CapraOperationInfo, capra_operation_info, CAPRA, OPERATION_INFO, GObject)

const char *capra_operation_info_get_name (CapraOperationInfo *info);
const char *capra_operation_info_get_title (CapraOperationInfo *info);
const char *capra_operation_info_get_description (CapraOperationInfo *info);
/* NULL-terminated. */
const char *const *capra_operation_info_get_categories (CapraOperationInfo *info);
gboolean capra_operation_info_is_capra (CapraOperationInfo *info);
gboolean capra_operation_info_get_favourite (CapraOperationInfo *info);
void capra_operation_info_set_favourite (CapraOperationInfo *info, gboolean favourite);
/* Ranks @info for a search: 0 if a word of @query is missing; higher if words occur in the title or start it. */
int capra_operation_info_match (CapraOperationInfo *info, const char *query);

/* A list of CapraOperationInfo: the operations of GEGL with an input and an output that process images. */
GListModel *capra_catalogue_new (void);
/* All categories in @catalogue, sorted (g_strfreev). */
GStrv capra_catalogue_get_categories (GListModel *catalogue);

G_END_DECLS
