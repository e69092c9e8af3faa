/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host-3: what differs in GIMP 3; its effects are in effects-3.c. */
#include <libgimp/gimp.h>

#include "ui/gimp/host-private.h"

gboolean
capra_host_exists (int drawable)
{
  return gimp_item_id_is_valid (drawable) && gimp_item_id_is_drawable (drawable);
}

CapraHostObject
capra_host_find (int drawable)
{
  return gimp_drawable_get_by_id (drawable);
}

GeglRectangle
capra_host_get_place (CapraHostObject drawable)
{
  GeglRectangle place = { 0, 0, gimp_drawable_get_width (drawable), gimp_drawable_get_height (drawable) };

  gimp_drawable_get_offsets (drawable, &place.x, &place.y);
  return place;
}

char *
capra_host_get_text (const GimpParasite *parasite)
{
  guint32 size = 0;
  const char *data = gimp_parasite_get_data (parasite, &size);

  return g_strndup (data, size);
}

static void
append_palette (GString *text, GimpImage *image)
{
  GimpPalette *palette = gimp_image_get_palette (image);
  gsize size = 0;
  int count = 0;
  g_autofree guint8 *colors = palette ? gimp_palette_get_colormap (palette, babl_format ("R'G'B' u8"), &count, &size)
                                      : NULL;
  g_autofree char *checksum = colors ? g_compute_checksum_for_data (G_CHECKSUM_MD5, colors, size) : NULL;

  g_string_append_printf (text, " %s", checksum ? checksum : "");
}

/* Values of the effects, which can be changed in GIMP at any time. */
static void
append_effect (GString *text, GimpDrawableFilter *filter)
{
  g_autofree char *operation = gimp_drawable_filter_get_operation_name (filter);
  GObject *config = G_OBJECT (gimp_drawable_filter_get_config (filter));
  guint count;
  g_autofree GParamSpec **list = g_object_class_list_properties (G_OBJECT_GET_CLASS (config), &count);

  g_string_append_printf (text, " %d %s %d %g %d", gimp_drawable_filter_get_id (filter), operation,
                          gimp_drawable_filter_get_visible (filter), gimp_drawable_filter_get_opacity (filter),
                          gimp_drawable_filter_get_blend_mode (filter));
  for (guint i = 0; i < count; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;
      g_autofree char *shown = NULL;

      g_object_get_property (config, list[i]->name, &value);
      if (G_VALUE_HOLDS_OBJECT (&value) || G_VALUE_HOLDS_BOXED (&value))
        continue; /* their texts are addresses */
      shown = g_strdup_value_contents (&value);
      g_string_append_printf (text, " %s", shown);
    }
}

void
capra_host_append_state (GString *text, CapraHostObject drawable)
{
  g_autofree GimpDrawableFilter **filters = gimp_drawable_get_filters (drawable);

  if (gimp_drawable_is_indexed (drawable))
    append_palette (text, gimp_item_get_image (drawable));
  for (guint i = 0; filters && filters[i]; i++)
    append_effect (text, filters[i]);
}

const char *
capra_host_get_failure (void)
{
  return gimp_pdb_get_last_error (gimp_get_pdb ());
}

typedef struct {
  CapraHostFunc func;
  gpointer data;
} Worker;

static GimpValueArray *
run_worker (GimpProcedure *procedure, GimpProcedureConfig *config, gpointer data)
{
  const Worker *worker = data;
  GimpValueArray *values = gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
  double fraction = 0.0;
  const char *text = "";
  gboolean more = worker->func (&fraction, &text, worker->data);

  GIMP_VALUES_SET_BOOLEAN (values, 1, more);
  GIMP_VALUES_SET_DOUBLE (values, 2, fraction);
  GIMP_VALUES_SET_STRING (values, 3, text);
  return values;
}

gboolean
capra_host_run (CapraHostFunc func, gpointer data)
{
  Worker worker = { func, data };
  g_autofree char *callback = gimp_pdb_temp_procedure_name (gimp_get_pdb ());
  GimpProcedure *procedure = gimp_procedure_new (gimp_get_plug_in (), callback, GIMP_PDB_PROC_TYPE_TEMPORARY,
                                                 run_worker, &worker, NULL);
  GimpProcedure *display = gimp_pdb_lookup_procedure (gimp_get_pdb (), CAPRA_HOST_PROGRESS);
  gboolean canceled = FALSE;

  gimp_procedure_add_boolean_return_value (procedure, "more", "More", "Whether there is more to do", FALSE,
                                           G_PARAM_READWRITE);
  gimp_procedure_add_double_return_value (procedure, "fraction", "Fraction", "The progress", 0.0, 1.0, 0.0,
                                          G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "text", "Text", "The current activity", "", G_PARAM_READWRITE);
  gimp_procedure_set_documentation (procedure, CAPRA_HOST_PROGRESS_BLURB, CAPRA_HOST_PROGRESS_BLURB, NULL);
  gimp_plug_in_add_temp_procedure (gimp_get_plug_in (), procedure);
  if (display)
    {
      GimpValueArray *values = gimp_procedure_run (display, "callback", callback, NULL);

      canceled = GIMP_VALUES_GET_ENUM (values, 0) == GIMP_PDB_CANCEL;
      gimp_value_array_unref (values);
    }
  gimp_plug_in_remove_temp_procedure (gimp_get_plug_in (), callback);
  g_object_unref (procedure);
  return !canceled;
}

gboolean
capra_host_call_worker (const char *callback, double *fraction, char **text)
{
  GimpProcedure *procedure = gimp_pdb_lookup_procedure (gimp_get_pdb (), callback);
  GimpValueArray *values = procedure ? gimp_procedure_run (procedure, NULL, NULL) : NULL;
  gboolean more = values && GIMP_VALUES_GET_ENUM (values, 0) == GIMP_PDB_SUCCESS && GIMP_VALUES_GET_BOOLEAN (values, 1);

  if (more)
    {
      *fraction = GIMP_VALUES_GET_DOUBLE (values, 2);
      *text = GIMP_VALUES_DUP_STRING (values, 3);
    }
  g_clear_pointer (&values, gimp_value_array_unref);
  return more;
}
