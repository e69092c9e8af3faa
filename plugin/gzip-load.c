/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:gzip-load: GEGL looks at the last ending of a name only, so this operation handles ".gz": it looks into the
 * file, loads it with capra:fits-load if it is a FITS file, and leaves all others to GEGL's loader for unknown formats.
 */
#include "plugin/gzip-load.h"

#include <glib/gi18n-lib.h>

#include "formats/fits/fits.h"

#define FITS_LOADER "capra:fits-load"
#define OTHER_LOADER "gegl:magick-load"

typedef struct {
  GeglOperationMeta parent_instance;
  char *path;
  GeglNode *load;
} CapraGzipLoad;

typedef struct {
  GeglOperationMetaClass parent_class;
} CapraGzipLoadClass;

enum { PROP_PATH = 1 };

GType capra_gzip_load_get_type (void);
G_DEFINE_DYNAMIC_TYPE (CapraGzipLoad, capra_gzip_load, GEGL_TYPE_OPERATION_META)

void
capra_gzip_load_register (GTypeModule *module)
{
  capra_gzip_load_register_type (module);
}

/* GEGL's loader opens its file at once, and so is not used before a path is set. */
static void
choose_loader (CapraGzipLoad *self)
{
  gboolean other = *self->path && !capra_fits_recognize (self->path) && gegl_has_operation (OTHER_LOADER);

  gegl_node_set (self->load, "operation", other ? OTHER_LOADER : FITS_LOADER, NULL);
  gegl_node_set (self->load, "path", self->path, NULL);
}

static void
attach (GeglOperation *operation)
{
  CapraGzipLoad *self = (CapraGzipLoad *) operation;
  GeglNode *output = gegl_node_get_output_proxy (operation->node, "output");

  self->load = gegl_node_new_child (operation->node, "operation", FITS_LOADER, NULL);
  gegl_node_link (self->load, output);
  choose_loader (self);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraGzipLoad *self = (CapraGzipLoad *) object;

  g_free (self->path);
  self->path = g_strdup (g_value_get_string (value) ? g_value_get_string (value) : "");
  if (self->load)
    choose_loader (self);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_string (value, ((CapraGzipLoad *) object)->path);
}

static void
finalize (GObject *object)
{
  g_free (((CapraGzipLoad *) object)->path);
  G_OBJECT_CLASS (capra_gzip_load_parent_class)->finalize (object);
}

static void
capra_gzip_load_init (CapraGzipLoad *self)
{
  self->path = g_strdup ("");
}

static void
capra_gzip_load_class_init (CapraGzipLoadClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;
  operation_class->attach = attach;
  g_object_class_install_property (object_class, PROP_PATH,
                                   gegl_param_spec_file_path ("path", _ ("File"),
                                                              _ ("A file that is compressed with gzip"), TRUE, FALSE,
                                                              "", G_PARAM_READWRITE | G_PARAM_CONSTRUCT));
  gegl_operation_class_set_keys (operation_class, "name", "capra:gzip-load", "title",
                                 _ ("Load Compressed Image (Capra)"), "categories", "hidden:input", "description",
                                 _ ("Loads a FITS file that is compressed with gzip, and other files as GEGL does"),
                                 NULL);
  gegl_operation_handlers_register_loader (".gz", "capra:gzip-load");
}

static void
capra_gzip_load_class_finalize (CapraGzipLoadClass *klass)
{
}
