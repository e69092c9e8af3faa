/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:label: numbers the connected regions of pixels above 0, on an OpenCL device. */
#ifdef GEGL_PROPERTIES
/* clang-format off */

/* The skipped values make each number equal its name. */
enum_start (capra_label_connectivity)
  enum_value_skip (CAPRA_LABEL_CONNECTIVITY_0)
  enum_value_skip (CAPRA_LABEL_CONNECTIVITY_1)
  enum_value_skip (CAPRA_LABEL_CONNECTIVITY_2)
  enum_value_skip (CAPRA_LABEL_CONNECTIVITY_3)
  enum_value (CAPRA_LABEL_CONNECTIVITY_4, "4", N_ ("4 (sides)"))
  enum_value_skip (CAPRA_LABEL_CONNECTIVITY_5)
  enum_value_skip (CAPRA_LABEL_CONNECTIVITY_6)
  enum_value_skip (CAPRA_LABEL_CONNECTIVITY_7)
  enum_value (CAPRA_LABEL_CONNECTIVITY_8, "8", N_ ("8 (sides and corners)"))
enum_end (CapraLabelConnectivity)

enum_start (capra_label_rendering)
  enum_value (CAPRA_LABEL_RENDERING_COLORS, "colors", N_ ("Colors"))
  enum_value (CAPRA_LABEL_RENDERING_NUMBERS, "numbers", N_ ("Numbers"))
  enum_value (CAPRA_LABEL_RENDERING_AUTO, "auto", N_ ("Automatic"))
enum_end (CapraLabelRendering)

property_enum (connectivity, _ ("Connectivity"), CapraLabelConnectivity, capra_label_connectivity,
               CAPRA_LABEL_CONNECTIVITY_8)
  description (_ ("Number of neighbors of a pixel"))

property_int (min_size, _ ("Smallest size"), 0)
  description (_ ("Regions of fewer pixels become background"))
  value_range (0, G_MAXINT) ui_range (0, 1000)

property_int (max_size, _ ("Largest size"), 0)
  description (_ ("Regions of more pixels become background; 0 for no limit"))
  value_range (0, G_MAXINT) ui_range (0, 100000) ui_meta ("unlimited", "0")

property_boolean (exclude_edges, _ ("Exclude edges"), FALSE)
  description (_ ("Regions that touch the image's edge become background"))

property_enum (rendering, _ ("Rendering"), CapraLabelRendering, capra_label_rendering, CAPRA_LABEL_RENDERING_AUTO)
  description (_ ("Distinct colors for viewing, or the exact numbers (Y' u32) for measuring; automatic: numbers if the "
                  "numbers of a file are read unchanged, else colors"))
  ui_meta ("data", "numbers") ui_meta ("labels", "numbers")

/* clang-format on */
#else

#define GEGL_OP_NAME label
#define GEGL_OP_C_FILE "label.c"
#include "plugin/capra-op.h"

#include "algorithms/label/label.h"
#include "plugin/buffers/output-format.h"
#include "plugin/compute/whole-bands.h"

static gboolean
shows_colors (GeglOperation *operation)
{
  return GEGL_PROPERTIES (operation)->rendering != CAPRA_LABEL_RENDERING_NUMBERS;
}

static void
prepare (GeglOperation *operation)
{
  const Babl *source = gegl_operation_get_source_format (operation, "input");
  gboolean numbers = !shows_colors (operation);
  const Babl *input = capra_format_working (source, CAPRA_WORK_LUMINANCE);

  gegl_operation_set_format (operation, "input", input);
  gegl_operation_set_format (operation, "output",
                             babl_format_with_space (numbers ? "Y' u32" : "R'G'B'A u8", babl_format_get_space (input)));
}

/* The format in which the input is read. Gray integers need no conversion: they are above 0 where their luminance is.
 */
static const Babl *
input_format (CapraJob *job)
{
  static const char *const grays[] = { "Y u8", "Y' u8", "Y u16", "Y' u16" };
  const Babl *format = gegl_buffer_get_format (capra_job_get_buffer (job, "input"));

  for (guint i = 0; i < G_N_ELEMENTS (grays); i++)
    if (format == babl_format_with_space (grays[i], babl_format_get_space (format)))
      return format;
  return gegl_operation_get_format (job->operation, "input");
}

/* Whether the result has colors for the eye, and numbers for those who measure. */
static gboolean
needs_both (GeglOperation *operation)
{
  return shows_colors (operation) && capra_output_format_has_label_readers (operation);
}

