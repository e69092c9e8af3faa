/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of libcapra: devices, random images, comparison. */
#pragma once

#include "capra.h"

G_BEGIN_DECLS

/* Sizes for tests of kernels: one pixel, lines, odd sizes, sizes around vector widths. */
typedef struct {
  gsize width, height;
} SupportSize;
extern const SupportSize support_sizes[];
extern const guint support_n_sizes;

/* All devices; the test fails if there are fewer than two, unless CAPRA_TEST_DEVICE names the only one. */
const GPtrArray *support_devices (void);
/* Device @index; the device that CAPRA_TEST_DEVICE names is the first. If it is the only one, it is also the second. */
CapraDevice *support_device (guint index);
/* Whether the default device computes in double precision. Without that, images are clipped on the host, and compressed
 * doubles of HDF5 files are decoded by libhdf5 if it has the filter. */
gboolean support_has_doubles (void);
/* Whether both devices have the same results to the last bit, as two of one kind do. */
gboolean support_devices_equal (void);
/* Fails the test unless @values, which any device has computed, equal those of support_device (0): to the last bit if
 * the devices are equal, else to 1e-6. */
void support_assert_same (const float *values, const float *expected, gsize count);
/* The memory that support_device (0) uses now. */
CapraMemory support_memory (void);
/* Skips a test that needs a second device, if CAPRA_TEST_DEVICE names the only one. Returns whether it does. */
gboolean support_skip_alone (void);

/* Sets CAPRA_TUNING to the pairs of @tuning, without those that a quirk of the first device avoids: they may end this
 * process. Returns TRUE. */
gboolean support_force_tuning (const char *tuning);
/* The name by which an operation selects support_device (0) if @device is "0", support_device (1) if it is "1", or both
 * for "0,1"; any other @device as it is. */
const char *support_device_name (const char *device);

/* A test that waits longer than this fails instead of hanging. Even on a busy machine no test needs this long, and no
 * result depends on the duration. */
#define SUPPORT_TIMEOUT (4 * G_TIME_SPAN_MINUTE)

/* Uniform noise in [low, high), which depends only on @seed. */
float *support_noise (gsize count, double low, double high, guint32 seed);

/* An f32 array of that shape on @device with @values. */
CapraArray *support_array (CapraDevice *device, gsize width, gsize height, gsize depth, guint channels,
                           const float *values);
/* The values of an f32 array. Free with g_free(). */
float *support_download (CapraArray *array);

/* The step between cases that need kernels of their own: 1 with `-m slow`, as in the suite exhaustive, else @step. */
guint support_step (guint step);

/* Runs this test by g_test_trap_subprocess() with empty kernel caches, which are removed afterwards; it must pass. */
void support_run_cold (void);

/* Fails the test unless each value is within @tolerance of its reference; NaN and infinities must be
 * equal. @what names the case in the message. */
void support_assert_close (const float *values, const double *reference, gsize count, double tolerance,
                           const char *what);

/* Removes @folder, which contains files only, and frees its name. */
void support_folder_remove (char *folder);

G_END_DECLS
