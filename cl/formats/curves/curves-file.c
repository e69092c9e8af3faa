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

#include "formats/hdf5/nexus-file.h"
#include "runtime/base/fault.h"

#define BUFFERED 256 /* curves */
#define N_PLANES 3   /* intensity, standard deviation, standard error of the mean */

struct _CapraCurvesFile {
  char *path, *temporary;
  CapraCurvesInfo info;
  FILE *text;
  CapraNexusFile *nexus;
  guint sets[N_PLANES], good_set; /* of @nexus */
  float *curves[N_PLANES];        /* the buffered ones */
  guint8 *good;
  guint written, buffered;
};

/* @code: the error number */
static gboolean
fail (const CapraCurvesFile *file, int code, GError **error)
{
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_WRITE, _ ("cannot write %s: %s"), file->path,
               g_strerror (code));
  return FALSE;
}

/* Adds the path to @error, which has the cause. */
static gboolean
fail_nexus (const CapraCurvesFile *file, GError **error)
{
  g_prefix_error (error, _ ("cannot write %s: "), file->path);
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

static gboolean
create_text (CapraCurvesFile *file, GError **error)
{
  file->text = g_fopen (file->temporary, "we");
  if (!file->text)
    return fail (file, errno, error);
  write_text_header (file);
  return TRUE;
}

/* The positions along both axes of the curves. */
static void
add_axes (CapraCurvesFile *file, const char *rows, const char *columns, const char *unit)
{
  const CapraCurvesInfo *info = &file->info;
  const guint64 n = info->n, bins = info->bins;
  g_autofree guint64 *frames = g_new (guint64, info->n);
  guint set = capra_nexus_file_add (file->nexus, rows, info->azimuths ? CAPRA_NEXUS_F64 : CAPRA_NEXUS_U64, 1, &n,
                                    info->azimuths ? "deg" : NULL);

  for (guint i = 0; i < info->n; i++)
    frames[i] = info->first + i;
  if (!info->azimuths && info->batch_n > 0)
    capra_nexus_file_set_range (file->nexus, set, CAPRA_BATCH_ATTRIBUTE, info->batch_first,
                                (guint64) info->batch_first + info->batch_n);
  capra_nexus_file_write (file->nexus, set, 0, n, info->azimuths ? (gconstpointer) info->azimuths : frames);
  set = capra_nexus_file_add (file->nexus, columns, CAPRA_NEXUS_F64, 1, &bins, unit);
  capra_nexus_file_write (file->nexus, set, 0, bins, info->radial);
}

static gboolean
create_nexus (CapraCurvesFile *file, GError **error)
{
  static const char *const names[N_PLANES] = { "intensity", "std", "sem" };
  const CapraCurvesInfo *info = &file->info;
  const guint64 sizes[] = { info->n, info->bins };
  g_auto (GStrv) unit = g_strsplit (info->unit, "_", 2);
  const char *const axes[] = { info->azimuths ? "chi" : "frame", unit[0], NULL };

  file->nexus = capra_nexus_file_new (file->temporary, names[0], axes, error);
  if (!file->nexus)
    return fail_nexus (file, error);
  capra_nexus_file_set_text (file->nexus, "source", info->source);
  capra_nexus_file_set_text (file->nexus, "source_data_set", info->data_set);
  if (info->header)
    capra_nexus_file_set_text (file->nexus, "settings", info->header);
  add_axes (file, axes[0], axes[1], g_str_equal (unit[1], "nm^-1") ? "1/nm" : unit[1]);
  for (guint c = 0; c < N_PLANES; c++)
    file->sets[c] = capra_nexus_file_add (file->nexus, names[c], CAPRA_NEXUS_F32, 2, sizes, NULL);
  if (!info->azimuths)
    file->good_set = capra_nexus_file_add (file->nexus, "good", CAPRA_NEXUS_U8, 1, sizes, NULL);
  return TRUE;
}

CapraCurvesFile *
capra_curves_file_new (const char *path, const CapraCurvesInfo *info, GError **error)
{
  g_autoptr (CapraCurvesFile) file = g_new0 (CapraCurvesFile, 1);

  file->path = g_strdup (path);
  file->temporary = g_strdup_printf ("%s.%d.part", path, (int) getpid ());
  file->info = *info;
  for (guint c = 0; c < N_PLANES; c++)
    file->curves[c] = g_new (float, (gsize) BUFFERED * info->bins);
  file->good = g_new (guint8, BUFFERED);
  return (is_nexus (path) ? create_nexus (file, error) : create_text (file, error)) ? g_steal_pointer (&file) : NULL;
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

/* Closes the NeXus file. */
static gboolean
close_nexus (CapraCurvesFile *file, GError **error)
{
  return capra_nexus_file_close (g_steal_pointer (&file->nexus), error) || fail_nexus (file, error);
}

static gboolean
write_nexus (CapraCurvesFile *file, GError **error)
{
  gboolean good = TRUE;

  for (guint c = 0; c < N_PLANES; c++)
    good = capra_nexus_file_write (file->nexus, file->sets[c], file->written, file->buffered, file->curves[c]);
  if (!file->info.azimuths)
    good = capra_nexus_file_write (file->nexus, file->good_set, file->written, file->buffered, file->good);
  return good || close_nexus (file, error);
}

static gboolean
flush (CapraCurvesFile *file, GError **error)
{
  if (file->text)
    write_text (file);
  if (file->text ? ferror (file->text) && !fail (file, errno, error) : !write_nexus (file, error))
    return FALSE;
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
      for (guint c = 0; c < N_PLANES; c++)
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
  else if (!close_nexus (file, error))
    return FALSE;
  if (capra_fault_write () || g_rename (file->temporary, file->path) != 0)
    return fail (file, errno, error);
  g_clear_pointer (&file->temporary, g_free);
  return TRUE;
}

void
capra_curves_file_free (CapraCurvesFile *file)
{
  if (file->nexus)
    capra_nexus_file_close (file->nexus, NULL);
  if (file->text)
    fclose (file->text);
  if (file->temporary)
    g_unlink (file->temporary);
  for (guint c = 0; c < N_PLANES; c++)
    g_free (file->curves[c]);
  g_free (file->good);
  g_free (file->temporary);
  g_free (file->path);
  g_free (file);
}
