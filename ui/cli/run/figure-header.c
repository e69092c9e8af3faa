/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure-header: what the header of a FITS file says about an image for its figure. */
#include "ui/cli/run/figure-header.h"

#include <string.h>

#include "formats/fits/fits.h"

struct _FigureHeader {
  CapraFitsHeader *header;
  gsize width, height;
  CapraWorldCoordinates *world; /* NULL without coordinates on the sky */
  char *problem, *names[2];
  CapraSky sky;
};

static gboolean
to_sky (gpointer data, double x, double y, double *longitude, double *latitude)
{
  double world[2];
  gboolean shown = capra_world_coordinates_from_pixel (data, x, y, world);

  *longitude = world[0];
  *latitude = world[1];
  return shown;
}

static gboolean
to_pixel (gpointer data, double longitude, double latitude, double *x, double *y)
{
  const double world[2] = { longitude, latitude };
  double pixel[2];
  gboolean shown = capra_world_coordinates_to_pixel (data, world, pixel);

  *x = pixel[0];
  *y = pixel[1];
  return shown;
}

/* The reference system of right ascensions: "ICRS", "J2000" or "B1950"; NULL if the header has none. */
static char *
find_frame (CapraFitsHeader *header)
{
  const char *system = capra_fits_header_get_text (header, "RADESYS");
  double equinox;

  if (!system)
    system = capra_fits_header_get_text (header, "RADECSYS");
  if (system && strcmp (system, "ICRS") == 0)
    return g_strdup (system);
  if (capra_fits_header_get_double (header, "EQUINOX", &equinox)
      || capra_fits_header_get_double (header, "EPOCH", &equinox))
    return g_strdup_printf ("%c%.6g", equinox < 1984.0 ? 'B' : 'J', equinox);
  return g_strdup (system);
}

static void
set_names (FigureHeader *header)
{
  static const struct {
    const char *name, *title;
  } titles[] = {
    { "RA", "Right ascension" },     { "DEC", "Declination" },         { "GLON", "Galactic longitude" },
    { "GLAT", "Galactic latitude" }, { "ELON", "Ecliptic longitude" }, { "ELAT", "Ecliptic latitude" },
  };
  g_autofree char *frame = header->sky.hours ? find_frame (header->header) : NULL;

  for (guint i = 0; i < 2; i++)
    {
      const char *name = capra_world_coordinates_get_name (header->world, i);

      for (guint t = 0; t < G_N_ELEMENTS (titles); t++)
        if (strcmp (name, titles[t].name) == 0)
          {
            name = titles[t].title;
            break;
          }
      header->names[i] = frame ? g_strdup_printf ("%s (%s)", name, frame) : g_strdup (name);
      header->sky.names[i] = header->names[i];
    }
}

FigureHeader *
figure_header_read (const char *path, const char *image)
{
  g_autoptr (CapraFits) fits = path && capra_fits_is_supported () ? capra_fits_open (path, NULL) : NULL;
  g_autoptr (CapraFitsHeader) cards = NULL;
  g_autoptr (GError) error = NULL;
  FigureHeader *header;
  guint index = 0;

  if (fits && capra_fits_find_image (fits, image ? image : "", &index, NULL))
    cards = capra_fits_read_header (fits, index, NULL);

  if (!cards)
    return NULL;
  header = g_new0 (FigureHeader, 1);
  header->header = g_steal_pointer (&cards);
  header->width = capra_fits_get_image (fits, index)->width;
  header->height = capra_fits_get_image (fits, index)->height;
  header->world = capra_fits_read_world_coordinates (fits, index, &error);
  if (header->world && !capra_world_coordinates_is_sky (header->world))
    g_clear_pointer (&header->world, capra_world_coordinates_unref);
  header->problem = g_strdup (error ? error->message : "the image has no coordinates on the sky");
  if (!header->world)
    return header;
  header->sky.to_sky = to_sky;
  header->sky.to_pixel = to_pixel;
  header->sky.data = header->world;
  header->sky.hours = strcmp (capra_world_coordinates_get_name (header->world, 0), "RA") == 0;
  set_names (header);
  return header;
}

void
figure_header_free (FigureHeader *header)
{
  g_clear_pointer (&header->world, capra_world_coordinates_unref);
  capra_fits_header_unref (header->header);
  g_free (header->problem);
  g_free (header->names[0]);
  g_free (header->names[1]);
  g_free (header);
}

gboolean
figure_header_has_size (FigureHeader *header, int width, int height)
{
  return header->width == (gsize) width && header->height == (gsize) height;
}

const char *
figure_header_get_unit (FigureHeader *header)
{
  return capra_fits_header_get_text (header->header, "BUNIT");
}

const CapraSky *
figure_header_get_sky (FigureHeader *header)
{
  return header->world ? &header->sky : NULL;
}

const char *
figure_header_get_problem (FigureHeader *header)
{
  return header->problem;
}
