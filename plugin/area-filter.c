/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* CapraAreaFilter: the base class of operations that read a fixed number of pixels to each side of a pixel. */
#include "plugin/area-filter.h"

#include <glib/gi18n-lib.h>

G_DEFINE_DYNAMIC_TYPE_EXTENDED (CapraAreaFilter, capra_area_filter, CAPRA_TYPE_OPERATION, G_TYPE_FLAG_ABSTRACT, {})

GType
capra_border_get_type (void)
{
  static GEnumValue values[] = {
    { CAPRA_BORDER_NONE, N_ ("None"), "none" },
    { CAPRA_BORDER_CLAMP, N_ ("Clamp"), "clamp" },
    { CAPRA_BORDER_MIRROR, N_ ("Mirror"), "mirror" },
    { CAPRA_BORDER_WRAP, N_ ("Wrap"), "wrap" },
    { 0, NULL, NULL },
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    {
      for (GEnumValue *value = values; value->value_name; value++)
        value->value_name = _ (value->value_name);
      g_once_init_leave (&type, g_enum_register_static ("CapraBorder", values));
    }
  return type;
}

void
capra_area_filter_register (GTypeModule *module)
{
  capra_area_filter_register_type (module);
}

static CapraReach
get_reach (GeglOperation *operation)
{
  return CAPRA_AREA_FILTER_GET_CLASS (operation)->get_reach (operation);
}

static CapraReach
get_visible_reach (GeglOperation *operation)
{
  CapraAreaFilterClass *klass = CAPRA_AREA_FILTER_GET_CLASS (operation);

  return klass->get_visible_reach ? klass->get_visible_reach (operation) : klass->get_reach (operation);
}

static GeglRectangle
enlarge (const GeglRectangle *rect, const CapraReach *reach)
{
  return capra_rect_enlarge (rect, reach->x, reach->y);
}

GeglRectangle
capra_area_filter_get_enlarged_extent (GeglOperation *operation)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, "input");
  CapraReach reach = get_visible_reach (operation);

  return extent ? enlarge (extent, &reach) : (GeglRectangle){ 0, 0, 0, 0 };
}

/* The rectangle to which the border rule applies where @roi is computed: the extent of the input. An unbounded input
 * gets one fixed square, so that a result computed in parts equals the whole to the byte. Where @roi is outside the
 * square, it is the area that is read, whose borders no result depends on. */
static GeglRectangle
get_image (GeglOperation *operation, const CapraReach *reach, const GeglRectangle *roi)
{
  /* The largest extent that filters accept. */
  static const GeglRectangle square = { -(1 << 27), -(1 << 27), 1 << 28, 1 << 28 };
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, "input");
  GeglRectangle area = enlarge (roi, reach);

  if (!extent)
    return (GeglRectangle){ 0, 0, 0, 0 };
  if (!gegl_rectangle_is_infinite_plane (extent))
    return *extent;
  return gegl_rectangle_contains (&square, &area) ? square : area;
}

/* The part of the input that @roi of the result depends on. */
static GeglRectangle
get_source (GeglOperation *operation, const CapraReach *reach, const GeglRectangle *roi)
{
  GeglRectangle extent = get_image (operation, reach, roi);
  CapraRect image = capra_rect (&extent), result = capra_rect (roi), source;

  if (gegl_rectangle_is_empty (&extent) || gegl_rectangle_is_infinite_plane (roi))
    return extent;
  source = capra_window_source (&image, &result, reach->x, reach->x, reach->y, reach->y, reach->border);
  return capra_rect_to_gegl (&source);
}

static GeglRectangle
get_required (GeglOperation *operation, const char *pad, const GeglRectangle *roi)
{
  CapraReach reach = get_reach (operation);

  return get_source (operation, &reach, roi);
}

