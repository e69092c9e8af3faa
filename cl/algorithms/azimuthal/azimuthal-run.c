/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the launches of kernels that read frames have in common. */
#include "algorithms/azimuthal/azimuthal-run.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "algorithms/azimuthal/azimuthal-fail.h"
#include "runtime/device/tuning.h"

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

gboolean
capra_azimuthal_has_doubles (const CapraAzimuthal *azimuthal)
{
  return azimuthal->context->info->doubles
         && capra_tuning_get_int (azimuthal->context->device, "azimuthal.doubles", 1) != 0;
}

static CapraAzimuthalValue
value_from (CapraType type, double number)
{
  switch (type)
    {
    case CAPRA_U8: return (CapraAzimuthalValue){ .u8 = (guint8) number };
    case CAPRA_U16: return (CapraAzimuthalValue){ .u16 = (guint16) number };
    case CAPRA_U32: return (CapraAzimuthalValue){ .u32 = (guint32) number };
    case CAPRA_I32: return (CapraAzimuthalValue){ .i32 = (gint32) number };
    case CAPRA_I8:
    case CAPRA_I16:
    case CAPRA_F32:
    default: return (CapraAzimuthalValue){ .f32 = (float) number };
    }
}

/* Sets the range of dummy values, unless no value of the type is in it. */
static void
set_dummy (CapraAzimuthalRun *run)
{
  const CapraAzimuthalSettings *settings = &run->azimuthal->settings;
  CapraType type = run->frames->shape.type;
  double low = settings->dummy - settings->delta_dummy, high = settings->dummy + settings->delta_dummy;

  run->dummy = settings->has_dummy;
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
  run->dummy = run->dummy && low <= high;
  run->low = value_from (type, run->dummy ? low : 0);
  run->high = value_from (type, run->dummy ? high : 0);
}

void
capra_azimuthal_run_init (CapraAzimuthalRun *run, CapraAzimuthal *azimuthal, CapraArray *frames, CapraArray *variance)
{
  *run = (CapraAzimuthalRun){ .azimuthal = azimuthal, .frames = frames, .variance = variance };
  set_dummy (run);
}

gboolean
capra_azimuthal_check_frames (CapraAzimuthal *azimuthal, const CapraShape *shape, GError **error)
{
  const CapraAzimuthalSettings *settings = &azimuthal->settings;

  if (shape->type == CAPRA_I8 || shape->type == CAPRA_I16 || shape->channels != 1)
    return capra_azimuthal_fail (error, _ ("frames must have one channel of u8, u16, u32, i32 or f32, not %u of %s"),
                                 shape->channels, capra_type_name (shape->type));
  if (shape->width != settings->width || shape->height != settings->height)
    return capra_azimuthal_fail (error, _ ("the frame has %u by %u pixels, the integration is for frames of %u by %u"),
                                 (guint) shape->width, (guint) shape->height, settings->width, settings->height);
  return TRUE;
}

char *
capra_azimuthal_run_options (const CapraAzimuthalRun *run, guint batch, gsize group)
{
  const CapraAzimuthal *azimuthal = run->azimuthal;
  CapraType type = run->frames->shape.type;
  /* Four sums of each kind stay in the registers of CPUs; PoCL keeps more in memory, which is several times slower. */
  guint chains = group == 1 && batch <= 2 ? 2 : 1;

  return g_strdup_printf (
    "-DIN=%s -DGROUP=%u -DBATCH=%u -DCHAINS=%u -DERROR=%d%s%s%s%s%s", capra_launch_type (type), (guint) group, batch,
    chains, azimuthal->settings.error, type == CAPRA_U32 || type == CAPRA_I32 ? " -DWIDE" : "",
    azimuthal->matrix.coefficients ? " -DWEIGHTED" : "", run->dummy ? " -DDUMMY" : "",
    azimuthal->images.darks ? " -DDARK" : "", capra_azimuthal_has_doubles (azimuthal) ? " -DDOUBLES" : "");
}

guint64
capra_azimuthal_run_bytes (const CapraAzimuthalRun *run, guint batch)
{
  const CapraAzimuthal *azimuthal = run->azimuthal;
  const CapraShape *shape = &run->frames->shape;

  return (guint64) azimuthal->matrix.n_entries * (azimuthal->matrix.coefficients ? 8 : 4)
         + (guint64) batch * shape->width * shape->height * capra_type_size (shape->type);
}

void
capra_azimuthal_run_begin (const CapraAzimuthalRun *run, CapraLaunch *launch, const char *program, const char *options,
                           const char *kernel, guint first)
{
  const CapraAzimuthal *azimuthal = run->azimuthal;

  capra_launch_begin (launch, azimuthal->context, program, options, kernel);
  capra_launch_read (launch, run->frames);
  capra_launch_ulong (launch, first);
  capra_launch_ulong (launch, (guint64) azimuthal->settings.width * azimuthal->settings.height);
  capra_launch_read (launch, azimuthal->matrix.starts);
  capra_launch_read (launch, azimuthal->matrix.pixels);
  /* An argument that is not used needs an array all the same. */
  capra_launch_read (launch,
                     azimuthal->matrix.coefficients ? azimuthal->matrix.coefficients : azimuthal->matrix.pixels);
}

void
capra_azimuthal_run_set_images (const CapraAzimuthalRun *run, CapraLaunch *launch)
{
  const CapraAzimuthal *azimuthal = run->azimuthal;
  CapraArray *variance = run->variance;
  gsize size = capra_type_size (run->frames->shape.type);
  gboolean each = variance && variance->shape.depth > 1;

  capra_launch_read (launch, azimuthal->images.norms);
  capra_launch_read (launch, azimuthal->images.darks ? azimuthal->images.darks : azimuthal->images.norms);
  capra_launch_read (launch, variance ? variance : azimuthal->images.norms);
  capra_launch_value (launch, &run->low, size);
  capra_launch_value (launch, &run->high, size);
  capra_launch_ulong (launch, each ? (guint64) variance->shape.width * variance->shape.height : 0);
}
