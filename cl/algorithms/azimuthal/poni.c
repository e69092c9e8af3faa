/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* PONI: parses the files of pyFAI. Lines are "key: value"; the last one of a key is valid; "#" begins a comment. */
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "algorithms/azimuthal/azimuthal-fail.h"
#include "algorithms/azimuthal/detector.h"
#include "algorithms/azimuthal/poni.h"

#define MAX_BYTES (1 << 20)
#define MAX_SHAPE 65536

static gboolean
parse_number (const char *key, const char *text, double *value, GError **error)
{
  char *end = NULL;

  *value = g_ascii_strtod (text, &end);
  if (end == text || *end || !isfinite (*value))
    return capra_azimuthal_fail (error, _ ("the PONI file's \"%s\" is \"%.40s\"; it must be a number"), key, text);
  return TRUE;
}

/* Sets @value if the file has @key. */
static gboolean
get_number (GHashTable *keys, const char *key, gboolean required, double *value, GError **error)
{
  const char *text = g_hash_table_lookup (keys, key);

  if (text && strcmp (text, "None") != 0)
    return parse_number (key, text, value, error);
  if (required)
    return capra_azimuthal_fail (error, _ ("the PONI file has no \"%s\""), key);
  return TRUE;
}

static gboolean
get_member (JsonObject *object, const char *name, double *value, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  if (!node || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) == G_TYPE_STRING)
    return capra_azimuthal_fail (error, _ ("\"%s\" in the PONI file's detector_config must be a number"), name);
  *value = json_node_get_double (node);
  return TRUE;
}

static gboolean
get_shape (JsonObject *object, CapraPoni *poni, GError **error)
{
  JsonNode *node = json_object_get_member (object, "max_shape");
  double sizes[2];
  JsonArray *array = NULL;

  if (!node || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  if (!array || json_array_get_length (array) != 2)
    return capra_azimuthal_fail (error, _ ("\"max_shape\" in the PONI file's detector_config must be two numbers"));
  for (guint i = 0; i < 2; i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      sizes[i] = JSON_NODE_HOLDS_VALUE (element) ? json_node_get_double (element) : 0;
      if (!(sizes[i] >= 1 && sizes[i] <= MAX_SHAPE))
        return capra_azimuthal_fail (
          error, _ ("\"max_shape\" in the PONI file's detector_config must be two numbers from 1 to %d"), MAX_SHAPE);
    }
  poni->height = (guint) sizes[0];
  poni->width = (guint) sizes[1];
  return TRUE;
}

/* Settings that change the positions of pixels and that this reader refuses. */
static gboolean
check_unsupported (JsonObject *object, GError **error)
{
  static const char *const names[] = { "splineFile", "splinefile", "filename", "x_offset_file", "y_offset_file" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      JsonNode *node = json_object_get_member (object, names[i]);

      if (node && !JSON_NODE_HOLDS_NULL (node))
        return capra_azimuthal_fail (
          error,
          _ ("the PONI file's detector has a \"%s\", which is not supported: only flat detectors "
             "with pixels of one size are"),
          names[i]);
    }
  return TRUE;
}

static gboolean
parse_config (const char *text, CapraPoni *poni, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) inner = NULL;
  double orientation = poni->orientation;
  JsonNode *root = NULL;
  JsonObject *object = NULL;

  if (!json_parser_load_from_data (parser, text, -1, &inner))
    return capra_azimuthal_fail (error, _ ("the PONI file's detector_config is not JSON: %s"), inner->message);
  root = json_parser_get_root (parser);
  if (!root || !JSON_NODE_HOLDS_OBJECT (root))
    return capra_azimuthal_fail (error, _ ("the PONI file's detector_config is not a JSON object"));
  object = json_node_get_object (root);
  if (!check_unsupported (object, error) || !get_member (object, "pixel1", &poni->pixel1, error)
      || !get_member (object, "pixel2", &poni->pixel2, error) || !get_shape (object, poni, error)
      || !get_member (object, "orientation", &orientation, error))
    return FALSE;
  if (orientation != 0 && !(orientation >= 1 && orientation <= 4 && orientation == floor (orientation)))
    return capra_azimuthal_fail (error, _ ("the detector's orientation is %g; it must be 1 to 4"), orientation);
  poni->orientation = orientation == 0 ? 3 : (guint) orientation;
  return TRUE;
}

/* The last value of each key, in lower case. */
static GHashTable *
parse_keys (const char *text)
{
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i]; i++)
    {
      char *colon = strchr (lines[i], ':');

      if (!colon || lines[i][0] == '#')
        continue;
      *colon = 0;
      g_hash_table_replace (keys, g_ascii_strdown (g_strstrip (lines[i]), -1), g_strdup (g_strstrip (colon + 1)));
    }
  return keys;
}

