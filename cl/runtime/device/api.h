/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* CAPRA_API: what libcapra exports. */
#pragma once

/**
 * CAPRA_API:
 *
 * Marks a function that libcapra exports; everything else is compiled with hidden visibility. Every function that an
 * installed header declares has it, on a line of its own before the declaration, and no other function has it. An
 * exported function is documented, and stands in `cl/capra.symbols` (tests/lint/exports.sh compares all three).
 *
 * The GEGL module, the panel and the programs link libcapra, and can call only such functions. Tests of the suite cl
 * link the library's objects instead, and can call all of them.
 */
#define CAPRA_API __attribute__ ((visibility ("default"))) extern
