/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A management library of NVIDIA's with one card. */
#pragma once

#define FAKE_NVML_UUID "GPU-0A1b2c3d-0011-2233-4455-66778899aabb"

/* The load of the card in percent; -1 if it is not known. */
void fake_nvml_set_load (int percent);
