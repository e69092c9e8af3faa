/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resources: the panel's application ID and where its resources are. */
#pragma once

#define CAPRA_PANEL_ID "io.github.capra.Panel"
#define CAPRA_PANEL_RESOURCE "/io/github/capra/Panel/"
