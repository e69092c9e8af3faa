/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Making and freeing findings. */
#pragma once

#include "runtime/device/finding.h"

G_BEGIN_DECLS

/* A new, empty list, which frees its findings. */
GPtrArray *capra_findings_new (void);

void capra_finding_add (GPtrArray *findings, CapraFindingKind kind, CapraFindingState state, const char *name,
                        const char *reason, const char *remedy);

G_END_DECLS
