/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Formats: which babl format an operation works in, and what libcapra calls it. */
#pragma once

#include <babl/babl.h>

#include "algorithms/common/convert.h"

G_BEGIN_DECLS

/* What an operation does with pixels decides how it wants them; always 32-bit floats. */
typedef enum {
  CAPRA_WORK_AVERAGE,   /* linear light, alpha associated: may be averaged */
  CAPRA_WORK_LUMINANCE, /* linear luminance alone */
  CAPRA_WORK_LUMA,      /* perceptual luminance (Y') alone */
  CAPRA_WORK_VALUES,    /* linear luminance or colours, without alpha */
  CAPRA_WORK_ALL,       /* linear, with an alpha as it is: all others can be made from it */
} CapraWork;

/* The format of as many channels as @source has (%NULL: colour with alpha), in its colour space. */
const Babl *capra_format_working (const Babl *source, CapraWork work);

gboolean capra_format_has_alpha (const Babl *format);

/* The encoding of a format that capra_convert() takes; %FALSE for any other. */
gboolean capra_format_get_encoding (const Babl *format, CapraEncoding *encoding);

/* The shape of @width x @height raw pixels of @format; %FALSE if arrays cannot hold it. */
gboolean capra_format_get_shape (const Babl *format, gsize width, gsize height, CapraShape *shape);

/* What a conversion on the device from @from to @to needs; %FALSE if the host has to do it. */
typedef struct {
  CapraEncoding from, to;
  double luminance[3];
} CapraConversion;

gboolean capra_format_get_conversion (const Babl *from, const Babl *to, CapraConversion *conversion);

/* In which format pixels that lie on the host as @source are best pushed for one who wants them as
 * @wanted: as they are, so that the next one can use them too, if the device can convert them. */
const Babl *capra_format_for_upload (const Babl *source, const Babl *wanted);

G_END_DECLS
