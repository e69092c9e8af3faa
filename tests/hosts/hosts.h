/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of host programs: a home folder, programs with a time limit, images. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/* Linear values with interleaved channels, rows from the top. */
typedef struct {
  int width, height, channels;
  double *values;
} HostsImage;

HostsImage *hosts_image_new (int width, int height, int channels);
void hosts_image_free (HostsImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HostsImage, hosts_image_free)

/* Blobs on an uneven background with noise; always the same for a size and number of channels. */
HostsImage *hosts_image_sample (int width, int height, int channels);

/* Loads a file by GEGL as "Y", "RGB" or "RGBA". This process runs no operation of Capra. */
HostsImage *hosts_image_load (const char *path, const char *model);
/* Saves floats to a TIFF, or 16 bits to a PNG. @model: a babl model, such as "Y" or "RGB" */
void hosts_image_save (const HostsImage *image, const char *path, const char *model);
/* The raw values of a 32-bit image with one channel. */
guint32 *hosts_numbers_load (const char *path, int *width, int *height);

/* Fails the test unless both have the same shape and all values differ by at most @tolerance. */
void hosts_assert_close (const HostsImage *image, const HostsImage *reference, double tolerance);

/* To be called first in main (): initializes GLib's tests, GEGL, and a new home folder for this process and its
 * children. hosts_end () runs the tests. The folder is removed when this process ends. */
void hosts_begin (int *argc, char ***argv);
int hosts_end (void);
/* A path in that folder; valid until the end. */
const char *hosts_path (const char *name);
/* Writes a text file into that folder and returns its path. */
const char *hosts_write (const char *name, const char *text);
char *hosts_read (const char *path); /* NULL if the file does not exist */

typedef struct {
  int status; /* the exit status; 124 after the time limit */
  char *out, *err;
} HostsRun;

void hosts_run_free (HostsRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HostsRun, hosts_run_free)

/* Fail the test unless the program succeeded without a message, or failed with @status and a message with @text. */
void hosts_assert_success (const HostsRun *run);
void hosts_assert_error (const HostsRun *run, int status, const char *text);

/* For g_subprocess_launcher_set_child_setup(): the program ends with the test, even if the test crashes. */
void hosts_die_with_parent (gpointer data);
/* Waits until the process has a file open whose path begins with @folder; if it ends before, the test fails. */
void hosts_wait_until_saving (GSubprocess *process, const char *folder);
/* Runs a program with a time limit in seconds. @settings: (nullable): lines NAME=value for its environment */
HostsRun *hosts_run (const char *settings, int seconds, const char *const *command);
/* Runs `gegl` with Capra's module; the arguments are split as by a shell. */
HostsRun *hosts_gegl (const char *settings, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The same; fails the test unless the program succeeds without errors and warnings. */
void hosts_gegl_succeed (const char *settings, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Runs `capra run` with Capra's module. */
HostsRun *hosts_capra_run (const char *settings, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* A value of a CSV table by column name and row (from 0); fails the test if it does not exist. */
double hosts_csv_get (const char *csv, guint row, const char *column);
guint hosts_csv_rows (const char *csv);

G_END_DECLS
