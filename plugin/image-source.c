/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* CapraImageSource: the base class of operations that load an image from a file. */
#include "plugin/image-source.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

#include "plugin/buffers/resident.h"
#include "plugin/compute/dispatch.h"
#include "plugin/compute/forecast.h"
#include "plugin/properties.h"
#include "runtime/device/device-select.h"
#include "runtime/base/error.h"
#include "runtime/memory/array-map.h"

enum {
  PROP_HEADER = 2000, /* a number that capra-op.h does not use */
  PROP_COUNT,
};

/* What identifies the contents of a file. */
typedef struct {
  guint64 device, inode, size;
  gint64 seconds, nanoseconds;
} Identity;

typedef struct {
  GMutex lock; /* guards the rest; held while the file is read, too */
  char *key;   /* NULL before the first file is opened */
  Identity identity;
  CapraSourceInfo info;
  char *message;      /* why the file could not be opened */
  GeglBuffer *buffer; /* the image, once it has been read */
} CapraImageSourcePrivate;

G_DEFINE_DYNAMIC_TYPE_EXTENDED (CapraImageSource, capra_image_source, GEGL_TYPE_OPERATION_SOURCE, G_TYPE_FLAG_ABSTRACT,
                                G_ADD_PRIVATE_DYNAMIC (CapraImageSource))

void
capra_image_source_register (GTypeModule *module)
{
  capra_image_source_register_type (module);
  capra_forecast_install (CAPRA_TYPE_IMAGE_SOURCE, NULL);
}

static CapraImageSourcePrivate *
get_private (GeglOperation *operation)
{
  return capra_image_source_get_instance_private (CAPRA_IMAGE_SOURCE (operation));
}

void
capra_source_info_clear (CapraSourceInfo *info)
{
  g_clear_pointer (&info->header, capra_fits_header_unref);
  g_clear_pointer (&info->coordinates, capra_world_coordinates_unref);
  info->width = info->height = info->count = 0;
}

static void
choice_clear (CapraSourceChoice *choice)
{
  g_free (choice->path);
  g_free (choice->part);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraSourceChoice, choice_clear)

/* As the properties are; a number of -1 is not resolved. */
static void
get_choice (GeglOperation *operation, CapraSourceChoice *choice)
{
  CapraImageSourceClass *klass = CAPRA_IMAGE_SOURCE_GET_CLASS (operation);
  int number = 0;

  g_object_get (operation, "path", &choice->path, klass->part, &choice->part, klass->number, &number, NULL);
  choice->number = number;
}

/* The image to load: the first one without a number. */
static void
resolve_choice (GeglOperation *operation, const CapraSourceInfo *info, CapraSourceChoice *choice)
{
  get_choice (operation, choice);
  if (choice->number < 0 && info->count > 1)
    g_message (_ ("%s has %" PRIu64 " images: the first one is loaded; the property \"%s\" (0 to "
                  "%" PRIu64 ") chooses another one"),
               choice->path, info->count, CAPRA_IMAGE_SOURCE_GET_CLASS (operation)->number, info->count - 1);
  choice->number = MAX (choice->number, 0);
}

/* Zeros if the file does not exist. */
static Identity
identify (const char *path)
{
  GStatBuf found;

  if (g_stat (path, &found) != 0)
    return (Identity){ 0 };
  return (Identity){ (guint64) found.st_dev, (guint64) found.st_ino, (guint64) found.st_size, found.st_mtim.tv_sec,
                     found.st_mtim.tv_nsec };
}

/* Opens the file if that was not done for the present properties and contents. Returns a new copy of the message why it
 * cannot be opened; NULL on success and if no file is chosen. The lock is held. */
static char *
open_file (GeglOperation *operation, CapraImageSourcePrivate *priv)
{
  g_auto (CapraSourceChoice) choice = { NULL };
  g_autofree char *key = NULL;
  g_autoptr (GError) error = NULL;
  Identity identity;

  get_choice (operation, &choice);
  key = g_strdup_printf ("%s\n%s\n%" G_GINT64_FORMAT, choice.path, choice.part, choice.number);
  identity = identify (choice.path);
  if (g_strcmp0 (key, priv->key) == 0 && memcmp (&identity, &priv->identity, sizeof identity) == 0)
    return g_strdup (priv->message);
  g_clear_object (&priv->buffer);
  capra_source_info_clear (&priv->info);
  g_clear_pointer (&priv->message, g_free);
  g_free (priv->key);
  priv->key = g_steal_pointer (&key);
  priv->identity = identity;
  if (*choice.path && !CAPRA_IMAGE_SOURCE_GET_CLASS (operation)->open (operation, &choice, &priv->info, &error))
    {
      capra_source_info_clear (&priv->info);
      priv->message = g_strdup (error->message);
    }
  return g_strdup (priv->message);
}

