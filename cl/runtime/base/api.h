/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* CAPRA_API: what libcapra exports. */
#pragma once

/**
 * CAPRA_API:
 *
 * Marks a function that libcapra exports; all other functions have hidden visibility. Every function in an installed
 * header is marked, on a line of its own before the declaration, and no other function is. Exported functions are
 * documented and listed in `cl/capra.symbols`: tests/lint/exports.sh checks that the library exports what the headers
 * mark, and all that the list contains; tests/release/additions.sh that the list is complete.
 *
 * The GEGL module, the panel and the programs link libcapra and can call marked functions only. Tests of the suite cl
 * link the library's objects, and can call all functions.
 */
#define CAPRA_API __attribute__ ((visibility ("default"))) extern
