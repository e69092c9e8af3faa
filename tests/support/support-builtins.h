/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of the library's internals. */
#pragma once

#include "runtime/device/context.h"

/* Every program that this process has built was built with the functions that builtins.clh declares. Otherwise the
 * driver prints errors, and this and all later programs take several times as long. */
static inline void
support_check_builtins (void)
{
  const GPtrArray *devices = capra_device_list (NULL);

  for (guint i = 0; i < devices->len; i++)
    {
      CapraContext *context = capra_context_peek (devices->pdata[i]);

      g_assert_false (context && g_atomic_int_get (&context->all_builtins));
    }
}
