/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands share that print JSON. */
#pragma once

/* Prints "key": "value", with what JSON wants escaped. */
void json_print_string (const char *key, const char *value);
