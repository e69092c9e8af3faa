/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* World coordinates: linear and zenithal coordinates, from pixels and back (Greisen and Calabretta 2002; Calabretta and
 * Greisen 2002). */
#include "formats/fits/world-coordinates.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "formats/fits/projection.h"

#define RADIANS (G_PI / 180.0)

struct _CapraWorldCoordinates {
  gatomicrefcount refs;
  gboolean is_sky;
  guint latitude; /* which of the two axes it is: 0 or 1 */
  gsize height;
  double origin[2];     /* CRPIX */
  double matrix[2][2];  /* from pixels to intermediate coordinates */
  double inverse[2][2]; /* and back */
  double value[2];      /* CRVAL */
  CapraProjection projection;
  char *names[2], *units[2];
};

CapraWorldCoordinates *
capra_world_coordinates_ref (CapraWorldCoordinates *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
capra_world_coordinates_unref (CapraWorldCoordinates *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint i = 0; i < 2; i++)
    {
      g_free (self->names[i]);
      g_free (self->units[i]);
    }
  g_free (self);
}

/* The number of a keyword such as CRPIX2 or PC1_2 (@other is 2; 0 for none); @otherwise if it is missing. */
static double
get_number (CapraFitsHeader *header, const char *name, guint axis, guint other, double otherwise, gboolean *found)
{
  char key[32];
  double value = otherwise;

  if (other)
    g_snprintf (key, sizeof key, "%s%u_%u", name, axis, other);
  else
    g_snprintf (key, sizeof key, "%s%u", name, axis);
  if (capra_fits_header_get_double (header, key, &value) && found)
    *found = TRUE;
  return value;
}

static const char *
get_axis_text (CapraFitsHeader *header, const char *name, guint axis)
{
  char key[32];
  const char *text = NULL;

  g_snprintf (key, sizeof key, "%s%u", name, axis);
  text = capra_fits_header_get_text (header, key);
  return text ? text : "";
}

/* Sets the matrix from the keywords CD, PC and CDELT, or CROTA. */
static void
read_matrix (CapraWorldCoordinates *self, CapraFitsHeader *header, const guint axes[2])
{
  gboolean has_cd = FALSE, has_pc = FALSE;
  double cd[2][2], pc[2][2], scale[2];

  for (guint i = 0; i < 2; i++)
    {
      scale[i] = get_number (header, "CDELT", axes[i], 0, 1.0, NULL);
      for (guint j = 0; j < 2; j++)
        {
          cd[i][j] = axes[i] && axes[j] ? get_number (header, "CD", axes[i], axes[j], 0.0, &has_cd) : i == j;
          pc[i][j] = axes[i] && axes[j] ? get_number (header, "PC", axes[i], axes[j], i == j, &has_pc) : i == j;
        }
    }
  if (!has_cd && !has_pc && self->is_sky)
    {
      guint b = self->latitude, a = 1 - b;
      double angle = get_number (header, "CROTA", axes[b], 0, 0.0, NULL) * RADIANS;

      pc[0][0] = pc[1][1] = cos (angle);
      pc[a][b] = scale[a] != 0.0 ? -sin (angle) * scale[b] / scale[a] : 0.0;
      pc[b][a] = scale[b] != 0.0 ? sin (angle) * scale[a] / scale[b] : 0.0;
    }
  for (guint i = 0; i < 2; i++)
    for (guint j = 0; j < 2; j++)
      self->matrix[i][j] = has_cd ? cd[i][j] : scale[i] * pc[i][j];
}

static gboolean
invert_matrix (CapraWorldCoordinates *self, GError **error)
{
  double (*m)[2] = self->matrix, a = m[0][0] * m[1][1], b = m[0][1] * m[1][0], determinant = a - b;

  /* The difference of two numbers that are equal up to rounding is not a determinant. */
  if (!(fabs (determinant) > 1e-14 * (fabs (a) + fabs (b))) || !isfinite (1.0 / determinant))
    {
      g_set_error_literal (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED,
                           _ ("the world coordinates in the header cannot be inverted: check CDELT, PC and CD"));
      return FALSE;
    }
  self->inverse[0][0] = m[1][1] / determinant;
  self->inverse[0][1] = -m[0][1] / determinant;
  self->inverse[1][0] = -m[1][0] / determinant;
  self->inverse[1][1] = m[0][0] / determinant;
  return TRUE;
}

