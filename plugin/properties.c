/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Properties that all operations have: device, error, failed, and the results of those that compute numbers. */
#include "plugin/properties.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Higher than the numbers of gegl-op.h, so that hosts list these properties last. */
enum {
  PROP_DEVICE = 1000,
  PROP_ERROR,
  PROP_FAILED,
  PROP_ERROR_CODE,
  PROP_ERROR_DEVICE,
  PROP_RESULT, /* the first of CAPRA_MAX_RESULTS */
  PROP_PATH = PROP_RESULT + CAPRA_MAX_RESULTS,
};

/* The accessors of the class's own properties, from gegl-op.h. */
typedef struct {
  GObjectSetPropertyFunc set;
  GObjectGetPropertyFunc get;
} Accessors;

static GQuark
properties_quark (void)
{
  return g_quark_from_static_string ("capra-properties");
}

static GQuark
accessors_quark (void)
{
  return g_quark_from_static_string ("capra-accessors");
}

static void
properties_free (gpointer data)
{
  CapraProperties *properties = data;

  g_free (properties->device);
  g_free (properties->path);
  capra_error_report_free (properties->report);
  g_mutex_clear (&properties->lock);
  g_free (properties);
}

CapraProperties *
capra_properties_get (GeglOperation *operation)
{
  CapraProperties *properties = g_object_get_qdata (G_OBJECT (operation), properties_quark ());

  /* Created early: the property device is set on construction. */
  if (!properties)
    {
      properties = g_new0 (CapraProperties, 1);
      properties->device = g_strdup ("");
      properties->path = g_strdup ("");
      properties->report = capra_error_report_new (operation);
      g_mutex_init (&properties->lock);
      g_object_set_qdata_full (G_OBJECT (operation), properties_quark (), properties, properties_free);
    }
  return properties;
}

static char *
dup_text (CapraProperties *properties, char *const *text)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&properties->lock);

  return g_strdup (*text);
}

static void
set_text (CapraProperties *properties, char **text, const GValue *value)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&properties->lock);

  g_free (*text);
  *text = g_strdup (g_value_get_string (value) ? g_value_get_string (value) : "");
}

char *
capra_properties_dup_device (GeglOperation *operation)
{
  CapraProperties *properties = capra_properties_get (operation);

  return dup_text (properties, &properties->device);
}

char *
capra_properties_dup_path (GeglOperation *operation)
{
  CapraProperties *properties = capra_properties_get (operation);

  return dup_text (properties, &properties->path);
}

void
capra_properties_set_results (GeglOperation *operation, const double *results, guint n)
{
  CapraProperties *properties = capra_properties_get (operation);

  g_mutex_lock (&properties->lock);
  memcpy (properties->results, results, n * sizeof *results);
  g_mutex_unlock (&properties->lock);
}

void
capra_properties_report_loss (GeglOperation *operation, CapraDevice *device, const GError *cause)
{
  g_autoptr (GError) error = g_error_copy (cause);

  g_prefix_error (&error, "%s", _ ("the result was lost and is empty: "));
  if (operation)
    capra_error_report_set (capra_properties_get (operation)->report, error, device);
  else
    g_warning ("%s", error->message);
}

static gboolean
is_result (guint id)
{
  return id >= PROP_RESULT && id < PROP_RESULT + CAPRA_MAX_RESULTS;
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraProperties *properties = capra_properties_get (GEGL_OPERATION (object));
  const Accessors *accessors = g_type_get_qdata (spec->owner_type, accessors_quark ());

  switch (id)
    {
    case PROP_DEVICE: set_text (properties, &properties->device, value); break;
    case PROP_PATH: set_text (properties, &properties->path, value); break;
    case PROP_ERROR: capra_error_report_set_text (properties->report, g_value_get_string (value)); break;
    case PROP_FAILED:
    case PROP_ERROR_CODE:
    case PROP_ERROR_DEVICE: /* follow from the last computation */ break;
    default:
      if (!is_result (id))
        accessors->set (object, id, value, spec);
    }
}