static GeglRectangle
get_invalidated_by_change (GeglOperation *operation, const gchar *pad, const GeglRectangle *roi)
{
  CapraReach reach = get_visible_reach (operation);

  /* Distant pixels may be mirrored or wrapped copies of the changed ones. */
  if (reach.border == CAPRA_BORDER_MIRROR || reach.border == CAPRA_BORDER_WRAP)
    return gegl_operation_get_bounding_box (operation);
  return enlarge (roi, &reach);
}

static CapraHiddenReach
get_hidden_reach (GeglOperation *operation)
{
  CapraReach reach = get_reach (operation), visible = get_visible_reach (operation);

  return (CapraHiddenReach){ MAX (reach.x - visible.x, 0), MAX (reach.y - visible.y, 0) };
}

/* Computes the job's region with one of the two functions. */
static gboolean
compute_region (CapraJob *job, const GeglRectangle *image, const GeglRectangle *source, CapraFilterFunc filter,
                CapraConvertingFilterFunc converting_filter, GError **error)
{
  const Babl *format = gegl_operation_get_format (job->operation, "input");
  /* A result far outside the image reads nothing, but arrays have at least one pixel. */
  GeglRectangle pixel = { image->x, image->y, 1, 1 };
  const GeglRectangle *area = gegl_rectangle_is_empty (source) ? &pixel : source;
  const Babl *output = gegl_operation_get_format (job->operation, "output");
  g_auto (CapraPixels) input = { NULL };
  CapraArray *result = NULL;
  CapraConversion conversion, result_conversion;
  CapraConversions conversions = { NULL, NULL };
  gboolean converts = FALSE;
  CapraWindow window;

  if (!(converting_filter ? capra_job_get_unconverted (job, "input", area, format, CAPRA_FIT_LOOSE, &input, &conversion,
                                                       &converts, error)
                          : capra_job_get_pixels (job, "input", area, format, CAPRA_FIT_LOOSE, &input, error)))
    return FALSE;
  if (converts)
    conversions.input = &conversion;
  if (job->array_format && job->array_format != output
      && capra_format_get_conversion (output, job->array_format, &result_conversion))
    conversions.result = &result_conversion;
  window = (CapraWindow){ capra_rect (image), input.rect, capra_rect (&job->roi) };
  result = converting_filter ? converting_filter (job, g_steal_pointer (&input.array), &conversions, &window, error)
                             : filter (job, input.array, &window, error);
  if (!result)
    return FALSE;
  capra_job_set_result (job, result, &window.result);
  return TRUE;
}

gboolean
capra_area_filter_compute (CapraJob *job, const GeglRectangle *image, const GeglRectangle *source,
                           CapraFilterFunc filter, GError **error)
{
  return compute_region (job, image, source, filter, NULL, error);
}

static gboolean
compute (CapraJob *job, GError **error)
{
  const CapraAreaFilterClass *klass = CAPRA_AREA_FILTER_GET_CLASS (job->operation);
  CapraReach reach = get_reach (job->operation);
  GeglRectangle image = get_image (job->operation, &reach, &job->roi);
  GeglRectangle source = get_source (job->operation, &reach, &job->roi);

  return compute_region (job, &image, &source, klass->filter, klass->converting_filter, error);
}

static gboolean
converts (GeglOperation *operation)
{
  return CAPRA_AREA_FILTER_GET_CLASS (operation)->converting_filter != NULL;
}

static void
capra_area_filter_class_init (CapraAreaFilterClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  operation_class->prepare = capra_operation_prepare_average;
  operation_class->get_invalidated_by_change = get_invalidated_by_change;
  CAPRA_OPERATION_CLASS (klass)->get_required = get_required;
  CAPRA_OPERATION_CLASS (klass)->get_hidden_reach = get_hidden_reach;
  CAPRA_OPERATION_CLASS (klass)->converts = converts;
  CAPRA_OPERATION_CLASS (klass)->compute = compute;
}

static void
capra_area_filter_class_finalize (CapraAreaFilterClass *klass)
{
}

static void
capra_area_filter_init (CapraAreaFilter *self)
{
}
