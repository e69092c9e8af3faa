/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal integration: launches the kernels that integrate frames. */
#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "algorithms/azimuthal/azimuthal-fail.h"
#include "algorithms/azimuthal/azimuthal-private.h"
#include "runtime/device/tuning.h"
#include "runtime/launch/launch.h"

#define MAX_BATCH 8
#define MAX_CHECKED 4 /* also of CPUs */

/* A range of values, in the type of the frames. */
typedef union {
  guint8 u8;
  guint16 u16;
  guint32 u32;
  gint32 i32;
  float f32;
} Value;

typedef struct {
  CapraAzimuthal *azimuthal;
  CapraArray *frames, *variance, *results;
  gboolean dummy; /* whether the values from @low to @high are left out */
  Value low, high;
} Integration;

static Value
value_from (CapraType type, double number)
{
  switch (type)
    {
    case CAPRA_U8: return (Value){ .u8 = (guint8) number };
    case CAPRA_U16: return (Value){ .u16 = (guint16) number };
    case CAPRA_U32: return (Value){ .u32 = (guint32) number };
    case CAPRA_I32: return (Value){ .i32 = (gint32) number };
    case CAPRA_I8:
    case CAPRA_I16:
    case CAPRA_F32:
    default: return (Value){ .f32 = (float) number };
    }
}

/* Sets the range of dummy values, unless no value of the type is in it. */
static void
set_dummy (Integration *integration)
{
  const CapraAzimuthalSettings *settings = &integration->azimuthal->settings;
  CapraType type = integration->frames->shape.type;
  double low = settings->dummy - settings->delta_dummy, high = settings->dummy + settings->delta_dummy;

  integration->dummy = settings->has_dummy;
  if (type == CAPRA_F32)
    {
      /* pyFAI compares float32 values. */
      low = settings->delta_dummy == 0 ? (float) settings->dummy : low;
      high = settings->delta_dummy == 0 ? (float) settings->dummy : high;
    }
  else
    {
      low = MAX (ceil (low), type == CAPRA_I32 ? G_MININT32 : 0);
      high = MIN (floor (high), type == CAPRA_U8    ? G_MAXUINT8
                                : type == CAPRA_U16 ? G_MAXUINT16
                                : type == CAPRA_U32 ? G_MAXUINT32
                                                    : G_MAXINT32);
    }
  integration->dummy = integration->dummy && low <= high;
  integration->low = value_from (type, integration->dummy ? low : 0);
  integration->high = value_from (type, integration->dummy ? high : 0);
}

static gboolean
check_frames (CapraAzimuthal *azimuthal, CapraArray *frames, guint n_frames, GError **error)
{
  const CapraShape *shape = &frames->shape;
  const CapraAzimuthalSettings *settings = &azimuthal->settings;

  if (shape->type == CAPRA_I8 || shape->type == CAPRA_I16 || shape->channels != 1)
    return capra_azimuthal_fail (error, _ ("frames must have one channel of u8, u16, u32, i32 or f32, not %u of %s"),
                                 shape->channels, capra_type_name (shape->type));
  if (shape->width != settings->width || shape->height != settings->height)
    return capra_azimuthal_fail (error, _ ("the frame has %u by %u pixels, the integration is for frames of %u by %u"),
                                 (guint) shape->width, (guint) shape->height, settings->width, settings->height);
  if (n_frames > shape->depth)
    return capra_azimuthal_fail (error, _ ("%u frames of an array that has %u"), n_frames, (guint) shape->depth);
  return TRUE;
}

static gboolean
check_arrays (CapraAzimuthal *azimuthal, CapraArray *frames, guint n_frames, CapraArray *variance, CapraArray *results,
              GError **error)
{
  const CapraAzimuthalSettings *settings = &azimuthal->settings;
  const CapraShape *out = &results->shape;

  if (!check_frames (azimuthal, frames, n_frames, error))
    return FALSE;
  if ((settings->error == CAPRA_AZIMUTHAL_ERROR_VARIANCE) != (variance != NULL))
    return capra_azimuthal_fail (error, variance ? _ ("the error model takes no image of variances")
                                                 : _ ("the error model requires an image of variances"));
  if (variance
      && (variance->shape.type != CAPRA_F32 || variance->shape.channels != 1 || variance->shape.width != settings->width
          || variance->shape.height != settings->height
          || (variance->shape.depth != 1 && variance->shape.depth < n_frames)))
    return capra_azimuthal_fail (
      error, _ ("the variances must be f32 values with the size of the frames, one plane or one for each "
                "frame"));
  if (out->type != CAPRA_F32 || out->channels != 1 || out->width != settings->bins
      || out->height * out->depth < (gsize) n_frames * N_PLANES * settings->azimuthal_bins)
    return capra_azimuthal_fail (error,
                                 _ ("the array for the results must be as capra_azimuthal_new_results() returns it"));
  return TRUE;
}

