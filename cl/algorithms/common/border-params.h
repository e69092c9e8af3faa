/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The border rules as kernels know them; CapraBorder has the same numbers, which window.c asserts. */
#ifndef CAPRA_BORDER_PARAMS_H
#define CAPRA_BORDER_PARAMS_H

#define BORDER_NONE 0
#define BORDER_CLAMP 1
#define BORDER_MIRROR 2
#define BORDER_WRAP 3

#endif
