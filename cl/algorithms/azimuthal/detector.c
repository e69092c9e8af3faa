/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Detectors: a table of those of Dectris, as in pyFAI. */
#include <string.h>

#include "algorithms/azimuthal/detector.h"

#define EIGER(name, height, width) \
  { \
    name, 75e-6, height, width, 514, 1030, 37, 10, 0, 0 \
  }
#define EIGER2(name, height, width) \
  { \
    name, 75e-6, height, width, 512, 1028, 38, 12, 0, 0 \
  }
#define EIGER2_CDTE(name, height, width) \
  { \
    name, 75e-6, height, width, 512, 1028, 38, 12, 1, 2 \
  }
#define PILATUS(name, height, width) \
  { \
    name, 172e-6, height, width, 195, 487, 17, 7, 0, 0 \
  }
#define PILATUS_CDTE(name, height, width) \
  { \
    name, 172e-6, height, width, 195, 487, 17, 7, 1, 3 \
  }

static const CapraDetector detectors[] = {
  EIGER ("Eiger500k", 514, 1030),
  EIGER ("Eiger1M", 1065, 1030),
  EIGER ("Eiger4M", 2167, 2070),
  EIGER ("Eiger9M", 3269, 3110),
  EIGER ("Eiger16M", 4371, 4150),
  EIGER2 ("Eiger2250k", 512, 512),
  EIGER2 ("Eiger2500k", 512, 1028),
  EIGER2 ("Eiger21M", 1062, 1028),
  EIGER2 ("Eiger21MW", 512, 2068),
  EIGER2 ("Eiger22MW", 512, 4148),
  EIGER2 ("Eiger24M", 2162, 2068),
  EIGER2 ("Eiger29M", 3262, 3108),
  EIGER2 ("Eiger216M", 4362, 4148),
  EIGER2_CDTE ("Eiger2CdTe500k", 512, 1028),
  EIGER2_CDTE ("Eiger2CdTe1M", 1062, 1028),
  EIGER2_CDTE ("Eiger2CdTe1MW", 512, 2068),
  EIGER2_CDTE ("Eiger2CdTe2MW", 512, 4148),
  EIGER2_CDTE ("Eiger2CdTe4M", 2162, 2068),
  EIGER2_CDTE ("Eiger2CdTe9M", 3262, 3108),
  EIGER2_CDTE ("Eiger2CdTe16M", 4362, 4148),
  PILATUS ("Pilatus100k", 195, 487),
  PILATUS ("Pilatus200k", 407, 487),
  PILATUS ("Pilatus300k", 619, 487),
  PILATUS ("Pilatus300kw", 195, 1475),
  PILATUS ("Pilatus900k", 619, 1475),
  PILATUS ("Pilatus1M", 1043, 981),
  PILATUS ("Pilatus2M", 1679, 1475),
  PILATUS ("Pilatus6M", 2527, 2463),
  PILATUS_CDTE ("PilatusCdTe300k", 619, 487),
  PILATUS_CDTE ("PilatusCdTe300kw", 195, 1475),
  PILATUS_CDTE ("PilatusCdTe900kw", 195, 4439),
  PILATUS_CDTE ("PilatusCdTe1M", 1043, 981),
  PILATUS_CDTE ("PilatusCdTe2M", 1679, 1475),
};

const CapraDetector *
capra_detector_find (const char *name)
{
  g_autofree char *plain = g_strdup (name);
  char *end = plain;

  for (const char *c = name; *c; c++)
    if (!strchr (" _-", *c))
      *end++ = *c;
  *end = 0;
  for (guint i = 0; i < G_N_ELEMENTS (detectors); i++)
    if (g_ascii_strcasecmp (plain, detectors[i].name) == 0)
      return &detectors[i];
  return NULL;
}

/* Whether the pixel @i along an axis is in a gap after a module. */
static gboolean
in_gap (guint i, guint module, guint gap)
{
  return i % (module + gap) >= module;
}

void
capra_detector_mask (const CapraDetector *detector, guint8 *mask)
{
  guint period = detector->module_width + detector->gap_width;
  guint first = detector->module_width / 2 - detector->middle_before;
  g_autofree guint *gaps = g_new (guint, detector->width);
  guint n_gaps = 0;

  for (guint x = 0; x < detector->width; x++)
    if (in_gap (x, detector->module_width, detector->gap_width)
        || (x % period >= first && x % period < first + detector->middle))
      gaps[n_gaps++] = x;
  for (guint y = 0; y < detector->height; y++)
    {
      guint8 *row = mask + (gsize) y * detector->width;

      if (in_gap (y, detector->module_height, detector->gap_height))
        memset (row, 1, detector->width);
      for (guint k = 0; k < n_gaps; k++)
        row[gaps[k]] = 1;
    }
}