CapraArray *
capra_azimuthal_new_results (CapraAzimuthal *azimuthal, guint n_frames, GError **error)
{
  CapraShape shape = { azimuthal->settings.bins, azimuthal->settings.azimuthal_bins,
                       (gsize) MAX (n_frames, 1) * N_PLANES, 1, CAPRA_F32 };

  return capra_array_new_uninitialized (azimuthal->context, &shape, error);
}

gsize
capra_azimuthal_row_group (const CapraAzimuthal *azimuthal)
{
  CapraContext *context = azimuthal->context;
  const char *variant = capra_tuning_get_word (context->device, "azimuthal.variant",
                                               context->info->type == CAPRA_DEVICE_CPU ? "row" : "group");
  gsize most = (gsize) MAX (capra_tuning_get_int (context->device, "azimuthal.group", 256), 32), group = 32;

  if (g_strcmp0 (variant, "row") == 0)
    return 1;
  while (group * 2 <= MIN (most, context->info->max_group)
         && group * 8 <= azimuthal->matrix.n_entries / azimuthal->matrix.n_rows)
    group *= 2;
  return group;
}

/* Frames in which each pixel of the matrix is valid. */
static gboolean
is_unchecked (const Integration *integration)
{
  CapraAzimuthalError error = integration->azimuthal->settings.error;

  return !integration->dummy && integration->frames->shape.type != CAPRA_F32
         && (error == CAPRA_AZIMUTHAL_ERROR_NONE || error == CAPRA_AZIMUTHAL_ERROR_POISSON
             || error == CAPRA_AZIMUTHAL_ERROR_HYBRID);
}

gboolean
capra_azimuthal_has_doubles (const CapraAzimuthal *azimuthal)
{
  return azimuthal->context->info->doubles
         && capra_tuning_get_int (azimuthal->context->device, "azimuthal.doubles", 1) != 0;
}

static char *
make_options (const Integration *integration, guint batch, gsize group)
{
  const CapraAzimuthal *azimuthal = integration->azimuthal;
  CapraType type = integration->frames->shape.type;
  /* Four sums of each kind stay in the registers of CPUs; PoCL keeps more in memory, which is several times slower. */
  guint chains = group == 1 && batch <= 2 ? 2 : 1;

  return g_strdup_printf (
    "-DIN=%s -DGROUP=%u -DBATCH=%u -DCHAINS=%u -DERROR=%d%s%s%s%s%s", capra_launch_type (type), (guint) group, batch,
    chains, azimuthal->settings.error, type == CAPRA_U32 || type == CAPRA_I32 ? " -DWIDE" : "",
    azimuthal->matrix.coefficients ? " -DWEIGHTED" : "", integration->dummy ? " -DDUMMY" : "",
    azimuthal->images.darks ? " -DDARK" : "", capra_azimuthal_has_doubles (azimuthal) ? " -DDOUBLES" : "");
}

/* What each launch reads at least. */
static guint64
bytes_read (const Integration *integration, guint batch)
{
  const CapraAzimuthal *azimuthal = integration->azimuthal;
  const CapraShape *shape = &integration->frames->shape;

  return (guint64) azimuthal->matrix.n_entries * (azimuthal->matrix.coefficients ? 8 : 4)
         + (guint64) batch * shape->width * shape->height * capra_type_size (shape->type);
}

/* The matrix and the frames: the first arguments of all kernels. */
static void
begin (CapraLaunch *launch, const Integration *integration, const char *program, const char *options,
       const char *kernel, guint first)
{
  const CapraAzimuthal *azimuthal = integration->azimuthal;

  capra_launch_begin (launch, azimuthal->context, program, options, kernel);
  capra_launch_read (launch, integration->frames);
  capra_launch_ulong (launch, first);
  capra_launch_ulong (launch, (guint64) azimuthal->settings.width * azimuthal->settings.height);
  capra_launch_read (launch, azimuthal->matrix.starts);
  capra_launch_read (launch, azimuthal->matrix.pixels);
  /* An argument that is not used needs an array all the same. */
  capra_launch_read (launch, azimuthal->matrix.coefficients ? azimuthal->matrix.coefficients : azimuthal->fixed);
}