/* Degrees in the unit of an axis of the sky; 0 for an unknown unit. */
static double
get_degrees (const char *unit)
{
  static const struct {
    const char *name;
    double degrees;
  } units[] = { { "", 1.0 },
                { "deg", 1.0 },
                { "degree", 1.0 },
                { "degrees", 1.0 },
                { "arcmin", 1.0 / 60.0 },
                { "arcsec", 1.0 / 3600.0 },
                { "mas", 1.0 / 3.6e6 },
                { "rad", 180.0 / G_PI } };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_ascii_strcasecmp (unit, units[i].name) == 0)
      return units[i].degrees;
  return 0.0;
}

/* The part of a CTYPE before its projection, such as "RA". */
static char *
dup_name (const char *type, const char *otherwise)
{
  const char *dash = strchr (type, '-');
  char *name = dash ? g_strndup (type, (gsize) (dash - type)) : g_strdup (type);

  if (*g_strstrip (name))
    return name;
  g_free (name);
  return g_strdup (otherwise);
}

static gboolean
is_longitude (const char *type)
{
  return g_str_has_prefix (type, "RA--") || g_str_has_prefix (type + MIN (1, strlen (type)), "LON-");
}

static gboolean
is_latitude (const char *type)
{
  return g_str_has_prefix (type, "DEC-") || g_str_has_prefix (type + MIN (1, strlen (type)), "LAT-");
}

static gboolean
set_unsupported (const char *x, const char *y, GError **error)
{
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_UNSUPPORTED,
               _ ("the world coordinates %s and %s are not supported; TAN, SIN, ARC, STG, ZEA and linear coordinates "
                  "are, without distortions"),
               x, y);
  return FALSE;
}

/* Whether CRVAL is not at the native pole, which the parameters of the longitude's axis can change. */
static gboolean
moves_reference (CapraFitsHeader *header, guint axis)
{
  return get_number (header, "PV", axis, 1, 0.0, NULL) != 0.0 || get_number (header, "PV", axis, 2, 90.0, NULL) != 90.0;
}

/* Reads the axes of the sky, whose types are @types. */
static gboolean
read_sky (CapraWorldCoordinates *self, CapraFitsHeader *header, const guint axes[2], const char *const types[2],
          GError **error)
{
  const char *longitude = types[1 - self->latitude], *latitude = types[self->latitude];
  double degrees[2] = { get_degrees (get_axis_text (header, "CUNIT", axes[0])),
                        get_degrees (get_axis_text (header, "CUNIT", axes[1])) };
  guint across = axes[1 - self->latitude], along = axes[self->latitude];
  double slant[2] = { 0.0, 0.0 }, pole = 0.0;

  if (strlen (longitude) != 8 || strlen (latitude) != 8 || !g_str_equal (longitude + 4, latitude + 4)
      || degrees[0] == 0.0 || degrees[1] == 0.0 || moves_reference (header, across))
    return set_unsupported (types[0], types[1], error);
  for (guint i = 0; i < 2; i++)
    {
      self->value[i] *= degrees[i];
      self->matrix[i][0] *= degrees[i];
      self->matrix[i][1] *= degrees[i];
      slant[i] = get_number (header, "PV", along, i + 1, 0.0, NULL);
    }
  pole = self->value[self->latitude] >= 90.0 ? 0.0 : 180.0;
  capra_fits_header_get_double (header, "LONPOLE", &pole);
  pole = get_number (header, "PV", across, 3, pole, NULL); /* has precedence */
  if (!capra_projection_init (&self->projection, latitude + 5, self->value[1 - self->latitude],
                              self->value[self->latitude], pole, slant))
    return set_unsupported (types[0], types[1], error);
  return TRUE;
}

static gboolean
has_any (CapraFitsHeader *header, const guint axes[2])
{
  static const char *const names[] = { "CTYPE", "CRVAL", "CRPIX", "CDELT" };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (names); i++)
    if (*get_axis_text (header, names[i / 2], axes[i % 2]))
      return TRUE;
  return FALSE;
}

