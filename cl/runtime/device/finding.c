/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Findings: made, freed and named. */
#include "runtime/device/finding-private.h"

#include <glib/gi18n-lib.h>

static void
finding_free (CapraFinding *finding)
{
  g_free (finding->name);
  g_free (finding->reason);
  g_free (finding->remedy);
  g_free (finding);
}

GPtrArray *
capra_findings_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) finding_free);
}

void
capra_finding_add (GPtrArray *findings, CapraFindingKind kind, CapraFindingState state, const char *name,
                   const char *reason, const char *remedy)
{
  CapraFinding *finding = g_new0 (CapraFinding, 1);

  *finding = (CapraFinding){ kind, state, g_strdup (name), g_strdup (reason), g_strdup (remedy) };
  g_ptr_array_add (findings, finding);
}

const char *
capra_finding_state_name (CapraFindingState state)
{
  return state == CAPRA_FINDING_USED ? _ ("used") : state == CAPRA_FINDING_REFUSED ? _ ("refused") : _ ("not seen");
}
