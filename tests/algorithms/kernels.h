/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of test-kernels.c share. */
#pragma once

#include "tests/support/support.h"

/* Of most images. */
#define KERNELS_WIDTH 75
#define KERNELS_HEIGHT 41

typedef CapraArray *(*KernelsMake) (gconstpointer data, GError **error);

/* The only device of the checker, or the first device. */
CapraDevice *kernels_device (void);

/* Runs @make under each variant and compares the results with the first variant's. */
void kernels_each_variant (KernelsMake make, gconstpointer data, const char *what);

void kernels_test_bitshuffle (void);
void kernels_test_azimuthal (void);