/* Reads the keywords of the axes @axes, of which the second may be 0. */
static gboolean
read_axes (CapraWorldCoordinates *self, CapraFitsHeader *header, const guint axes[2], GError **error)
{
  const char *types[2] = { get_axis_text (header, "CTYPE", axes[0]), get_axis_text (header, "CTYPE", axes[1]) };
  gboolean sky[2] = { is_longitude (types[0]) || is_latitude (types[0]),
                      is_longitude (types[1]) || is_latitude (types[1]) };

  self->is_sky = (is_longitude (types[0]) && is_latitude (types[1]))
                 || (is_latitude (types[0]) && is_longitude (types[1]));
  if (sky[0] != sky[1] || (sky[0] && !self->is_sky) || capra_fits_header_get_text (header, "A_ORDER"))
    return set_unsupported (types[0], types[1], error);
  self->latitude = is_latitude (types[0]) ? 0 : 1;
  for (guint i = 0; i < 2; i++)
    {
      /* Without an axis: the position in pixels. */
      self->origin[i] = get_number (header, "CRPIX", axes[i], 0, 0.0, NULL);
      self->value[i] = get_number (header, "CRVAL", axes[i], 0, 0.0, NULL);
      self->names[self->is_sky ? (i == self->latitude) : i] = dup_name (types[i], i ? "y" : "x");
      self->units[i] = g_strdup (self->is_sky ? "deg" : get_axis_text (header, "CUNIT", axes[i]));
    }
  read_matrix (self, header, axes);
  return (!self->is_sky || read_sky (self, header, axes, types, error)) && invert_matrix (self, error);
}

CapraWorldCoordinates *
capra_world_coordinates_new (CapraFitsHeader *header, guint axis_x, guint axis_y, gsize height, GError **error)
{
  g_autoptr (CapraWorldCoordinates) self = g_new0 (CapraWorldCoordinates, 1);
  const guint axes[2] = { axis_x, axis_y };

  g_atomic_ref_count_init (&self->refs);
  self->height = height;
  if (!has_any (header, axes))
    {
      g_set_error_literal (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_NOT_FOUND,
                           _ ("the header has no world coordinates"));
      return NULL;
    }
  return read_axes (self, header, axes, error) ? g_steal_pointer (&self) : NULL;
}

gboolean
capra_world_coordinates_is_sky (CapraWorldCoordinates *self)
{
  return self->is_sky;
}

const char *
capra_world_coordinates_get_name (CapraWorldCoordinates *self, guint index)
{
  g_return_val_if_fail (index < 2, NULL);

  return self->names[index];
}

const char *
capra_world_coordinates_get_unit (CapraWorldCoordinates *self, guint index)
{
  g_return_val_if_fail (index < 2, NULL);

  return self->units[index];
}

gboolean
capra_world_coordinates_from_pixel (CapraWorldCoordinates *self, double x, double y, double world[2])
{
  /* FITS counts pixels from 1, and rows from the bottom. */
  double p = x + 1.0 - self->origin[0], q = (double) self->height - y - self->origin[1];
  double u[2] = { self->matrix[0][0] * p + self->matrix[0][1] * q, self->matrix[1][0] * p + self->matrix[1][1] * q };

  if (self->is_sky)
    return capra_projection_to_sky (&self->projection, u[1 - self->latitude], u[self->latitude], world);
  world[0] = self->value[0] + u[0];
  world[1] = self->value[1] + u[1];
  return isfinite (world[0]) && isfinite (world[1]);
}

gboolean
capra_world_coordinates_to_pixel (CapraWorldCoordinates *self, const double world[2], double pixel[2])
{
  double u[2] = { world[0] - self->value[0], world[1] - self->value[1] };

  if (self->is_sky)
    {
      double plane[2];
      gboolean shown = capra_projection_from_sky (&self->projection, world, plane);

      u[1 - self->latitude] = shown ? plane[0] : NAN;
      u[self->latitude] = shown ? plane[1] : NAN;
    }
  pixel[0] = self->inverse[0][0] * u[0] + self->inverse[0][1] * u[1] + self->origin[0] - 1.0;
  pixel[1] = (double) self->height - (self->inverse[1][0] * u[0] + self->inverse[1][1] * u[1] + self->origin[1]);
  return isfinite (pixel[0]) && isfinite (pixel[1]);
}
