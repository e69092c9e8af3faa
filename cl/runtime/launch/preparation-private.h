/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Preparation, for program.c and the program capra-prepare. */
#pragma once

#include "runtime/device/context.h"

G_BEGIN_DECLS

typedef enum {
  CAPRA_PREPARATION_WAITING,
  CAPRA_PREPARATION_DONE,   /* the optimized program is in the user's cache */
  CAPRA_PREPARATION_FAILED, /* it will not be built */
} CapraPreparationState;

/* Requests the program from the background, for work-groups of @size (in PoCL's notation), unless it was requested
 * before. Does not wait. */
CapraPreparationState capra_preparation_request (CapraContext *context, const char *name, const char *options,
                                                 const char *size);

/* The protocol on the socket that is the standard input of capra-prepare: a line per program and size, with the fields
 * device (index), name, options and size, separated by tabs; returned with a prefix "+" (done) or "-" (failed). */
#define CAPRA_PREPARATION_FIELDS 4

G_END_DECLS
