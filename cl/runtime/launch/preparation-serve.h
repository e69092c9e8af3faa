/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The program capra-prepare. */
#pragma once

#include <glib.h>

#include "runtime/base/api.h"

G_BEGIN_DECLS

/**
 * capra_preparation_serve:
 *
 * The main function of capra-prepare, for this program only: builds the programs that the process at the other end of
 * its standard input, a socket, asks for.
 *
 * Returns: the exit status
 */
CAPRA_API
int capra_preparation_serve (void);

G_END_DECLS
