/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libcapra: arrays on OpenCL devices and image operations on them. */
#pragma once

#include "runtime/array.h"
#include "runtime/device.h"
#include "runtime/effort.h"
#include "runtime/error.h"
#include "runtime/large-pages.h"
#include "runtime/memory.h"
#include "runtime/monitor.h"
#include "runtime/preparation.h"
#include "runtime/settings.h"
#include "runtime/timeline.h"
#include "runtime/tuning.h"

#include "algorithms/arrange.h"
#include "algorithms/box-blur.h"
#include "algorithms/convert.h"
#include "algorithms/convolve.h"
#include "algorithms/gaussian-blur.h"
#include "algorithms/label.h"
#include "algorithms/measure.h"
#include "algorithms/statistics.h"
#include "algorithms/table.h"
#include "algorithms/threshold.h"
#include "algorithms/window.h"
