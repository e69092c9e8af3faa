/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Preparation, for program.c and the program capra-prepare. Private. */
#pragma once

#include "runtime/device/context.h"

G_BEGIN_DECLS

typedef enum {
  CAPRA_PREPARATION_WAITING,
  CAPRA_PREPARATION_DONE,   /* the optimized program is in the user's cache */
  CAPRA_PREPARATION_FAILED, /* and will not come */
} CapraPreparationState;

/* Wants the program built in the background for work-groups of @size (as PoCL names it), if it is not asked for yet.
 * Never waits. */
CapraPreparationState capra_preparation_ask (CapraContext *context, const char *name, const char *options,
                                             const char *size);

/* What is said over the socket that is the standard input of capra-prepare: a line a program and size, of the fields
 * device (number), name, options and size; sent back with "+" (done) or "-" before it. */
#define CAPRA_PREPARATION_FIELDS 4

G_END_DECLS
