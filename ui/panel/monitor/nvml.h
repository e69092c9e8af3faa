/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NVML: what the whole card's memory is used for, by all programs, where NVIDIA's library tells. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraCard:
 * @used: bytes of the card's memory that all programs together use
 * @total: its size
 * @busy: the share of the last moment in which kernels ran, in per cent; -1 if not known
 */
typedef struct {
  guint64 used, total;
  int busy;
} CapraCard;

/**
 * capra_nvml_query:
 * @id: a device's id, "uuid:…" or "pci:…"
 *
 * The library is loaded at the first call, which takes its time: call it from a thread of its own.
 *
 * Returns: whether there is such a card and the library told
 */
gboolean capra_nvml_query (const char *id, CapraCard *card);

/* The id that a card with this NVML UUID ("GPU-…") or PCI place ("00000000:1B:00.0") has here (g_free). */
char *capra_nvml_id_of_uuid (const char *uuid);
char *capra_nvml_id_of_place (const char *place);

G_END_DECLS
