/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the launches of kernels that read frames have in common. Private. */
#pragma once

#include "algorithms/azimuthal/azimuthal-private.h"
#include "runtime/launch/launch.h"

G_BEGIN_DECLS

/* A value, in the type of the frames. */
typedef union {
  guint8 u8;
  guint16 u16;
  guint32 u32;
  gint32 i32;
  float f32;
} CapraAzimuthalValue;

/* @results: (nullable): set by whoever needs them. */
typedef struct {
  CapraAzimuthal *azimuthal;
  CapraArray *frames, *variance, *results;
  gboolean dummy; /* whether the values from @low to @high are left out */
  CapraAzimuthalValue low, high;
} CapraAzimuthalRun;

/* @variance: (nullable). The arrays are not owned. */
void capra_azimuthal_run_init (CapraAzimuthalRun *run, CapraAzimuthal *azimuthal, CapraArray *frames,
                               CapraArray *variance);

/* Whether @shape has a type that kernels read, and the size of the frames. */
gboolean capra_azimuthal_check_frames (CapraAzimuthal *azimuthal, const CapraShape *shape, GError **error);

/* Work-items for a row: on GPUs as many as rows have entries, roughly. */
gsize capra_azimuthal_row_group (const CapraAzimuthal *azimuthal);

/* Whether sums are doubles, and not pairs of floats. */
gboolean capra_azimuthal_has_doubles (const CapraAzimuthal *azimuthal);

/* The macros for @batch frames. */
char *capra_azimuthal_run_options (const CapraAzimuthalRun *run, guint batch, gsize group);

/* What a launch for @batch frames reads at least. */
guint64 capra_azimuthal_run_bytes (const CapraAzimuthalRun *run, guint batch);

/* Begins a launch whose first arguments are the frames, from @first on, and the matrix. */
void capra_azimuthal_run_begin (const CapraAzimuthalRun *run, CapraLaunch *launch, const char *program,
                                const char *options, const char *kernel, guint first);

/* Appends the images that pixels which are checked need. */
void capra_azimuthal_run_set_images (const CapraAzimuthalRun *run, CapraLaunch *launch);

G_END_DECLS
