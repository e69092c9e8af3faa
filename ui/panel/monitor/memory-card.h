/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory card: the memory that Capra uses on one device, in all processes of the user. */
#pragma once

#include <adwaita.h>

#include "ui/cards/nvml.h"
#include "ui/panel/monitor/processes.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_MEMORY_CARD (capra_memory_card_get_type ())
G_DECLARE_FINAL_TYPE (CapraMemoryCard, capra_memory_card, CAPRA, MEMORY_CARD, GtkWidget)

GtkWidget *capra_memory_card_new (const char *id, const char *title);
const char *capra_memory_card_get_id (CapraMemoryCard *card);

/* Shows the current memory of @processes on the device. */
void capra_memory_card_update (CapraMemoryCard *card, CapraProcesses *processes);

/* Adds the current values to the plot. @whole: (nullable): the memory that all programs use on the card. */
void capra_memory_card_sample (CapraMemoryCard *card, const CapraCard *whole);

G_END_DECLS
