/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Settings of an azimuthal integration as text. Not installed. */
#pragma once

#include "algorithms/azimuthal/azimuthal-settings.h"

G_BEGIN_DECLS

/* The geometry as JSON and the corrections, in the lines of pyFAI's text files. */
char *capra_azimuthal_settings_to_text (const CapraAzimuthalSettings *settings);

G_END_DECLS