static gboolean
end (CapraLaunch *launch, const Integration *integration, guint batch, gsize group, GError **error)
{
  const CapraAzimuthal *azimuthal = integration->azimuthal;

  capra_launch_uint (launch, azimuthal->matrix.n_rows);
  capra_launch_float (launch, (float) azimuthal->settings.empty);
  capra_launch_write (launch, integration->results);
  return capra_launch_run_1d (launch, azimuthal->matrix.n_rows * group, group, bytes_read (integration, batch), error);
}

static gboolean
run_unchecked (const Integration *integration, guint first, guint batch, GError **error)
{
  gsize group = capra_azimuthal_row_group (integration->azimuthal);
  g_autofree char *options = make_options (integration, batch, group);
  CapraLaunch launch;

  begin (&launch, integration, "azimuthal-integrate", options, "azimuthal_integrate", first);
  capra_launch_read (&launch, integration->azimuthal->fixed);
  return end (&launch, integration, batch, group, error);
}

/* The images that checked pixels need. */
static void
set_images (CapraLaunch *launch, const Integration *integration)
{
  const CapraAzimuthal *azimuthal = integration->azimuthal;
  CapraArray *variance = integration->variance;
  gsize size = capra_type_size (integration->frames->shape.type);
  gboolean each = variance && variance->shape.depth > 1;

  capra_launch_read (launch, azimuthal->images.norms);
  capra_launch_read (launch, azimuthal->images.darks ? azimuthal->images.darks : azimuthal->images.norms);
  capra_launch_read (launch, variance ? variance : azimuthal->images.norms);
  capra_launch_value (launch, &integration->low, size);
  capra_launch_value (launch, &integration->high, size);
  capra_launch_ulong (launch, each ? (guint64) variance->shape.width * variance->shape.height : 0);
}

static gboolean
run_checked (const Integration *integration, guint first, guint batch, GError **error)
{
  gsize group = capra_azimuthal_row_group (integration->azimuthal);
  g_autofree char *options = make_options (integration, batch, group);
  CapraLaunch launch;

  begin (&launch, integration, "azimuthal-checked", options, "azimuthal_checked", first);
  set_images (&launch, integration);
  return end (&launch, integration, batch, group, error);
}

/* One frame whose variances are found in its bins, or whose values are clipped. */
static gboolean
run_clipped (const Integration *integration, guint first, GError **error)
{
  const CapraAzimuthalSettings *settings = &integration->azimuthal->settings;
  gsize group = capra_azimuthal_row_group (integration->azimuthal);
  g_autofree char *options = make_options (integration, 1, group);
  CapraLaunch launch;

  begin (&launch, integration, "azimuthal-clip", options, "azimuthal_clip", first);
  set_images (&launch, integration);
  capra_launch_float (&launch, (float) settings->clip_threshold);
  capra_launch_uint (&launch, settings->clip ? settings->clip_iterations : 0);
  return end (&launch, integration, 1, group, error);
}

static gboolean
run (const Integration *integration, guint n_frames, GError **error)
{
  const CapraAzimuthalSettings *settings = &integration->azimuthal->settings;
  gboolean clipped = settings->clip || settings->error == CAPRA_AZIMUTHAL_ERROR_AZIMUTHAL;
  gboolean unchecked = !clipped && is_unchecked (integration);
  int most = capra_tuning_get_int (integration->azimuthal->context->device, "azimuthal.batch",
                                   capra_azimuthal_row_group (integration->azimuthal) == 1 ? MAX_CHECKED : MAX_BATCH);
  guint batch = most >= 8 ? 8 : most >= 4 ? 4 : most >= 2 ? 2 : 1;

  if (!unchecked)
    batch = MIN (batch, MAX_CHECKED);
  for (guint first = 0; first < n_frames; first += batch)
    {
      gboolean ran = FALSE;

      while (clipped ? batch > 1 : batch > n_frames - first)
        batch /= 2;
      if (clipped)
        ran = run_clipped (integration, first, error);
      else
        ran = unchecked ? run_unchecked (integration, first, batch, error)
                        : run_checked (integration, first, batch, error);
      if (!ran)
        return FALSE;
    }
  return TRUE;
}

gboolean
capra_azimuthal_integrate (CapraAzimuthal *azimuthal, CapraArray *frames, guint n_frames, CapraArray *variance,
                           CapraArray *results, GError **error)
{
  Integration integration = { azimuthal, frames, variance ? variance : azimuthal->variance, results, FALSE };
  gboolean done = FALSE;

  if (!check_arrays (azimuthal, frames, n_frames, integration.variance, results, error))
    return FALSE;
  set_dummy (&integration);
  capra_azimuthal_hold (azimuthal);
  done = run (&integration, n_frames, error);
  capra_azimuthal_release (azimuthal);
  return done;
}