static void
prepare (GeglOperation *operation)
{
  CapraImageSourcePrivate *priv = get_private (operation);
  CapraErrorReport *report = capra_properties_get (operation)->report;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  gegl_operation_set_format (operation, "output", babl_format ("Y float"));
  g_mutex_lock (&priv->lock);
  message = open_file (operation, priv);
  g_mutex_unlock (&priv->lock);
  if (message)
    error = g_error_new_literal (CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_READ, message);
  if (error)
    capra_error_report_set (report, error, NULL);
}

static GeglRectangle
get_bounding_box (GeglOperation *operation)
{
  CapraImageSourcePrivate *priv = get_private (operation);
  GeglRectangle box;

  g_mutex_lock (&priv->lock);
  box = (GeglRectangle){ 0, 0, (gint) priv->info.width, (gint) priv->info.height };
  g_mutex_unlock (&priv->lock);
  return box;
}

/* Reads the image into the mapped memory of an array. */
static CapraArray *
load_mapped (GeglOperation *operation, const CapraSourceChoice *choice, const CapraSourceInfo *info,
             CapraDevice *device, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (info->width, info->height, CAPRA_F32);
  g_autoptr (CapraArray) array = capra_array_new_for_upload (device, &shape, error);
  float *pixels = array ? capra_array_map_write (array, error) : NULL;
  gboolean read = FALSE;

  if (!pixels)
    return NULL;
  read = CAPRA_IMAGE_SOURCE_GET_CLASS (operation)->read (operation, choice, info, pixels, error);
  if (!capra_array_unmap (array, read ? error : NULL) || !read)
    return NULL;
  return g_steal_pointer (&array);
}

static gboolean
compute (CapraJob *job, GError **error)
{
  CapraImageSourceClass *klass = CAPRA_IMAGE_SOURCE_GET_CLASS (job->operation);
  const CapraSourceInfo *info = &get_private (job->operation)->info;
  CapraRect rect = capra_rect (&job->roi);
  g_auto (CapraSourceChoice) choice = { NULL };
  CapraArray *array = NULL;

  resolve_choice (job->operation, info, &choice);
  array = (klass->load ? klass->load : load_mapped) (job->operation, &choice, info, job->device, error);
  if (array)
    capra_job_set_result (job, array, &rect);
  return array != NULL;
}

