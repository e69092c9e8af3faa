/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the checks of kernel families on a device; compares results with scalar references. */
#pragma once

#include "ui/cli/check/reference.h"

G_BEGIN_DECLS

/* Called when a case begins, with its name. */
typedef void (*CheckCaseFunc) (const char *name);

/**
 * Check:
 * @device: the device that is checked
 * @full: whether all cases are wanted, not only the quick ones
 * @on_case: called for each case
 * @cases: how many cases have run
 * @what: the case that runs
 * @difference: the first value that differs from the reference; %NULL if none does
 * @error: an error of the library; the check ends with it
 */
typedef struct {
  CapraDevice *device;
  gboolean full;
  CheckCaseFunc on_case;
  guint cases;
  char *what, *difference;
  GError *error;
} Check;

/**
 * CheckFamily:
 * @name: of the kernels, in reports and selections
 * @basic: whether most operations need it, so that a device on which it fails cannot be used
 * @large: whether it needs buffers of more than 4 GiB, which not every device has
 * @variants: (array zero-terminated=1) (nullable): tunings that a full check tries, as in `CAPRA_TUNING`
 * @run: runs all cases until one fails. Returns whether all passed
 */
typedef struct {
  const char *name;
  gboolean basic, large;
  const char *const *variants;
  gboolean (*run) (Check *check);
} CheckFamily;

typedef enum {
  CHECK_PASSED,
  CHECK_DIFFERS,
  CHECK_FAILED,  /* the library reported an error */
  CHECK_NOT_RUN, /* the device has too little memory for it */
} CheckVerdict;

/**
 * CheckResult:
 * @variant: (nullable): the tuning that was tried; %NULL for the one that operations use
 * @message: (nullable): the case, and what is wrong
 */
typedef struct {
  const CheckFamily *family;
  const char *variant;
  CheckVerdict verdict;
  char *message;
  guint cases;
  double seconds;
} CheckResult;

/* Runs a family with the tuning @variant (nullable). */
void check_run (CapraDevice *device, const CheckFamily *family, gboolean full, const char *variant,
                CheckCaseFunc on_case, CheckResult *result);
void check_result_free (CheckResult *result);

/* For families. */

/* Begins a case. */
void check_case (Check *check, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Records what is wrong in this case; returns FALSE. */
gboolean check_difference (Check *check, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* An array of @data; NULL with the error recorded. */
CapraArray *check_upload (Check *check, const CapraShape *shape, gconstpointer data);

/* An array of noise; @values gets the same as doubles. */
CapraArray *check_noise (Check *check, const CapraShape *shape, guint32 seed, double **values);

/* Whether each value of @result (transfer full) (nullable) is within @tolerance of the reference; NaN and infinities
 * must be equal. A result that is missing has its error recorded. */
gboolean check_values (Check *check, CapraArray *result, const double *expected, double tolerance);

/* Whether the number @name is within @tolerance of the reference, or both are NaN or the same infinity. */
gboolean check_number (Check *check, const char *name, double found, double expected, double tolerance);

/* The largest finite magnitude of @count values. */
double check_largest (const double *values, gsize count);

/* Sizes of images: one pixel, lines, odd sizes, sizes around the widths of vectors and work-groups. */
typedef struct {
  gsize width, height;
} CheckSize;
extern const CheckSize check_sizes[];

/* How many of them to use: all in a full check. */
guint check_n_sizes (const Check *check);

/* The step between cases that need kernels of their own: 1 in a full check, else @step. */
guint check_step (const Check *check, guint step);

G_END_DECLS