static gboolean
parse_detector (GHashTable *keys, CapraPoni *poni, GError **error)
{
  const char *name = g_hash_table_lookup (keys, "detector"), *config = g_hash_table_lookup (keys, "detector_config");
  const char *spline = g_hash_table_lookup (keys, "splinefile");
  const CapraDetector *detector = name ? capra_detector_find (name) : NULL;

  if (detector)
    {
      poni->pixel1 = poni->pixel2 = detector->pixel;
      poni->width = detector->width;
      poni->height = detector->height;
    }
  g_strlcpy (poni->detector, name ? name : "", sizeof poni->detector);
  if (spline && g_ascii_strcasecmp (spline, "none") != 0)
    return capra_azimuthal_fail (
      error,
      _ ("the PONI file's detector has a \"%s\", which is not supported: only flat detectors "
         "with pixels of one size are"),
      "splinefile");
  if (!get_number (keys, "pixelsize1", FALSE, &poni->pixel1, error)
      || !get_number (keys, "pixelsize2", FALSE, &poni->pixel2, error)
      || (config && !parse_config (config, poni, error)))
    return FALSE;
  if (poni->pixel1 == 0 || poni->pixel2 == 0)
    return capra_azimuthal_fail (
      error,
      _ ("the PONI file has no sizes of pixels, and the detector \"%s\" is not known: add them to "
         "detector_config"),
      poni->detector);
  return TRUE;
}

static gboolean
check_version (GHashTable *keys, GError **error)
{
  const char *parallax = g_hash_table_lookup (keys, "parallax");
  double version = 1;

  if (!get_number (keys, "poni_version", FALSE, &version, error))
    return FALSE;
  if (version < 1 || version > 3)
    return capra_azimuthal_fail (error, _ ("the PONI file has version %g; versions 1 to 3 are supported"), version);
  if (version >= 2 && !g_hash_table_contains (keys, "detector_config"))
    return capra_azimuthal_fail (error, _ ("the PONI file has no \"%s\""), "detector_config");
  if (parallax && g_ascii_strcasecmp (parallax, "true") == 0)
    return capra_azimuthal_fail (error, _ ("the PONI file asks for a correction of parallax, which is not supported"));
  return TRUE;
}

gboolean
capra_poni_check (const CapraPoni *poni, GError **error)
{
  const double numbers[] = { poni->pixel1, poni->pixel2, poni->distance, poni->poni1,     poni->poni2,
                             poni->rot1,   poni->rot2,   poni->rot3,     poni->wavelength };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!isfinite (numbers[i]) || fabs (numbers[i]) > 1e6)
      return capra_azimuthal_fail (error, _ ("the geometry has the value %g; values must be finite, in m and radians"),
                                   numbers[i]);
  if (poni->pixel1 <= 0 || poni->pixel2 <= 0)
    return capra_azimuthal_fail (error, _ ("the pixels are %g by %g m; they must be larger than 0"), poni->pixel1,
                                 poni->pixel2);
  if (poni->distance <= 0)
    return capra_azimuthal_fail (error, _ ("the distance is %g m; it must be larger than 0"), poni->distance);
  if (poni->wavelength < 0)
    return capra_azimuthal_fail (error, _ ("the wavelength is %g m; it must be larger than 0"), poni->wavelength);
  if (poni->orientation < 1 || poni->orientation > 4)
    return capra_azimuthal_fail (error, _ ("the detector's orientation is %g; it must be 1 to 4"),
                                 (double) poni->orientation);
  return TRUE;
}

gboolean
capra_poni_parse (const char *text, gsize length, CapraPoni *poni, GError **error)
{
  g_autofree char *copy = NULL;
  g_autoptr (GHashTable) keys = NULL;
  CapraPoni parsed = { .orientation = 3 };

  if (length > MAX_BYTES || memchr (text, 0, length) || !g_utf8_validate (text, (gssize) length, NULL))
    return capra_azimuthal_fail (error, _ ("the PONI file is not text, or has more than %d bytes"), MAX_BYTES);
  copy = g_strndup (text, length);
  keys = parse_keys (copy);
  if (!check_version (keys, error) || !parse_detector (keys, &parsed, error)
      || !get_number (keys, g_hash_table_contains (keys, "dist") ? "dist" : "distance", TRUE, &parsed.distance, error)
      || !get_number (keys, "poni1", TRUE, &parsed.poni1, error)
      || !get_number (keys, "poni2", TRUE, &parsed.poni2, error)
      || !get_number (keys, "rot1", FALSE, &parsed.rot1, error)
      || !get_number (keys, "rot2", FALSE, &parsed.rot2, error)
      || !get_number (keys, "rot3", FALSE, &parsed.rot3, error)
      || !get_number (keys, "wavelength", FALSE, &parsed.wavelength, error))
    return FALSE;
  if (g_hash_table_contains (keys, "wavelength") && parsed.wavelength == 0
      && strcmp (g_hash_table_lookup (keys, "wavelength"), "None") != 0)
    return capra_azimuthal_fail (error, _ ("the wavelength is %g m; it must be larger than 0"), 0.0);
  if (!capra_poni_check (&parsed, error))
    return FALSE;
  *poni = parsed;
  return TRUE;
}

gboolean
capra_poni_load (const char *path, CapraPoni *poni, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  g_autofree char *text = g_malloc (MAX_BYTES + 1);
  g_autoptr (GError) inner = NULL;
  gsize length = 0;

  if (!stream || !g_input_stream_read_all (G_INPUT_STREAM (stream), text, MAX_BYTES + 1, &length, NULL, error))
    return FALSE;
  if (capra_poni_parse (text, length, poni, &inner))
    return TRUE;
  return capra_azimuthal_fail (error, _ ("cannot read %s: %s"), path, inner->message);
}
