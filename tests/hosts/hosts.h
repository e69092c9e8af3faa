/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of host programs share: a home of their own, programs with a time limit, images. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/* Values of @channels interleaved, rows from the top, from 0 on and in linear light. */
typedef struct {
  int width, height, channels;
  double *values;
} HostsImage;

HostsImage *hosts_image_new (int width, int height, int channels);
void hosts_image_free (HostsImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HostsImage, hosts_image_free)

/* The same blobs on an uneven background for the same size and channels, with some noise. */
HostsImage *hosts_image_sample (int width, int height, int channels);

/* The image in a file, as "Y", "RGB" or "RGBA": GEGL loads it, this process runs none of ours. */
HostsImage *hosts_image_load (const char *path, const char *model);
/* To a file; float in a TIFF, 16 bits in a PNG. @model as it is named in babl: "Y", "RGB"… */
void hosts_image_save (const HostsImage *image, const char *path, const char *model);
/* The raw numbers of a one-channel image of 32 bits. */
guint32 *hosts_numbers_load (const char *path, int *width, int *height);

/* Fails the test unless both have the same shape and no value is further than @tolerance. */
void hosts_assert_close (const HostsImage *image, const HostsImage *reference, double tolerance);

/* Call it first in main (): GLib's tests, GEGL, and a new home folder, in which this process and all
 * that it starts keep everything. hosts_end () runs the tests; the folder goes when this process does. */
void hosts_begin (int *argc, char ***argv);
int hosts_end (void);
/* A path in that folder, valid until the end. */
const char *hosts_path (const char *name);
/* Writes a text file there. */
const char *hosts_write (const char *name, const char *text);
char *hosts_read (const char *path); /* NULL if there is no such file */

typedef struct {
  int status; /* the exit status; 124 when the time was over */
  char *out, *err;
} HostsRun;

void hosts_run_free (HostsRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HostsRun, hosts_run_free)

/* For g_subprocess_launcher_set_child_setup(): no program outlives the test, whatever happens to that. */
void hosts_die_with_parent (gpointer data);
/* A program with a time limit in seconds. @settings: lines NAME=value to add to the
 * environment, or %NULL. */
HostsRun *hosts_run (const char *settings, int seconds, const char *const *command);
/* The `gegl` program with our module; @arguments are split as a shell does. */
HostsRun *hosts_gegl (const char *settings, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The same, which must end well and say nothing wrong. */
void hosts_gegl_well (const char *settings, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* A number of a table in CSV by column name and row from 0; fails the test if it is not there. */
double hosts_csv_get (const char *csv, guint row, const char *column);
guint hosts_csv_rows (const char *csv);

G_END_DECLS
