/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device-editor: the device that an operation runs on. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_DEVICE_EDITOR (capra_device_editor_get_type ())
G_DECLARE_FINAL_TYPE (CapraDeviceEditor, capra_device_editor, CAPRA, DEVICE_EDITOR, CapraEditor)

G_END_DECLS