/* Without a reader of numbers they are not kept, so that they need no memory. */
static guint
get_state (GeglOperation *operation)
{
  return needs_both (operation);
}

/* A CapraWholeRead. */
static gboolean
get_mask (CapraJob *job, const GeglRectangle *rect, CapraPixels *pixels, GError **error)
{
  return capra_job_get_pixels (job, "input", rect, input_format (job), CAPRA_FIT_EXACT, pixels, error);
}

static CapraLabelOptions
get_options (GeglOperation *operation)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);

  return (CapraLabelOptions){ o->connectivity, o->min_size, o->max_size, o->exclude_edges,
                              shows_colors (operation) && !needs_both (operation) };
}

static void
set_count (GeglOperation *operation, guint32 count)
{
  double found = count;

  capra_properties_set_results (operation, &found, 1);
}

/* A CapraBandStoreFunc: @band holds labels, or their colors if nothing reads the labels. */
static gboolean
store_band (CapraArray *band, gsize first, gpointer data, GError **error)
{
  CapraWholeBands *bands = data;
  CapraArray *colors = NULL;

  if (!needs_both (bands->job->operation))
    return capra_whole_bands_store (bands, band, first, error);
  colors = capra_label_colors (band, error);
  if (!colors)
    {
      capra_array_unref (band);
      return FALSE;
    }
  if (!capra_whole_bands_store_labels (bands, band, first, error))
    {
      capra_array_unref (colors);
      return FALSE;
    }
  return capra_whole_bands_store (bands, colors, first, error);
}

static gboolean
compute_in_bands (CapraJob *job, GError **error)
{
  const CapraLabelOptions options = get_options (job->operation);
  g_auto (CapraWholeBands) bands;
  CapraShape shape;
  CapraBandSource source;
  guint32 count = 0;

  capra_whole_bands_init (&bands, job, get_mask);
  if (!capra_format_get_shape (input_format (job), 1, 1, &shape))
    g_return_val_if_reached (FALSE);
  source = capra_whole_bands_get_source (&bands, shape.channels, shape.type);
  if (!capra_label_bands (&source, &options, store_band, &bands, &count, error))
    return FALSE;
  capra_whole_bands_set_labels (&bands);
  set_count (job->operation, count);
  return TRUE;
}

/* Keeps @labels (taken), those of all pixels, with the colors. */
static void
keep_labels (CapraJob *job, CapraArray *labels, const CapraRect *rect)
{
  CapraPixels pixels = { labels, *rect };
  GArray *bands = capra_bands_new ();

  capra_bands_add (bands, &pixels);
  capra_job_set_labels (job, bands);
}

static gboolean
compute (CapraJob *job, GError **error)
{
  const CapraLabelOptions options = get_options (job->operation);
  g_auto (CapraPixels) input = { NULL };
  g_autoptr (CapraArray) result = NULL;
  guint32 count = 0;

  if (job->band_rows > 0)
    return compute_in_bands (job, error);
  if (!get_mask (job, &job->roi, &input, error))
    return FALSE;
  result = capra_label (input.array, &options, &count, error);
  if (!result)
    return FALSE;
  set_count (job->operation, count);
  if (needs_both (job->operation))
    {
      CapraArray *colors = capra_label_colors (result, error);

      if (!colors)
        return FALSE;
      keep_labels (job, g_steal_pointer (&result), &input.rect);
      result = colors;
    }
  capra_job_set_result (job, g_steal_pointer (&result), &input.rect);
  return TRUE;
}

static void
class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);
  CapraOperationClass *capra_class = CAPRA_OPERATION_CLASS (klass);

  operation_class->prepare = prepare;
  capra_class->get_state = get_state;
  capra_class->needs_whole = capra_operation_always;
  capra_class->in_bands = capra_operation_always;
  capra_class->fails_to_zeros = capra_operation_always;
  capra_class->compute = compute;

  gegl_operation_class_set_keys (operation_class, "name", "capra:label", "title", _ ("Label Regions (Capra)"),
                                 "categories", "measure", "description",
                                 _ ("Numbers the connected regions of pixels above 0, on an OpenCL device"),
                                 "gimp:menu-label", _ ("_Label Regions..."), CAPRA_KEY_READS_MASK, "true", NULL);
  capra_properties_install_result (
    operation_class, 0,
    g_param_spec_int ("count", _ ("Count"), _ ("Number of regions found"), 0, G_MAXINT, 0, G_PARAM_STATIC_STRINGS));
}

#endif
