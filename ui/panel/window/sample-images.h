/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sample-images: images to try the panel with, which are drawn when they are first needed. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CapraSampleImage:
 * @name: of the file, without its ending
 * @title: translated
 * @description: translated: what the steps do
 * @command: the steps, see capra_steps_from_command()
 */
typedef struct {
  const char *name, *title, *description, *command;
} CapraSampleImage;

/* The sample @index, from 0; %NULL after the last one. Free it with g_free(). */
CapraSampleImage *capra_sample_image_get (guint index);

/**
 * capra_sample_image_make:
 * @name: of a sample
 *
 * Blocks while the image is drawn, which takes about 50 ms, unless it is already in the user's cache.
 *
 * Returns: (transfer full) (nullable): a PNG file, or %NULL with @error set
 */
GFile *capra_sample_image_make (const char *name, GError **error);

G_END_DECLS
