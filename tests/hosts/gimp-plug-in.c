/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in for GIMP 2.10 that runs a chain of GEGL operations in its own process, as plug-ins of other
 * people may do with ours: from the drawable's buffer into its shadow, which GIMP then merges. */
#include <gegl.h>
#include <libgimp/gimp.h>

#define PROCEDURE "capra-test-apply"

static void
query (void)
{
  static const GimpParamDef arguments[] = {
    { GIMP_PDB_INT32, "run-mode", "Run mode" },
    { GIMP_PDB_IMAGE, "image", "Image" },
    { GIMP_PDB_DRAWABLE, "drawable", "Drawable" },
    { GIMP_PDB_STRING, "chain", "Operations as on gegl's command line" },
  };

  gimp_install_procedure (PROCEDURE, "Applies GEGL operations", "For tests", "Capra", "Capra", "2026",
                          NULL, "*", GIMP_PLUGIN, G_N_ELEMENTS (arguments), 0, arguments, NULL);
}

static gboolean
apply (gint32 drawable, const char *chain)
{
  g_autoptr(GeglBuffer) input = NULL, shadow = NULL;
  g_autoptr(GeglNode) graph = NULL;
  g_autoptr(GError) error = NULL;
  GeglNode *source = NULL, *end = NULL, *sink = NULL;
  GeglRectangle rect;

  if (!gimp_drawable_mask_intersect (drawable, &rect.x, &rect.y, &rect.width, &rect.height))
    return FALSE;

  input = gimp_drawable_get_buffer (drawable);
  shadow = gimp_drawable_get_shadow_buffer (drawable);
  graph = gegl_node_new ();
  source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer", input, NULL);
  end = gegl_node_new_child (graph, "operation", "gegl:nop", NULL);
  sink = gegl_node_new_child (graph, "operation", "gegl:write-buffer", "buffer", shadow, NULL);
  gegl_node_link_many (source, end, sink, NULL);
  gegl_create_chain (chain, source, end, 0.0, rect.height, NULL, &error);
  if (error)
    {
      g_printerr ("%s: %s\n", PROCEDURE, error->message);
      return FALSE;
    }
  gegl_node_blit (sink, 1.0, &rect, NULL, NULL, 0, GEGL_BLIT_DEFAULT);
  gegl_buffer_flush (shadow);
  g_clear_object (&shadow);

  gimp_drawable_merge_shadow (drawable, TRUE);
  gimp_drawable_update (drawable, rect.x, rect.y, rect.width, rect.height);
  return TRUE;
}

static void
run (const gchar *name, gint n_params, const GimpParam *params, gint *n_results, GimpParam **results)
{
  static GimpParam status;

  gegl_init (NULL, NULL);
  status.type = GIMP_PDB_STATUS;
  status.data.d_status = apply (params[2].data.d_drawable, params[3].data.d_string)
                           ? GIMP_PDB_SUCCESS
                           : GIMP_PDB_EXECUTION_ERROR;
  *n_results = 1;
  *results = &status;
  gegl_exit ();
}

const GimpPlugInInfo PLUG_IN_INFO = { NULL, NULL, query, run };

MAIN ()
