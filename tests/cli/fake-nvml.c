/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fake NVML: a library of the name that NVIDIA's has, so that programs which have loaded it get this one. */
#include <stdio.h>

#include "tests/cli/fake-nvml.h"

typedef struct {
  unsigned long long total, free, used;
} Memory;

typedef struct {
  unsigned int gpu, memory;
} Utilization;

int nvmlInit_v2 (void);
int nvmlDeviceGetCount_v2 (unsigned int *count);
int nvmlDeviceGetHandleByIndex_v2 (unsigned int index, void **device);
int nvmlDeviceGetUUID (void *device, char *uuid, unsigned int length);
int nvmlDeviceGetPciInfo_v3 (void *device, void *pci);
int nvmlDeviceGetMemoryInfo (void *device, Memory *memory);
int nvmlDeviceGetUtilizationRates (void *device, Utilization *utilization);

static int load;

void
fake_nvml_set_load (int percent)
{
  load = percent;
}

int
nvmlInit_v2 (void)
{
  return 0;
}

int
nvmlDeviceGetCount_v2 (unsigned int *count)
{
  *count = 1;
  return 0;
}

int
nvmlDeviceGetHandleByIndex_v2 (unsigned int index, void **device)
{
  *device = &load;
  return index != 0;
}

int
nvmlDeviceGetUUID (void *device, char *uuid, unsigned int length)
{
  snprintf (uuid, length, "%s", FAKE_NVML_UUID);
  return 0;
}

int
nvmlDeviceGetPciInfo_v3 (void *device, void *pci)
{
  return 1;
}

int
nvmlDeviceGetMemoryInfo (void *device, Memory *memory)
{
  *memory = (Memory){ 1 << 30, 1 << 29, 1 << 29 };
  return 0;
}

int
nvmlDeviceGetUtilizationRates (void *device, Utilization *utilization)
{
  *utilization = (Utilization){ (unsigned int) load, 0 };
  return load < 0;
}
