/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* libcapra: arrays on OpenCL devices and image operations on them. */
#pragma once

#include "runtime/device/device-select.h"
#include "runtime/device/device-start.h"
#include "runtime/device/device.h"
#include "runtime/device/error.h"
#include "runtime/device/settings.h"
#include "runtime/device/tuning-measured.h"
#include "runtime/device/tuning-shipped.h"
#include "runtime/device/tuning.h"
#include "runtime/launch/preparation.h"
#include "runtime/launch/program-save.h"
#include "runtime/memory/array-copy.h"
#include "runtime/memory/array-map.h"
#include "runtime/memory/array-residency.h"
#include "runtime/memory/array-rows.h"
#include "runtime/memory/array-transfer.h"
#include "runtime/memory/array.h"
#include "runtime/memory/idle-cache.h"
#include "runtime/memory/large-pages.h"
#include "runtime/memory/memory.h"
#include "runtime/trace/counters.h"
#include "runtime/trace/monitor.h"
#include "runtime/trace/timeline.h"

#include "algorithms/algorithms.h"

#include "formats/fits/fits-header.h"
#include "formats/fits/fits.h"
#include "formats/fits/world-coordinates.h"
#include "formats/format-error.h"
#include "formats/hdf5/hdf5-frames.h"
