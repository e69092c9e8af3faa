/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The check in the background, without a program that uses a device. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Starts @program with further @options, separated by spaces. Returns the socket that it reads devices from. */
int background_spawn (const char *program, const char *options);

/* Names the device to check. */
void background_send_device (int end);

/* Starts the program that is tested, and names the device. Returns the socket. */
int background_start (const char *options);

G_END_DECLS
