/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-item: a file that the steps are applied to, and what has become of it. */
#include "ui/panel/batch/batch-item.h"

#include <glib/gi18n-lib.h>

struct _CapraBatchItem {
  GObject parent_instance;
  char *path, *output, *message;
  CapraBatchState state;
};

G_DEFINE_FINAL_TYPE (CapraBatchItem, capra_batch_item, G_TYPE_OBJECT)

enum { PROP_NAME = 1, PROP_FOLDER, PROP_ICON_NAME, PROP_MESSAGE, PROP_HAS_MESSAGE, N_PROPERTIES };

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

void
capra_batch_item_set_output (CapraBatchItem *item, const char *path)
{
  g_return_if_fail (CAPRA_IS_BATCH_ITEM (item));
  g_free (item->output);
  item->output = g_strdup (path);
}

CapraBatchState
capra_batch_item_get_state (CapraBatchItem *item)
{
  g_return_val_if_fail (CAPRA_IS_BATCH_ITEM (item), CAPRA_BATCH_WAITING);
  return item->state;
}

/* What the row shows: a result that was written, or why there is none. */
static char *
describe (CapraBatchItem *self)
{
  g_autofree char *name = self->output ? g_filename_display_basename (self->output) : NULL;
  const char *said = self->message ? self->message : "";

  switch (self->state)
    {
    case CAPRA_BATCH_DONE: return g_strdup_printf ("→ %s%s%s", name ? name : "", *said ? " · " : "", said);
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

static void
capra_batch_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  static const char *const icons[] = { "content-loading-symbolic", "object-select-symbolic", "dialog-error-symbolic",
                                       "process-stop-symbolic" };
  CapraBatchItem *self = CAPRA_BATCH_ITEM (object);
  g_autofree char *folder = g_path_get_dirname (self->path);

  switch (id)
    {
    case PROP_NAME: g_value_take_string (value, g_filename_display_basename (self->path)); break;
    case PROP_FOLDER: g_value_take_string (value, g_filename_display_name (folder)); break;
    case PROP_ICON_NAME: g_value_set_string (value, icons[self->state]); break;
    case PROP_MESSAGE: g_value_take_string (value, describe (self)); break;
    case PROP_HAS_MESSAGE: g_value_set_boolean (value, self->state != CAPRA_BATCH_WAITING); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_batch_item_finalize (GObject *object)
{
  CapraBatchItem *self = CAPRA_BATCH_ITEM (object);

  g_free (self->path);
  g_free (self->output);
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
  properties[PROP_ICON_NAME] = g_param_spec_string ("icon-name", NULL, NULL, NULL, flags);
  properties[PROP_MESSAGE] = g_param_spec_string ("message", NULL, NULL, NULL, flags);
  properties[PROP_HAS_MESSAGE] = g_param_spec_boolean ("has-message", NULL, NULL, FALSE, flags);
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
