/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by runs, for devices with few, strong work-items: one work-item a stripe of
 * `strips` strips of SPAN rows. Union-find on the nodes of label.clh, numbered in order within a
 * stripe; stripe s owns the numbers from s * capacity on. Smaller numbers win, so that a
 * component's root is its leftmost node in its topmost strip.
 *
 * bits[] is what label_pack_rows gives, rows of zeros below the image up to full strips.
 * first[strip + stripe] is the first node of a strip, with one more entry a stripe for its end.
 *
 * Macro: SPAN. */
#define WORD ulong
#include "label.clh"
#include "label-runs-scan.clh"
#include "label-runs-join.clh"
#include "label-runs-filter.clh"
#include "label-runs-number.clh"
#include "label-runs-write.clh"
