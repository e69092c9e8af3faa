/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value-text: converts values of properties to and from the text in command lines and XML. */
#include "ui/pipeline/text/value-text.h"

#include <gegl-paramspecs.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ui/pipeline/error.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GeglCurve, g_object_unref)

/* The points as "x,y x,y …". */
static char *
curve_to_text (GeglCurve *curve)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; curve && i < gegl_curve_num_points (curve); i++)
    {
      char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE];
      double px, py;

      gegl_curve_get_point (curve, i, &px, &py);
      g_ascii_formatd (x, sizeof x, "%.9g", px);
      g_ascii_formatd (y, sizeof y, "%.9g", py);
      g_string_append_printf (text, "%s%s,%s", i ? " " : "", x, y);
    }
  return g_string_free (text, FALSE);
}

static GeglCurve *
curve_from_text (const char *text)
{
  g_autoptr (GeglCurve) curve = gegl_curve_new (0.0, 1.0);
  const char *at = text;

  while (*(at += strspn (at, " \t\r\n")))
    {
      char *end;
      double x = g_ascii_strtod (at, &end), y;

      if (end == at || *end != ',')
        return NULL;
      at = end + 1;
      y = g_ascii_strtod (at, &end);
      if (end == at)
        return NULL;
      gegl_curve_add_point (curve, x, y);
      at = end;
    }
  return g_steal_pointer (&curve);
}

static char *
object_to_text (GObject *object)
{
  char *text = NULL;

  if (GEGL_IS_COLOR (object))
    g_object_get (object, "string", &text, NULL);
  else if (GEGL_IS_PATH (object))
    text = gegl_path_to_string (GEGL_PATH (object));
  else if (GEGL_IS_CURVE (object))
    text = curve_to_text (GEGL_CURVE (object));
  return text;
}

static char *
double_to_text (double number)
{
  char short_text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (short_text, sizeof short_text, "%.15g", number);
  if (g_ascii_strtod (short_text, NULL) == number)
    return g_strdup (short_text);
  return g_strdup (g_ascii_dtostr (short_text, sizeof short_text, number));
}

char *
capra_value_to_text (const GValue *value)
{
  if (G_VALUE_HOLDS_DOUBLE (value))
    return double_to_text (g_value_get_double (value));
  if (G_VALUE_HOLDS_INT (value))
    return g_strdup_printf ("%d", g_value_get_int (value));
  if (G_VALUE_HOLDS_UINT (value))
    return g_strdup_printf ("%u", g_value_get_uint (value));
  if (G_VALUE_HOLDS_BOOLEAN (value))
    return g_strdup (g_value_get_boolean (value) ? "true" : "false");
  if (G_VALUE_HOLDS_STRING (value))
    return g_strdup (g_value_get_string (value) ? g_value_get_string (value) : "");
  if (G_VALUE_HOLDS_ENUM (value))
    {
      g_autoptr (GEnumClass) klass = g_type_class_ref (G_VALUE_TYPE (value));
      GEnumValue *entry = g_enum_get_value (klass, g_value_get_enum (value));

      return g_strdup (entry ? entry->value_nick : NULL);
    }
  if (G_VALUE_HOLDS_OBJECT (value) && g_value_get_object (value))
    return object_to_text (g_value_get_object (value));
  if (G_VALUE_HOLDS_POINTER (value) && g_value_get_pointer (value))
    return g_strdup (babl_get_name (g_value_get_pointer (value)));
  return NULL;
}

static gboolean
number_from_text (const char *text, double *number)
{
  char *end;

  *number = g_ascii_strtod (text, &end);
  return end != text && *(end + strspn (end, " ")) == '\0' && !isnan (*number);
}

static gboolean
boolean_from_text (const char *text, gboolean *result)
{
  static const char *const yes[] = { "true", "yes", "1", NULL };
  static const char *const no[] = { "false", "no", "0", NULL };
  g_autofree char *lower = g_ascii_strdown (text, -1);

  *result = g_strv_contains (yes, lower);
  return *result || g_strv_contains (no, lower);
}

static gboolean
enum_from_text (GParamSpec *property, const char *text, GValue *value)
{
  GEnumClass *klass = G_PARAM_SPEC_ENUM (property)->enum_class;
  GEnumValue *entry = g_enum_get_value_by_nick (klass, text);
  double number;

  if (!entry)
    entry = g_enum_get_value_by_name (klass, text);
  if (!entry && number_from_text (text, &number))
    entry = g_enum_get_value (klass, (int) number);
  if (!entry)
    return FALSE;
  g_value_set_enum (value, entry->value);
  return TRUE;
}

static gboolean
object_from_text (GParamSpec *property, const char *text, GValue *value)
{
  GType type = G_PARAM_SPEC_VALUE_TYPE (property);

  if (g_type_is_a (type, GEGL_TYPE_COLOR))
    g_value_take_object (value, gegl_color_new (text));
  else if (g_type_is_a (type, GEGL_TYPE_PATH))
    g_value_take_object (value, gegl_path_new_from_string (text));
  else if (g_type_is_a (type, GEGL_TYPE_CURVE))
    {
      GeglCurve *curve = curve_from_text (text);

      if (!curve)
        return FALSE;
      g_value_take_object (value, curve);
    }
  else
    return FALSE;
  return TRUE;
}

