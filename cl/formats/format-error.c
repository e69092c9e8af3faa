/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Format error: the error domain of the readers. */
#include "formats/format-error.h"

G_DEFINE_QUARK (capra - format - error - quark, capra_format_error)
