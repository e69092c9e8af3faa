/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What reductions on the host and on the device agree on. Included by C files and by kernels. */

#ifndef CAPRA_VALUES_PARAMS_H
#define CAPRA_VALUES_PARAMS_H

/* Vectors that a work-item of a large group loads before it processes the first, which keeps enough loads in flight. */
#define VECTORS_AHEAD 4

#endif
