/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra prepare: runs every operation once on the usual kinds of images, and the quick checks, so that their kernels
 * are built and stored. */
#include <gegl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capra.h"
#include "ui/pipeline/log-catcher.h"
#include "prepare-chains.h"
#include "ui/cli/check/check-jobs.h"
#include "ui/cli/remove-folder.h"
#include "ui/cli/run/gimp-reader.h"
#include "ui/cli/run/run-prepare.h"

/* PoCL specializes kernels for fewer than 65535 work-items, so both kinds of sizes are run, the smaller first. A
 * work-item may compute 16 pixels. */
static const GeglRectangle sizes[] = { { 0, 0, 300, 200 }, { 0, 0, 1600, 1200 } };

static char *device_name;
static gboolean for_all, quiet;

static const GOptionEntry entries[] = {
  { "device", 'd', 0, G_OPTION_ARG_STRING, &device_name, "Prepare this device instead of the default", "NAME" },
  { "system", 's', 0, G_OPTION_ARG_NONE, &for_all, "Store the kernels for all users (as root)", NULL },
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "Print errors only", NULL },
  { NULL },
};

/* The formats of files and of layers in GIMP. */
static const char *const formats[] = {
  "Y' u8",      "Y' u16",     "Y float",     "Y'A u8",        "Y'A u16",    "R'G'B' u8",
  "R'G'B' u16", "R'G'B'A u8", "R'G'B'A u16", "R'G'B'A float", "RGBA float",
};

/* The chains of the table of operations, plugin/operations/operations.ini. */
static const char *const chains[] = { CAPRA_PREPARE_CHAINS };

/* Chains whose values need other kernels. These depend on the number of channels, not on the format. */
static const char *const kernel_chains[] = { CAPRA_KERNEL_CHAINS };
static const char *const kernel_formats[] = { "Y float", "YA float", "RGB float", "RGBA float" };

/* Who reads the result: a program in the format of its image; GIMP 3, which applies effects to "RGBA float"; or GIMP
 * 2.10, which converts each result to the layer's format. */
typedef enum { READER_PROGRAM, READER_GIMP_3, READER_GIMP_2, N_READERS } Reader;

static GeglBuffer *
make_image (const char *format, const GeglRectangle *size)
{
  GeglBuffer *image = gegl_buffer_new (size, babl_format (format));
  g_autofree guint8 *values = g_malloc ((gsize) size->width * (gsize) size->height);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  /* Blocks of noise: more than one region, but not a million. */
  for (int y = 0; y < size->height; y++)
    for (int x = 0; x < size->width; x++)
      values[y * size->width + x] = x % 8 && y % 8 ? (guint8) g_rand_int_range (random, 64, 256) : 0;
  gegl_buffer_set (image, size, 0, babl_format ("Y' u8"), values, GEGL_AUTO_ROWSTRIDE);
  return image;
}

static gboolean
run_chain (const char *chain, GeglBuffer *image, Reader reader, GError **error)
{
  const Babl *format = reader == READER_GIMP_3 ? babl_format ("RGBA float") : gegl_buffer_get_format (image);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) result = gegl_buffer_new (gegl_buffer_get_extent (image), format);
  GeglNode *source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer", image, NULL);
  GeglNode *in = gegl_node_get_input_proxy (graph, "input"), *out = gegl_node_get_output_proxy (graph, "output");
  GError *problem = NULL;

  gegl_create_chain (chain, in, out, 0, gegl_buffer_get_height (image), NULL, &problem);
  if (problem)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  gegl_node_link (source, in);
  if (reader == READER_PROGRAM)
    {
      GeglNode *sink = gegl_node_new_child (graph, "operation", "gegl:write-buffer", "buffer", result, NULL);

      gegl_node_link (out, sink);
      gegl_node_process (sink);
    }
  else
    gimp_reader_render (gimp_reader_append (out, format), result);
  return TRUE;
}

static void
show_progress (CapraDevice *device, double share)
{
  if (!quiet && isatty (STDERR_FILENO))
    fprintf (stderr, "\rPreparing kernels for %s: %.0f %%%s", capra_device_get_info (device)->name, share * 100,
             share >= 1.0 ? "\n" : "");
}