static void
get_result (CapraProperties *properties, guint index, GValue *value)
{
  double result = 0.0;

  g_mutex_lock (&properties->lock);
  result = properties->results[index];
  g_mutex_unlock (&properties->lock);
  if (G_VALUE_HOLDS_INT (value))
    g_value_set_int (value, (gint) CLAMP (result, 0.0, G_MAXINT));
  else
    g_value_set_double (value, result);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CapraProperties *properties = capra_properties_get (GEGL_OPERATION (object));
  const Accessors *accessors = g_type_get_qdata (spec->owner_type, accessors_quark ());
  g_autofree char *text = NULL;

  switch (id)
    {
    case PROP_DEVICE: g_value_take_string (value, dup_text (properties, &properties->device)); break;
    case PROP_PATH: g_value_take_string (value, dup_text (properties, &properties->path)); break;
    case PROP_ERROR: g_value_take_string (value, capra_error_report_get_text (properties->report)); break;
    case PROP_FAILED:
      text = capra_error_report_get_text (properties->report);
      g_value_set_boolean (value, *text != '\0');
      break;
    case PROP_ERROR_CODE: g_value_set_int (value, capra_error_report_get_code (properties->report)); break;
    case PROP_ERROR_DEVICE: g_value_take_string (value, capra_error_report_get_device (properties->report)); break;
    default:
      if (is_result (id))
        get_result (properties, id - PROP_RESULT, value);
      else
        accessors->get (object, id, value, spec);
    }
}

/* Installs a property that hosts do not show. Setting it has no effect and notifies nobody: GIMP 3 and readers of
 * GEGL's XML set every property that they know, and warn of a read-only one. */
static void
install_hidden (GeglOperationClass *klass, guint id, GParamSpec *spec)
{
  spec->flags |= G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY;
  gegl_param_spec_set_property_key (spec, "visible", "0");
  g_object_class_install_property (G_OBJECT_CLASS (klass), id, spec);
}

void
capra_properties_install (GeglOperationClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GEGL_PARAM_PAD_INPUT;
  Accessors *accessors = g_new (Accessors, 1);
  GParamSpec *spec = NULL;

  /* Never freed, like the type. */
  *accessors = (Accessors){ object_class->set_property, object_class->get_property };
  g_type_set_qdata (G_TYPE_FROM_CLASS (klass), accessors_quark (), accessors);
  object_class->set_property = set_property;
  object_class->get_property = get_property;

  g_object_class_install_property (
    object_class, PROP_DEVICE,
    g_param_spec_string (
      "device", _ ("Device"),
      _ ("OpenCL device to compute on: empty for the default, \"auto\" for the best, "
         "\"all\" to split work over all of them, an index, platform:device, an id, "
         "a part of its name or of its platform's, or several of these, separated by commas, to split work over "
         "them"),
      "", flags | G_PARAM_CONSTRUCT));

  spec = g_param_spec_string ("error", _ ("Error"), _ ("Why the last computation failed"), "", flags);
  gegl_param_spec_set_property_key (spec, "error", "true");
  gegl_param_spec_set_property_key (spec, "visible", "failed");
  g_object_class_install_property (object_class, PROP_ERROR, spec);

  spec = g_param_spec_boolean ("failed", _ ("Failed"), _ ("Whether the last computation failed"), FALSE, flags);
  gegl_param_spec_set_property_key (spec, "visible", "0");
  g_object_class_install_property (object_class, PROP_FAILED, spec);

  install_hidden (klass, PROP_ERROR_CODE,
                  g_param_spec_int ("error-code", _ ("Error code"),
                                    _ ("The kind of the last failure, a CapraError; -1 after success"), -1, G_MAXINT,
                                    -1, G_PARAM_STATIC_STRINGS));
  install_hidden (klass, PROP_ERROR_DEVICE,
                  g_param_spec_string ("error-device", _ ("Failed device"),
                                       _ ("The id of the device on which the last computation failed"), "",
                                       G_PARAM_STATIC_STRINGS));
}

void
capra_properties_install_result (GeglOperationClass *klass, guint index, GParamSpec *spec)
{
  install_hidden (klass, PROP_RESULT + index, spec);
  gegl_param_spec_set_property_key (spec, "capra:result", "true");
}

void
capra_properties_install_path (GeglOperationClass *klass, const char *nick, const char *blurb)
{
  g_object_class_install_property (
    G_OBJECT_CLASS (klass), PROP_PATH,
    gegl_param_spec_file_path ("path", nick, blurb, FALSE, FALSE, "",
                               G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GEGL_PARAM_PAD_INPUT));
}
