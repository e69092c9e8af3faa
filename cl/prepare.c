/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra-prepare: builds kernels in the background of a process that uses Capra, which starts it. */
#include "runtime/launch/preparation-serve.h"

int
main (void)
{
  return capra_preparation_serve ();
}
