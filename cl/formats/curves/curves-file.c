/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Writes curves, some hundred at once. */
#include "formats/curves/curves-file.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/curves/curves-nexus.h"
#include "formats/hdf5/hdf5-frames.h"

#define BUFFERED 256 /* curves */

struct _CapraCurvesFile {
  char *path, *temporary;
  CapraCurvesInfo info;
  FILE *text;
  CapraCurvesNexus *nexus;
  float *curves[CAPRA_CURVES_N]; /* the buffered ones */
  guint8 *good;
  guint written, buffered;
};

static gboolean
fail (const CapraCurvesFile *file, int code, GError **error)
{
  const char *cause = code                          ? g_strerror (code)
                      : !capra_hdf5_is_supported () ? _ ("this build of Capra has no HDF5 support")
                                                    : _ ("the HDF5 library reported an error");

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("cannot write %s: %s"), file->path, cause);
  return FALSE;
}

static gboolean
has_ending (const char *path, const char *const *endings)
{
  for (guint i = 0; endings[i]; i++)
    if (g_str_has_suffix (path, endings[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_nexus (const char *path)
{
  return has_ending (path, (const char *const[]){ ".h5", ".hdf5", ".nxs", ".nx5", NULL });
}

gboolean
capra_curves_file_knows (const char *path)
{
  return is_nexus (path) || has_ending (path, (const char *const[]){ ".dat", ".xy", ".txt", NULL });
}

static void
write_text_header (CapraCurvesFile *file)
{
  const CapraCurvesInfo *info = &file->info;
  g_auto (GStrv) lines = g_strsplit (info->header ? info->header : "", "\n", -1);

  fprintf (file->text, "# Azimuthal integration of %s%s%s, by Capra %s\n", info->source, *info->data_set ? ", " : "",
           info->data_set, CAPRA_VERSION);
  for (guint i = 0; lines[i]; i++)
    if (*lines[i])
      fprintf (file->text, "# %s\n", lines[i]);
  fprintf (file->text,
           "# A block for each %s; columns: %s, intensity, standard deviation, standard error of the mean\n",
           info->azimuths ? "azimuth" : "frame", info->unit);
}

/* Creates the temporary file; returns the error number, 0 for that of libhdf5, or -1 if there is none. */
static int
create (CapraCurvesFile *file)
{
  if (is_nexus (file->path))
    {
      file->nexus = capra_curves_nexus_new (file->temporary, &file->info);
      return file->nexus ? -1 : 0;
    }
  file->text = g_fopen (file->temporary, "we");
  if (!file->text)
    return errno;
  write_text_header (file);
  return -1;
}

CapraCurvesFile *
capra_curves_file_new (const char *path, const CapraCurvesInfo *info, GError **error)
{
  g_autoptr (CapraCurvesFile) file = g_new0 (CapraCurvesFile, 1);
  int code = 0;

  file->path = g_strdup (path);
  file->temporary = g_strdup_printf ("%s.%d.part", path, (int) getpid ());
  file->info = *info;
  for (guint c = 0; c < CAPRA_CURVES_N; c++)
    file->curves[c] = g_new (float, (gsize) BUFFERED * info->bins);
  file->good = g_new (guint8, BUFFERED);
  code = create (file);
  if (code < 0)
    return g_steal_pointer (&file);
  fail (file, code, error);
  return NULL;
}

static void
write_text (CapraCurvesFile *file)
{
  const CapraCurvesInfo *info = &file->info;
  gsize bins = info->bins;

  for (guint i = 0; i < file->buffered; i++)
    {
      if (info->azimuths)
        fprintf (file->text, "\n\n# azimuth %.9g degrees\n", info->azimuths[file->written + i]);
      else
        fprintf (file->text, "\n\n# frame %u%s\n", info->first + file->written + i,
                 file->good[i] ? "" : ", which is damaged");
      for (gsize b = 0; b < bins; b++)
        fprintf (file->text, "%.9g %.7g %.7g %.7g\n", info->radial[b], file->curves[0][i * bins + b],
                 file->curves[1][i * bins + b], file->curves[2][i * bins + b]);
    }
}

static gboolean
flush (CapraCurvesFile *file, GError **error)
{
  if (file->text)
    write_text (file);
  if (file->text ? ferror (file->text) != 0
                 : !capra_curves_nexus_write (file->nexus, file->written, file->buffered, file->info.bins, file->curves,
                                              file->good))
    return fail (file, file->text ? errno : 0, error);
  file->written += file->buffered;
  file->buffered = 0;
  return TRUE;
}

gboolean
capra_curves_file_append (CapraCurvesFile *file, guint n, const float *values, gsize step, gsize next,
                          const gboolean *good, GError **error)
{
  gsize bins = file->info.bins;

  g_return_val_if_fail (file->written + file->buffered + n <= file->info.n, FALSE);
  for (guint i = 0; i < n; i++)
    {
      for (guint c = 0; c < CAPRA_CURVES_N; c++)
        memcpy (file->curves[c] + file->buffered * bins, values + i * next + c * step, bins * sizeof (float));
      file->good[file->buffered++] = !good || good[i];
      if (file->buffered == BUFFERED && !flush (file, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
capra_curves_file_finish (CapraCurvesFile *file, GError **error)
{
  if (file->buffered > 0 && !flush (file, error))
    return FALSE;
  if (file->text)
    {
      int failed = fclose (file->text) != 0 ? errno : 0;

      file->text = NULL;
      if (failed)
        return fail (file, failed, error);
    }
  else if (!capra_curves_nexus_close (g_steal_pointer (&file->nexus)))
    return fail (file, 0, error);
  if (g_rename (file->temporary, file->path) != 0)
    return fail (file, errno, error);
  g_clear_pointer (&file->temporary, g_free);
  return TRUE;
}

void
capra_curves_file_free (CapraCurvesFile *file)
{
  if (file->nexus)
    capra_curves_nexus_close (file->nexus);
  if (file->text)
    fclose (file->text);
  if (file->temporary)
    g_unlink (file->temporary);
  for (guint c = 0; c < CAPRA_CURVES_N; c++)
    g_free (file->curves[c]);
  g_free (file->good);
  g_free (file->temporary);
  g_free (file->path);
  g_free (file);
}
