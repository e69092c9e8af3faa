/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Start: loading a driver takes as long as decoding a small image, and neither needs the other. */
#include "runtime/device/device-start.h"

#include "runtime/device/context.h"
#include "runtime/device/device-select.h"
#include "runtime/base/fork.h"

static gpointer
start (gpointer data)
{
  g_autofree char *name = data;
  g_autofree char *missing = capra_device_dup_missing_default (NULL); /* selecting it would write a warning */
  CapraDevice *device = missing ? NULL : capra_device_select (name, NULL);

  if (device)
    capra_context_get (device, NULL);
  return NULL;
}

void
capra_device_start (const char *name)
{
  static gint started; /* atomic */
  g_autofree char *copy = NULL;

  /* The list of devices is found with this variable set again: environments must not change while threads run. */
  if (g_atomic_int_get (&started) || g_getenv ("OCL_ICD_FILENAMES") || capra_fork_is_child ()
      || !g_atomic_int_compare_and_exchange (&started, FALSE, TRUE))
    return;
  capra_fork_watch ();
  copy = g_strdup (name);
  if (capra_context_run_thread ("capra-start", start, copy))
    g_steal_pointer (&copy);
}
