/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of libcapra share: devices, random images, comparison. */
#pragma once

#include "capra.h"

G_BEGIN_DECLS

/* Sizes that tests of kernels go through: one pixel, lines, odd ones, around vector widths. */
typedef struct {
  gsize width, height;
} SupportSize;
extern const SupportSize support_sizes[];
extern const guint support_n_sizes;

/* All devices; the test fails if there are fewer than two. */
const GPtrArray *support_devices (void);
/* One of them; where CAPRA_TEST_DEVICE names one, that comes first. */
CapraDevice *support_device (guint index);

/* After so long a test that waits for something ends with a failure instead of hanging. No test takes this long, on
 * however busy a machine: nothing may depend on how long things take. */
#define SUPPORT_PATIENCE (4 * G_TIME_SPAN_MINUTE)

/* Uniform noise in [low, high), always the same for the same @seed. */
float *support_noise (gsize count, double low, double high, guint32 seed);

/* An f32 array of that shape on @device that holds @values. */
CapraArray *support_array (CapraDevice *device, gsize width, gsize height, gsize depth, guint channels,
                           const float *values);
/* The values of an f32 array (g_free). */
float *support_pull (CapraArray *array);

/* g_test_trap_subprocess() of this test with empty caches of kernels, which are removed; it is to pass. */
void support_run_cold (void);

/* Fails the test unless each value is within @tolerance of its reference; NaN and infinities must be
 * equal. @what names the case in the message. */
void support_assert_close (const float *values, const double *reference, gsize count, double tolerance,
                           const char *what);

/* Where a border rule finds @i on an axis of @n samples: its index, or -1 for zero. */
gint64 support_border (gint64 i, gint64 n, CapraBorder border);

G_END_DECLS
