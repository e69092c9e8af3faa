/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program: kernel source + options + device -> something that runs. Private. */
#pragma once

#include "context.h"

G_BEGIN_DECLS

typedef struct _CapraProgram CapraProgram;

/* The program of kernels/@name.cl, built with @options (such as "-DIN=uchar -DCHANNELS=3"; nullable).
 * `#include "x.clh"` in a kernel file names another file of cl/kernels. Cached in memory and, as the
 * driver's binary, in the user's cache folder by source, options, device and driver. Options must
 * never hold an image's size. Owned by the context. */
CapraProgram *capra_program_get (CapraContext *context, const char *name, const char *options,
                                 GError **error);

/* How many programs are being built from their source, in this process, while work waits for them. */
guint capra_program_get_building (void);

/* A kernel object of our own until it is given back: kernel objects must not be shared by threads,
 * and making one for each launch is slow. */
cl_kernel capra_program_take_kernel (CapraProgram *program, const char *kernel, GError **error);
void capra_program_give_kernel (CapraProgram *program, const char *kernel, cl_kernel object);

G_END_DECLS
