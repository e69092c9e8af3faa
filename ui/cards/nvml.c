/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NVML: declared here after NVIDIA's API reference, and loaded at run time if the driver has installed it. */
#include <gmodule.h>
#include <string.h>

#include "ui/cards/nvml.h"

typedef void *NvmlDevice;

typedef struct {
  unsigned long long total, free, used;
} NvmlMemory;

typedef struct {
  unsigned int gpu, memory;
} NvmlUtilization;

typedef struct {
  char legacy[16];
  unsigned int domain, bus, device, ids, subsystem;
  char address[32];
} NvmlPci;

typedef struct {
  char *uuid, *pci; /* ids */
  NvmlDevice handle;
} Card;

static struct {
  int (*init) (void);
  int (*count) (unsigned int *count);
  int (*handle) (unsigned int index, NvmlDevice *device);
  int (*uuid) (NvmlDevice device, char *uuid, unsigned int length);
  int (*pci) (NvmlDevice device, NvmlPci *pci);
  int (*memory) (NvmlDevice device, NvmlMemory *memory);
  int (*utilization) (NvmlDevice device, NvmlUtilization *utilization);
} nvml;

static const struct {
  const char *name;
  gpointer *function;
} symbols[] = {
  { "nvmlInit_v2", (gpointer *) &nvml.init },
  { "nvmlDeviceGetCount_v2", (gpointer *) &nvml.count },
  { "nvmlDeviceGetHandleByIndex_v2", (gpointer *) &nvml.handle },
  { "nvmlDeviceGetUUID", (gpointer *) &nvml.uuid },
  { "nvmlDeviceGetPciInfo_v3", (gpointer *) &nvml.pci },
  { "nvmlDeviceGetMemoryInfo", (gpointer *) &nvml.memory },
  { "nvmlDeviceGetUtilizationRates", (gpointer *) &nvml.utilization },
};

char *
capra_nvml_id_of_uuid (const char *uuid)
{
  GString *id = g_string_new ("uuid:");

  if (g_str_has_prefix (uuid, "GPU-"))
    uuid += strlen ("GPU-");
  for (; *uuid; uuid++)
    if (*uuid != '-')
      g_string_append_c (id, g_ascii_tolower (*uuid));
  return g_string_free (id, FALSE);
}

char *
capra_nvml_id_of_pci (const char *address)
{
  g_autofree char *lower = g_ascii_strdown (address, -1);
  const char *colon = strchr (lower, ':');

  /* NVML writes 8 digits of the domain, Capra 4. */
  return g_strconcat ("pci:", colon && colon - lower > 4 ? colon - 4 : lower, NULL);
}

static gboolean
load (void)
{
  /* Never unloaded, since the library has threads of its own. */
  GModule *module = g_module_open ("libnvidia-ml.so.1", G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);

  if (!module)
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (symbols); i++)
    if (!g_module_symbol (module, symbols[i].name, symbols[i].function))
      return FALSE;
  return nvml.init () == 0;
}

static GArray *
list_cards (void)
{
  GArray *cards = g_array_new (FALSE, TRUE, sizeof (Card));
  unsigned int count = 0;

  if (!load () || nvml.count (&count) != 0)
    return cards;
  for (unsigned int i = 0; i < count; i++)
    {
      Card card = { 0 };
      NvmlPci pci = { 0 };
      char uuid[96] = "";

      if (nvml.handle (i, &card.handle) != 0)
        continue;
      if (nvml.uuid (card.handle, uuid, sizeof uuid) == 0)
        card.uuid = capra_nvml_id_of_uuid (uuid);
      if (nvml.pci (card.handle, &pci) == 0)
        card.pci = capra_nvml_id_of_pci (pci.address);
      g_array_append_val (cards, card);
    }
  return cards;
}

gboolean
capra_nvml_query (const char *id, CapraCard *card)
{
  static gsize once;
  static GArray *cards;

  if (g_once_init_enter (&once))
    {
      cards = list_cards ();
      g_once_init_leave (&once, 1);
    }
  for (guint i = 0; i < cards->len; i++)
    {
      const Card *candidate = &g_array_index (cards, Card, i);
      NvmlMemory memory = { 0 };
      NvmlUtilization utilization = { 0 };

      if (g_strcmp0 (candidate->uuid, id) != 0 && g_strcmp0 (candidate->pci, id) != 0)
        continue;
      if (nvml.memory (candidate->handle, &memory) != 0)
        return FALSE;
      card->used = memory.used;
      card->total = memory.total;
      card->busy = nvml.utilization (candidate->handle, &utilization) == 0 ? (int) utilization.gpu : -1;
      return TRUE;
    }
  return FALSE;
}
