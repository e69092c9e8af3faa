/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of capra integrate share: frames that a program makes, runs of the program, and curves. */
#pragma once

#include "tests/support/support.h"

G_BEGIN_DECLS

#define INTEGRATE_FRAMES 9
#define INTEGRATE_WIDTH 203
#define INTEGRATE_HEIGHT 151
#define INTEGRATE_BINS 50

typedef struct {
  char *folder, *poni, *output;
} IntegrateFixture;

typedef struct {
  const char *name;
  void (*test) (IntegrateFixture *fixture, gconstpointer data);
} IntegrateTest;

/* Runs @n tests as "/integrate/NAME". */
int integrate_run_tests (int argc, char **argv, const IntegrateTest *tests, guint n);

/* Runs a command; sets @errors (nullable) to what it wrote to standard error. Returns the exit status. */
int integrate_run (char **errors, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Writes frames of a type; returns the file's path. */
char *integrate_make_frames (IntegrateFixture *fixture, const char *type, const char *options);

/* Integrates the frames of @path; returns as integrate_run() does. */
int integrate_frames (IntegrateFixture *fixture, const char *path, const char *options, char **errors);

/* The curves in a text file: radial positions, intensities, standard deviations and errors for each frame. */
double *integrate_read_curves (const char *path);

/* Frames other than @a and @b have the expected curves, those two have none. */
void integrate_assert_curves (const char *path, const double *expected, int a, int b);

G_END_DECLS
