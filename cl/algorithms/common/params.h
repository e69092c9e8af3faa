/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Definitions with which a `*-params.h` header compiles as C and as OpenCL C.
 *
 * Each is in the folder of its algorithm, and defines what C files and kernels share: structs that are passed to
 * kernels by value or stored in buffers, and constants such as the size of a work-group. Members are cl_int, cl_uint,
 * cl_ulong or cl_float, whose sizes are the same in C and in kernels, ordered without padding. CAPRA_ASSERT_SIZE
 * checks the size of a struct in both compilers.
 *
 * C files include it by its path, kernels by its name alone. */
#ifndef CAPRA_PARAMS_H
#define CAPRA_PARAMS_H

#if defined __OPENCL_C_VERSION__ || defined __OPENCL_VERSION__
typedef int cl_int;
typedef uint cl_uint;
typedef long cl_long;
typedef ulong cl_ulong;
typedef float cl_float;
#else
#include <CL/cl_platform.h>
#endif

/* Fails to compile unless the size of @type is @bytes: the array would have a negative length. */
#define CAPRA_ASSERT_SIZE(type, bytes) typedef char type##_size_is_as_agreed[sizeof (type) == (bytes) ? 1 : -1]

#endif