/* The image in the memory of the host. */
static GeglBuffer *
read_to_host (GeglOperation *operation, const CapraSourceInfo *info, const GeglRectangle *extent, GError **error)
{
  g_autofree float *pixels = g_try_malloc_n (info->width, info->height * sizeof *pixels);
  g_auto (CapraSourceChoice) choice = { NULL };
  GeglBuffer *buffer = NULL;

  if (!pixels)
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY, _ ("not enough memory for the image"));
      return NULL;
    }
  resolve_choice (operation, info, &choice);
  if (!CAPRA_IMAGE_SOURCE_GET_CLASS (operation)->read (operation, &choice, info, pixels, error))
    return NULL;
  buffer = gegl_buffer_new (extent, babl_format ("Y float"));
  gegl_buffer_set (buffer, extent, 0, babl_format ("Y float"), pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

/* The image on a device, or on the host if no device can be used. NULL with @error set on failure. */
static GeglBuffer *
read_image (CapraJob *job, const CapraSourceInfo *info, GError **error)
{
  g_autoptr (GError) cause = NULL;

  if (capra_dispatch (job, compute, &cause))
    {
      CapraTileMap *map = NULL;

      if (job->output)
        return g_steal_pointer (&job->output);
      map = capra_tile_map_new (capra_device_tiles_get_grid (job->tiles));
      capra_tile_map_add (map, g_steal_pointer (&job->tiles));
      return capra_resident_new_buffer (map);
    }
  if (cause->domain == CAPRA_ERROR && cause->code != CAPRA_ERROR_AMBIGUOUS_DEVICE
      && capra_device_is_default (capra_properties_get (job->operation)->device))
    return read_to_host (job->operation, info, &job->roi, error);
  g_propagate_error (error, g_steal_pointer (&cause));
  return NULL;
}

static gboolean
process (GeglOperation *operation, GeglOperationContext *context, const gchar *output_pad, const GeglRectangle *roi,
         gint level)
{
  CapraImageSourcePrivate *priv = get_private (operation);
  CapraJob job = { .operation = operation, .context = context };
  g_autoptr (GError) error = NULL;
  gboolean report = FALSE;
  GeglBuffer *output = NULL;

  g_mutex_lock (&priv->lock);
  job.roi = (GeglRectangle){ 0, 0, (gint) priv->info.width, (gint) priv->info.height };
  if (!priv->buffer && !gegl_rectangle_is_empty (&job.roi))
    {
      report = TRUE;
      priv->buffer = read_image (&job, &priv->info, &error);
    }
  output = priv->buffer ? g_object_ref (priv->buffer) : gegl_buffer_new (&job.roi, babl_format ("Y float"));
  g_mutex_unlock (&priv->lock);
  gegl_object_set_has_forked (G_OBJECT (output));
  gegl_operation_context_take_object (context, output_pad, G_OBJECT (output));
  if (report)
    capra_error_report_set (capra_properties_get (operation)->report, error, job.device);
  return TRUE;
}

void
capra_image_source_get_info (GeglOperation *operation, CapraSourceInfo *info)
{
  CapraImageSourcePrivate *priv = get_private (operation);

  g_mutex_lock (&priv->lock);
  g_free (open_file (operation, priv));
  *info = priv->info;
  if (info->header)
    capra_fits_header_ref (info->header);
  if (info->coordinates)
    capra_world_coordinates_ref (info->coordinates);
  g_mutex_unlock (&priv->lock);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_auto (CapraSourceInfo) info = { 0 };

  capra_image_source_get_info (GEGL_OPERATION (object), &info);
  if (id == PROP_COUNT)
    g_value_set_int (value, (int) MIN (info.count, G_MAXINT));
  else
    g_value_take_string (value, info.header ? capra_fits_header_to_string (info.header) : g_strdup (""));
}

/* GIMP and readers of GEGL's XML set every property, and warn of a read-only one. */
static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
}

static void
finalize (GObject *object)
{
  CapraImageSourcePrivate *priv = get_private (GEGL_OPERATION (object));

  g_clear_object (&priv->buffer);
  capra_source_info_clear (&priv->info);
  g_free (priv->message);
  g_free (priv->key);
  g_mutex_clear (&priv->lock);
  G_OBJECT_CLASS (capra_image_source_parent_class)->finalize (object);
}

static void
capra_image_source_init (CapraImageSource *self)
{
  g_mutex_init (&get_private (GEGL_OPERATION (self))->lock);
}

static void
capra_image_source_class_init (CapraImageSourceClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  GParamSpec *header = g_param_spec_string ("header", _ ("Header"), _ ("The keywords of the image, a line each"), "",
                                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  GParamSpec *count = g_param_spec_int ("count", _ ("Images"), _ ("How many images the file has to choose from"), 0,
                                        G_MAXINT, 0,
                                        G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  G_OBJECT_CLASS (klass)->set_property = set_property;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  gegl_param_spec_set_property_key (header, "visible", "0");
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_HEADER, header);
  gegl_param_spec_set_property_key (count, "visible", "0");
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_COUNT, count);
  operation_class->prepare = prepare;
  operation_class->get_bounding_box = get_bounding_box;
  operation_class->process = process;
  operation_class->threaded = FALSE;
  operation_class->cache_policy = GEGL_CACHE_POLICY_NEVER;
}

void
capra_image_source_class_handle (CapraImageSourceClass *klass, const char *type, const char *const *endings)
{
  const char *name = gegl_operation_class_get_key (GEGL_OPERATION_CLASS (klass), "name");

  gegl_operation_handlers_register_loader (type, name);
  for (guint i = 0; endings[i]; i++)
    gegl_operation_handlers_register_loader (endings[i], name);
}

static void
capra_image_source_class_finalize (CapraImageSourceClass *klass)
{
}
