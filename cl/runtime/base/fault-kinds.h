/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Faults: what can fail on purpose. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraFault:
 * @CAPRA_FAULT_ALLOC: allocating memory of a device
 * @CAPRA_FAULT_STAGING: allocating or mapping memory of the host that transfers use
 * @CAPRA_FAULT_BUILD: compiling or loading a program, and creating a kernel
 * @CAPRA_FAULT_LAUNCH: launching a kernel
 * @CAPRA_FAULT_UPLOAD: writing to a buffer
 * @CAPRA_FAULT_DOWNLOAD: reading from a buffer
 * @CAPRA_FAULT_MAP: mapping a buffer, and unmapping it
 * @CAPRA_FAULT_COPY: copying from buffer to buffer
 * @CAPRA_FAULT_WAIT: the end of a command, which failed
 * @CAPRA_FAULT_DEVICE: any of these and the creation of contexts; a device on which it fails is lost and fails always
 * @CAPRA_FAULT_FILE: writing to a file or renaming it, as on a full disk
 *
 * What can fail; the names in `CAPRA_FAULT` are those of the constants, such as "launch".
 */
typedef enum {
  CAPRA_FAULT_ALLOC,
  CAPRA_FAULT_STAGING,
  CAPRA_FAULT_BUILD,
  CAPRA_FAULT_LAUNCH,
  CAPRA_FAULT_UPLOAD,
  CAPRA_FAULT_DOWNLOAD,
  CAPRA_FAULT_MAP,
  CAPRA_FAULT_COPY,
  CAPRA_FAULT_WAIT,
  CAPRA_FAULT_DEVICE,
  CAPRA_FAULT_FILE,
  CAPRA_N_FAULTS,
} CapraFault;

G_END_DECLS