/* All chains, in all formats and sizes, as all programs read them. */
static gboolean
run_all (CapraDevice *device, GError **error)
{
  const guint n_images = G_N_ELEMENTS (formats) * G_N_ELEMENTS (sizes);

  for (guint i = 0; i < n_images; i++)
    {
      g_autoptr (GeglBuffer) image = make_image (formats[i / G_N_ELEMENTS (sizes)], &sizes[i % G_N_ELEMENTS (sizes)]);

      for (guint c = 0; c < G_N_ELEMENTS (chains); c++)
        for (Reader reader = 0; reader < N_READERS; reader++)
          if (!run_chain (chains[c], image, reader, error))
            return FALSE;
      show_progress (device, 0.1 + 0.5 * (i + 1) / n_images);
    }
  return TRUE;
}

static gboolean
run_kernel_chains (CapraDevice *device, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (kernel_formats); i++)
    {
      g_autoptr (GeglBuffer) image = make_image (kernel_formats[i], &sizes[G_N_ELEMENTS (sizes) - 1]);

      for (guint c = 0; c < G_N_ELEMENTS (kernel_chains); c++)
        if (!run_chain (kernel_chains[c], image, READER_PROGRAM, error))
          return FALSE;
      show_progress (device, 0.6 + 0.4 * (i + 1) / G_N_ELEMENTS (kernel_formats));
    }
  return TRUE;
}

static void
ignore_case (const char *name)
{
}

/* The kernels of the quick form of `capra check`, which tells what is wrong. */
static void
run_checks (CapraDevice *device)
{
  g_autoptr (GArray) jobs = check_jobs_list (NULL, FALSE);

  for (guint i = 0; i < jobs->len; i++)
    {
      CheckResult result;

      check_run (device, g_array_index (jobs, CheckJob, i).family, FALSE, NULL, ignore_case, &result);
      g_free (result.message);
      show_progress (device, 0.1 * (i + 1) / jobs->len);
    }
}

static gboolean
prepare (GError **error)
{
  CapraDevice *device = capra_device_select (device_name, error);
  guint count = 0;

  if (!device)
    return FALSE;
  capra_settings_choose ("device", capra_device_get_info (device)->id);
  capra_settings_choose ("kernels", "prepare");
  capra_settings_choose ("check", "off"); /* this is not a use */
  gegl_init (NULL, NULL);
  if (!gegl_has_operation ("capra:gaussian-blur"))
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   "GEGL cannot find Capra's module; install it, or add its folder to GEGL_PATH");
      return FALSE;
    }
  run_checks (device); /* of small images: first */
  if (!run_all (device, error) || !run_kernel_chains (device, error))
    return FALSE;
  /* Once: PoCL returns the binary of the first time again, without the kernels that were launched since. */
  if (!capra_programs_save (device, for_all, &count, error))
    return FALSE;
  if (!quiet)
    printf ("%u programs are built for %s%s\n", count, capra_device_get_info (device)->name,
            for_all ? " for all users" : "");
  return TRUE;
}

int
run_prepare (int argc, char **argv)
{
  g_autoptr (GOptionContext) options = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = NULL;
  int status = 1;

  g_set_prgname ("capra prepare");
  g_option_context_add_main_entries (options, entries, NULL);
  g_option_context_set_summary (options, "Builds and stores the kernels of all operations, so that their first use\n"
                                         "does not wait for that. Run it once, and after updates of drivers.");
  if (!g_option_context_parse (options, &argc, &argv, &error))
    {
      fprintf (stderr, "capra prepare: %s\n", error->message);
      return 2;
    }
  if (for_all)
    umask (022);
  /* A PoCL cache of its own: in the shared one, other processes may be writing files in place. */
  folder = g_dir_make_tmp ("capra-prepare-XXXXXX", &error);
  if (folder && g_setenv ("POCL_CACHE_DIR", folder, TRUE) && prepare (&error))
    status = 0;
  if (folder)
    remove_folder (folder);
  if (status == 0)
    return 0;
  fprintf (stderr, "capra prepare: %s\n", error->message);
  return 1;
}
