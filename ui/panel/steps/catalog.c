/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catalog: the operations that can be steps, and which of them are favorites. */
#include "ui/panel/steps/catalog.h"

#include <gegl.h>
#include <string.h>

#include "ui/panel/steps/synonyms.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/steps/step.h"

struct _CapraOperationInfo {
  GObject parent_instance;
  char *name, *title, *description;
  char *haystack; /* all texts that a search looks at, case-folded */
  char *purposes; /* its words that match like the beginning of a title, case-folded */
  GStrv categories;
  gboolean favorite;
};

G_DEFINE_FINAL_TYPE (CapraOperationInfo, capra_operation_info, G_TYPE_OBJECT)

enum { PROP_0, PROP_FAVORITE, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

static void
capra_operation_info_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, CAPRA_OPERATION_INFO (object)->favorite);
}

static void
capra_operation_info_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  capra_operation_info_set_favorite (CAPRA_OPERATION_INFO (object), g_value_get_boolean (value));
}

static void
capra_operation_info_finalize (GObject *object)
{
  CapraOperationInfo *self = CAPRA_OPERATION_INFO (object);

  g_free (self->name);
  g_free (self->title);
  g_free (self->description);
  g_free (self->haystack);
  g_free (self->purposes);
  g_strfreev (self->categories);
  G_OBJECT_CLASS (capra_operation_info_parent_class)->finalize (object);
}

static void
capra_operation_info_class_init (CapraOperationInfoClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = capra_operation_info_get_property;
  object_class->set_property = capra_operation_info_set_property;
  object_class->finalize = capra_operation_info_finalize;
  properties[PROP_FAVORITE] = g_param_spec_boolean (
    "favorite", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
capra_operation_info_init (CapraOperationInfo *self)
{
}

const char *
capra_operation_info_get_name (CapraOperationInfo *info)
{
  return info->name;
}

const char *
capra_operation_info_get_title (CapraOperationInfo *info)
{
  return info->title;
}

const char *
capra_operation_info_get_description (CapraOperationInfo *info)
{
  return info->description;
}

const char *const *
capra_operation_info_get_categories (CapraOperationInfo *info)
{
  return (const char *const *) info->categories;
}

gboolean
capra_operation_info_is_capra (CapraOperationInfo *info)
{
  return g_str_has_prefix (info->name, "capra:");
}

gboolean
capra_operation_info_get_favorite (CapraOperationInfo *info)
{
  return info->favorite;
}

void
capra_operation_info_set_favorite (CapraOperationInfo *info, gboolean favorite)
{
  if (info->favorite == !!favorite)
    return;
  info->favorite = !!favorite;
  g_object_notify_by_pspec (G_OBJECT (info), properties[PROP_FAVORITE]);
}

int
capra_operation_info_match (CapraOperationInfo *info, const char *query)
{
  g_autofree char *folded = g_utf8_casefold (query, -1);
  g_autofree char *title = g_utf8_casefold (info->title, -1);
  g_auto (GStrv) words = g_strsplit_set (folded, " \t", -1);
  int match = 1;

  for (guint i = 0; words[i]; i++)
    {
      if (!strstr (info->haystack, words[i]))
        return 0;
      if (*words[i] && (g_str_has_prefix (title, words[i]) || strstr (info->purposes, words[i])))
        match += 2;
      else if (*words[i] && strstr (title, words[i]))
        match++;
    }
  return match;
}

static gboolean
is_for_images (const char *const *categories)
{
  static const char *const others[] = { "hidden", "core",        "debug", "display", "input",
                                        "output", "programming", "video", "audio",   NULL };

  for (guint i = 0; categories[i]; i++)
    if (g_strv_contains (others, categories[i]))
      return FALSE;
  return TRUE;
}

/* Whether @name has an input and an output. An operation that warns when it is created lacks a library, or another
 * operation that it consists of: it cannot be used. */
static gboolean
is_filter (GeglNode *root, const char *name)
{
  g_autofree char *warning = NULL;
  GeglNode *node;
  gboolean filter;

  capra_log_catcher_begin (TRUE);
  node = gegl_node_new_child (root, "operation", name, NULL);
  filter = gegl_node_has_pad (node, "input") && gegl_node_has_pad (node, "output")
           && g_strcmp0 (gegl_node_get_operation (node), name) == 0;
  gegl_node_remove_child (root, node);
  warning = capra_log_catcher_end ();
  return filter && !warning;
}

static CapraOperationInfo *
make_info (GeglNode *root, const char *name)
{
  const char *categories = gegl_operation_get_key (name, "categories");
  const char *description = gegl_operation_get_key (name, "description");
  g_auto (GStrv) list = g_strsplit (categories ? categories : "", ":", -1);
  g_autofree char *all = NULL, *synonyms = NULL, *purposes = NULL;
  CapraOperationInfo *info;

  if (!is_for_images ((const char *const *) list) || !capra_operation_is_known (name) || !is_filter (root, name))
    return NULL;
  info = g_object_new (CAPRA_TYPE_OPERATION_INFO, NULL);
  info->name = g_strdup (name);
  info->title = capra_operation_get_title (name);
  info->description = g_strdup (description ? description : "");
  synonyms = capra_synonyms_get (name);
  all = g_strjoin (" ", name, info->title, info->description, categories ? categories : "", synonyms, NULL);
  info->haystack = g_utf8_casefold (all, -1);
  purposes = capra_synonyms_get_purposes (name);
  info->purposes = g_utf8_casefold (purposes, -1);
  info->categories = g_steal_pointer (&list);
  return info;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  CapraOperationInfo *one = *(CapraOperationInfo *const *) a, *other = *(CapraOperationInfo *const *) b;
  int capra = capra_operation_info_is_capra (other) - capra_operation_info_is_capra (one);

  return capra ? capra : g_utf8_collate (one->title, other->title);
}

GListModel *
capra_catalog_new (void)
{
  GListStore *store = g_list_store_new (CAPRA_TYPE_OPERATION_INFO);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GeglNode) root = gegl_node_new ();
  g_autofree char **names = gegl_list_operations (NULL); /* GEGL owns the strings */

  for (guint i = 0; names && names[i]; i++)
    {
      CapraOperationInfo *info = make_info (root, names[i]);

      if (info)
        g_ptr_array_add (found, info);
    }
  g_ptr_array_sort (found, compare);
  g_list_store_splice (store, 0, 0, found->pdata, found->len);
  return G_LIST_MODEL (store);
}

static int
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GStrv
capra_catalog_get_categories (GListModel *catalog)
{
  g_autoptr (GHashTable) set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  for (guint i = 0; i < g_list_model_get_n_items (catalog); i++)
    {
      g_autoptr (CapraOperationInfo) info = g_list_model_get_item (catalog, i);

      for (guint j = 0; info->categories[j]; j++)
        if (*info->categories[j])
          g_hash_table_add (set, g_strdup (info->categories[j]));
    }
  g_hash_table_iter_init (&iter, set);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (list, g_strdup (name));
  g_ptr_array_sort (list, compare_strings);
  g_ptr_array_add (list, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&list), FALSE);
}

char *
capra_catalog_make_title (const char *category)
{
  g_autofree char *first = g_utf8_strup (category, 1);
  char *title = g_strconcat (first, category + 1, NULL);

  return g_strdelimit (title, "-_", ' ');
}
