/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-item: a file that the steps are applied to, and what has become of it. */
#include "ui/panel/batch/batch-item.h"

#include <glib/gi18n-lib.h>

struct _CapraBatchItem {
  GObject parent_instance;
  char *path, *output, *table, *message;
  CapraBatchState state;
};

G_DEFINE_FINAL_TYPE (CapraBatchItem, capra_batch_item, G_TYPE_OBJECT)

enum {
  PROP_NAME = 1,
  PROP_FOLDER,
  PROP_URI,
  PROP_ICON_NAME,
  PROP_MESSAGE,
  PROP_HAS_MESSAGE,
  PROP_RESULT_URI,
  PROP_HAS_RESULT,
  PROP_TABLE_URI,
  PROP_HAS_TABLE,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

const char *
capra_batch_item_get_path (CapraBatchItem *item)
{
  g_return_val_if_fail (CAPRA_IS_BATCH_ITEM (item), NULL);
  return item->path;
}

const char *
capra_batch_item_get_output (CapraBatchItem *item)
{
  g_return_val_if_fail (CAPRA_IS_BATCH_ITEM (item), NULL);
  return item->output;
}

const char *
capra_batch_item_get_table (CapraBatchItem *item)
{
  g_return_val_if_fail (CAPRA_IS_BATCH_ITEM (item), NULL);
  return item->table;
}

void
capra_batch_item_set_output (CapraBatchItem *item, const char *path, const char *table)
{
  g_return_if_fail (CAPRA_IS_BATCH_ITEM (item));
  g_free (item->output);
  g_free (item->table);
  item->output = g_strdup (path);
  item->table = g_strdup (table);
}

CapraBatchState
capra_batch_item_get_state (CapraBatchItem *item)
{
  g_return_val_if_fail (CAPRA_IS_BATCH_ITEM (item), CAPRA_BATCH_WAITING);
  return item->state;
}

/* The files that were written. */
static char *
list_written (CapraBatchItem *self)
{
  g_autofree char *output = self->output ? g_filename_display_basename (self->output) : g_strdup ("");
  g_autofree char *table = self->table ? g_filename_display_basename (self->table) : NULL;

  return g_strconcat (output, table ? ", " : "", table ? table : "", NULL);
}

/* What the row shows: the files that were written, or why there are none. */
static char *
describe (CapraBatchItem *self)
{
  g_autofree char *written = list_written (self);
  const char *said = self->message ? self->message : "";

  switch (self->state)
    {
    case CAPRA_BATCH_DONE: return g_strdup_printf ("→ %s%s%s", written, *said ? " · " : "", said);
    case CAPRA_BATCH_FAILED: return g_strdup (*said ? said : _ ("Failed"));
    case CAPRA_BATCH_LEFT: return g_strdup (_ ("Not processed"));
    default: return g_strdup ("");
    }
}

const char *
capra_batch_item_get_message (CapraBatchItem *item)
{
  g_return_val_if_fail (CAPRA_IS_BATCH_ITEM (item), NULL);
  return item->message;
}

void
capra_batch_item_set_state (CapraBatchItem *item, CapraBatchState state, const char *message)
{
  g_return_if_fail (CAPRA_IS_BATCH_ITEM (item));
  item->state = state;
  g_free (item->message);
  item->message = g_strdup (message);
  for (guint i = PROP_ICON_NAME; i < N_PROPERTIES; i++)
    g_object_notify_by_pspec (G_OBJECT (item), properties[i]);
}

/* (transfer floating): the string of an action's parameter. @path: (nullable) */
static GVariant *
make_uri (const char *path)
{
  g_autofree char *uri = path ? g_filename_to_uri (path, NULL, NULL) : NULL;

  return g_variant_new_string (uri ? uri : "");
}

static void
capra_batch_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  static const char *const icons[] = { "content-loading-symbolic", "object-select-symbolic", "dialog-error-symbolic",
                                       "process-stop-symbolic" };
  CapraBatchItem *self = CAPRA_BATCH_ITEM (object);
  g_autofree char *folder = g_path_get_dirname (self->path);
  gboolean done = self->state == CAPRA_BATCH_DONE;

