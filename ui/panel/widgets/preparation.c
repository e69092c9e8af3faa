/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preparation: a message while kernels are being built. */
#include "ui/panel/widgets/preparation.h"

#include <glib/gi18n-lib.h>

#include "capra.h"

const char *
capra_preparation_get_message (void)
{
  return capra_counters_get_active_builds () > 0 ? _ ("Preparing kernels (first use)") : NULL;
}
