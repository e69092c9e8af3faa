/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* libcapra: arrays on OpenCL devices and image operations on them. */
#pragma once

#include "runtime/memory/array.h"
#include "runtime/device/device.h"
#include "runtime/trace/counters.h"
#include "runtime/device/error.h"
#include "runtime/memory/idle-cache.h"
#include "runtime/memory/large-pages.h"
#include "runtime/memory/memory.h"
#include "runtime/trace/monitor.h"
#include "runtime/launch/preparation.h"
#include "runtime/device/settings.h"
#include "runtime/trace/timeline.h"
#include "runtime/launch/tuning.h"

#include "algorithms/algorithms.h"