  switch (id)
    {
    case PROP_NAME: g_value_take_string (value, g_filename_display_basename (self->path)); break;
    case PROP_FOLDER: g_value_take_string (value, g_filename_display_name (folder)); break;
    case PROP_URI: g_value_set_variant (value, make_uri (self->path)); break;
    case PROP_ICON_NAME: g_value_set_string (value, icons[self->state]); break;
    case PROP_MESSAGE: g_value_take_string (value, describe (self)); break;
    case PROP_HAS_MESSAGE: g_value_set_boolean (value, self->state != CAPRA_BATCH_WAITING); break;
    case PROP_RESULT_URI: g_value_set_variant (value, make_uri (self->output)); break;
    case PROP_HAS_RESULT: g_value_set_boolean (value, done && self->output); break;
    case PROP_TABLE_URI: g_value_set_variant (value, make_uri (self->table)); break;
    case PROP_HAS_TABLE: g_value_set_boolean (value, done && self->table); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_batch_item_finalize (GObject *object)
{
  CapraBatchItem *self = CAPRA_BATCH_ITEM (object);

  g_free (self->path);
  g_free (self->output);
  g_free (self->table);
  g_free (self->message);
  G_OBJECT_CLASS (capra_batch_item_parent_class)->finalize (object);
}

static void
capra_batch_item_class_init (CapraBatchItemClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = capra_batch_item_get_property;
  object_class->finalize = capra_batch_item_finalize;
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);
  properties[PROP_FOLDER] = g_param_spec_string ("folder", NULL, NULL, NULL, flags);
  properties[PROP_URI] = g_param_spec_variant ("uri", NULL, NULL, G_VARIANT_TYPE_STRING, NULL, flags);
  properties[PROP_ICON_NAME] = g_param_spec_string ("icon-name", NULL, NULL, NULL, flags);
  properties[PROP_MESSAGE] = g_param_spec_string ("message", NULL, NULL, NULL, flags);
  properties[PROP_HAS_MESSAGE] = g_param_spec_boolean ("has-message", NULL, NULL, FALSE, flags);
  properties[PROP_RESULT_URI] = g_param_spec_variant ("result-uri", NULL, NULL, G_VARIANT_TYPE_STRING, NULL, flags);
  properties[PROP_HAS_RESULT] = g_param_spec_boolean ("has-result", NULL, NULL, FALSE, flags);
  properties[PROP_TABLE_URI] = g_param_spec_variant ("table-uri", NULL, NULL, G_VARIANT_TYPE_STRING, NULL, flags);
  properties[PROP_HAS_TABLE] = g_param_spec_boolean ("has-table", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
capra_batch_item_init (CapraBatchItem *self)
{
}

CapraBatchItem *
capra_batch_item_new (const char *path)
{
  CapraBatchItem *self = g_object_new (CAPRA_TYPE_BATCH_ITEM, NULL);

  self->path = g_strdup (path);
  return self;
}

char *
capra_batch_items_summarize (GListModel *items, gboolean *failed)
{
  guint counts[CAPRA_BATCH_LEFT + 1] = { 0 }, tables = 0;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (items, i);

      counts[item->state]++;
      tables += item->state == CAPRA_BATCH_DONE && item->table;
    }
  g_string_append_printf (text, ngettext ("%u result", "%u results", counts[CAPRA_BATCH_DONE]),
                          counts[CAPRA_BATCH_DONE]);
  if (tables > 0)
    g_string_append_printf (text, ngettext (", %u table", ", %u tables", tables), tables);
  if (counts[CAPRA_BATCH_FAILED] > 0)
    g_string_append_printf (text, ngettext (", %u file failed", ", %u files failed", counts[CAPRA_BATCH_FAILED]),
                            counts[CAPRA_BATCH_FAILED]);
  if (counts[CAPRA_BATCH_LEFT] > 0)
    g_string_append_printf (text,
                            ngettext (", %u was not processed", ", %u were not processed", counts[CAPRA_BATCH_LEFT]),
                            counts[CAPRA_BATCH_LEFT]);
  *failed = counts[CAPRA_BATCH_FAILED] > 0;
  return g_string_free (text, FALSE);
}