/* FALSE if the text is invalid; does not check the range. */
static gboolean
parse (GParamSpec *property, const char *text, GValue *value)
{
  gboolean truth;
  double number;

  if (G_IS_PARAM_SPEC_STRING (property))
    g_value_set_string (value, text);
  else if (G_IS_PARAM_SPEC_ENUM (property))
    return enum_from_text (property, text, value);
  else if (g_type_is_a (G_PARAM_SPEC_VALUE_TYPE (property), G_TYPE_OBJECT))
    return object_from_text (property, text, value);
  else if (G_IS_PARAM_SPEC_BOOLEAN (property))
    {
      if (!boolean_from_text (text, &truth))
        return FALSE;
      g_value_set_boolean (value, truth);
    }
  else if (G_IS_PARAM_SPEC_POINTER (property))
    {
      if (!babl_format_exists (text))
        return FALSE;
      g_value_set_pointer (value, (gpointer) babl_format (text));
    }
  else if (!number_from_text (text, &number))
    return FALSE;
  else if (G_IS_PARAM_SPEC_DOUBLE (property))
    g_value_set_double (value, number);
  else if (G_IS_PARAM_SPEC_INT (property) && number >= G_MININT && number <= G_MAXINT)
    g_value_set_int (value, (int) number);
  else if (G_IS_PARAM_SPEC_UINT (property) && number >= 0 && number <= G_MAXUINT)
    g_value_set_uint (value, (guint) number);
  else
    return FALSE;
  return TRUE;
}

/* The largest and the smallest value of a type stand for no limit. */
char *
capra_value_describe_range (GParamSpec *property)
{
  double low = 0.0, high = 0.0;
  gboolean endless = FALSE;

  if (G_IS_PARAM_SPEC_DOUBLE (property))
    {
      low = G_PARAM_SPEC_DOUBLE (property)->minimum;
      high = G_PARAM_SPEC_DOUBLE (property)->maximum;
      endless = high > 1e30;
    }
  else if (G_IS_PARAM_SPEC_INT (property))
    {
      low = G_PARAM_SPEC_INT (property)->minimum;
      high = G_PARAM_SPEC_INT (property)->maximum;
      endless = G_PARAM_SPEC_INT (property)->maximum == G_MAXINT;
    }
  else if (G_IS_PARAM_SPEC_UINT (property))
    {
      low = G_PARAM_SPEC_UINT (property)->minimum;
      high = G_PARAM_SPEC_UINT (property)->maximum;
      endless = G_PARAM_SPEC_UINT (property)->maximum == G_MAXUINT;
    }
  if (endless)
    return g_strdup_printf (_ ("at least %.10g"), low);
  return low < -1e30 ? g_strdup_printf (_ ("at most %.10g"), high)
                     : g_strdup_printf (_ ("from %.10g to %.10g"), low, high);
}

/* The choices of @property, such as "none, clamp". */
static char *
list_choices (GParamSpec *property)
{
  const GEnumClass *klass = G_PARAM_SPEC_ENUM (property)->enum_class;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < klass->n_values; i++)
    g_string_append_printf (text, "%s%s", i ? ", " : "", klass->values[i].value_nick);
  return g_string_free (text, FALSE);
}

static void
set_invalid (GParamSpec *property, const char *text, GError **error)
{
  const char *name = g_param_spec_get_nick (property);

  if (G_IS_PARAM_SPEC_ENUM (property))
    {
      g_autofree char *choices = list_choices (property);

      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_VALUE,
                   _ ("Invalid value \"%s\" for \"%s\"; the choices are: %s"), text, name, choices);
    }
  else
    g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_VALUE, _ ("Invalid value \"%s\" for \"%s\""), text,
                 name);
}

gboolean
capra_value_from_text (GParamSpec *property, const char *text, GValue *value, GError **error)
{
  g_auto (GValue) parsed = G_VALUE_INIT;
  gboolean number = G_IS_PARAM_SPEC_DOUBLE (property) || G_IS_PARAM_SPEC_INT (property)
                    || G_IS_PARAM_SPEC_UINT (property);

  g_value_init (&parsed, G_PARAM_SPEC_VALUE_TYPE (property));
  if (!parse (property, text, &parsed))
    {
      set_invalid (property, text, error);
      return FALSE;
    }
  if (g_param_value_validate (property, &parsed) && number)
    {
      g_autofree char *range = capra_value_describe_range (property);

      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_VALUE, _ ("%s is out of range for \"%s\": %s"),
                   text, g_param_spec_get_nick (property), range);
      return FALSE;
    }
  g_value_init (value, G_PARAM_SPEC_VALUE_TYPE (property));
  g_value_copy (&parsed, value);
  return TRUE;
}
