/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program: finds the program `capra`, which the panel runs for batches and checks. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* (transfer full) (nullable): its path: in the folder of this program, in PATH, or where the installation puts it. */
char *capra_program_find (GError **error);

G_END_DECLS
