/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NVML: the memory that all programs use on a card, from NVIDIA's management library. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraCard:
 * @used: bytes of the card's memory that all programs use together
 * @total: size of the card's memory in bytes
 * @busy: percentage of the last sample period in which kernels ran; -1 if not known
 */
typedef struct {
  guint64 used, total;
  int busy;
} CapraCard;

/**
 * capra_nvml_query:
 * @id: a device's id, "uuid:…" or "pci:…"
 *
 * The first call loads the library, which is slow: call it in a thread.
 *
 * Returns: %TRUE if the library knows the card
 */
gboolean capra_nvml_query (const char *id, CapraCard *card);

/* The id in Capra of the card with an NVML UUID ("GPU-…") or a PCI address ("00000000:1B:00.0") (g_free). */
char *capra_nvml_id_of_uuid (const char *uuid);
char *capra_nvml_id_of_pci (const char *address);

G_END_DECLS
