/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra-run: `capra run`: a graph or a chain of operations on images, for scripts. */
#include <gegl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capra.h"
#include "log-catcher.h"
#include "run-frames.h"
#include "run-names.h"

static char *graph_path, *output, *device, *timings, *tables;
static int bits;
static gboolean progress, quiet, version;
static char **inputs;

static gboolean
on_timings (const char *name, const char *value, gpointer data, GError **error)
{
  g_free (timings);
  timings = g_strdup (value ? value : "-");
  return TRUE;
}

static const GOptionEntry entries[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
    "Write the result to FILE; for several inputs a folder, or a name with {name} or {n} in it", "FILE" },
  { "graph", 'g', 0, G_OPTION_ARG_FILENAME, &graph_path,
    "Take the graph from FILE: GEGL's XML, or a PNG that the panel saved", "FILE" },
  { "device", 'd', 0, G_OPTION_ARG_STRING, &device, "Run on this device, “auto” or “all”", "NAME" },
  { "timings", 't', G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, (gpointer) on_timings,
    "Print the timings at the end, or write them to FILE (.json for JSON)", "FILE" },
  { "tables", 0, 0, G_OPTION_ARG_FILENAME, &tables,
    "Write the tables of measurements to FILE (.csv, .json, “-” for standard output), named as outputs are",
    "FILE" },
  { "bits", 'b', 0, G_OPTION_ARG_INT, &bits, "Bits of a PNG, 8 or 16; as the input's unless given", "BITS" },
  { "progress", 'p', 0, G_OPTION_ARG_NONE, &progress, "Tell of each image, also where no person looks on", NULL },
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "Tell of errors only", NULL },
  { "version", 0, 0, G_OPTION_ARG_NONE, &version, "Print the version", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &inputs, NULL, NULL },
  { NULL },
};

static const char summary[] = "Runs GEGL operations on images: a chain after “--”, or a graph from a file.";
static const char examples[] =
  "Examples:\n"
  "  capra run in.png -o out.png -- capra:gaussian-blur std-dev-x=5 std-dev-y=5\n"
  "  capra run frames/*.tif -o done/ --tables='done/{name}.csv' --graph=graph.xml\n"
  "  capra run other.png -o out.png --graph=saved-by-the-panel.png\n\n"
  "The status is 0 if all went well, 1 if an operation or a file failed, 2 if the arguments make no sense.";

/* Divides the arguments at "--"; what follows is the chain (NULL without one). */
static char **
cut_chain (int *argc, char **argv)
{
  for (int i = 1; i < *argc; i++)
    if (strcmp (argv[i], "--") == 0)
      {
        *argc = i;
        argv[i] = NULL;
        return argv + i + 1;
      }
  return NULL;
}

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, message);
  return FALSE;
}

static gboolean
check_options (char **chain, GError **error)
{
  guint count = inputs ? g_strv_length (inputs) : 0;

  if (!graph_path == !(chain && chain[0]))
    return refuse (error, graph_path ? "either a graph or a chain after “--”, not both"
                                     : "no operations: give a chain after “--”, or --graph");
  if (!output && !tables)
    return refuse (error, "no --output");
  if (bits != 0 && bits != 8 && bits != 16)
    return refuse (error, "--bits is 8 or 16");
  if (tables && count > 1 && strcmp (tables, "-") != 0 && !run_name_varies (tables))
    return refuse (error, "the tables of several images need {name} or {n} in the name of --tables");
  return TRUE;
}

/* For all that follows in this process, the module included. */
static gboolean
set_environment (GError **error)
{
  if (device)
    g_setenv ("CAPRA_DEVICE", device, TRUE);
  if (timings)
    g_setenv ("CAPRA_TIMINGS", timings, TRUE);
  if (tables)
    g_setenv ("CAPRA_TABLES", tables, TRUE);
  return !device || strcmp (device, "auto") == 0 || strcmp (device, "all") == 0
         || capra_device_select (device, error);
}

static RunGraph *
read_graph (char **chain, GError **error)
{
  RunGraph *graph = graph_path ? run_graph_new_from_file (graph_path, error)
                               : run_graph_new_from_words (chain, error);

  if (!graph && !gegl_has_operation ("capra:gaussian-blur"))
    g_prefix_error (error, "GEGL does not find Capra's module: install it, or name its folder in GEGL_PATH. ");
  return graph;
}

/* With GEGL at hand; the exit status. */
static int
run (char **chain)
{
  static char *none[] = { NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(RunGraph) graph = read_graph (chain, &error);
  g_auto(GStrv) outputs = NULL;
  RunFrames frames = { .graph = graph, .inputs = inputs ? inputs : none, .tables = tables, .bits = bits,
                       .progress = !quiet && (progress || isatty (STDERR_FILENO)) };

  if (graph && !frames.inputs[0] && !run_graph_has_source (graph))
    refuse (&error, "the graph needs an image: name one");
  else if (graph && frames.inputs[0] && run_graph_has_source (graph))
    refuse (&error, "the graph loads its images itself: name none");
  else if (graph && output)
    outputs = frames.outputs = run_names_outputs (output, frames.inputs, capra_save_get_suffixes (), &error);
  if (!error)
    return run_frames (&frames) > 0;
  fprintf (stderr, "capra run: %s\n", error->message);
  return error->domain == G_OPTION_ERROR ? 2 : 1;
}

int
main (int argc, char **argv)
{
  char **chain = cut_chain (&argc, argv);
  g_autoptr(GOptionContext) options = g_option_context_new ("INPUT… [-- OPERATION [PROPERTY=VALUE…]…]");
  g_autoptr(GError) error = NULL;
  int status = 0;

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C"); /* numbers are for programs, too */
  g_set_prgname ("capra run");
  g_option_context_add_main_entries (options, entries, NULL);
  g_option_context_set_summary (options, summary);
  g_option_context_set_description (options, examples);
  if (!g_option_context_parse (options, &argc, &argv, &error) || (!version && !check_options (chain, &error)))
    {
      fprintf (stderr, "capra run: %s\n", error->message);
      return 2;
    }
  if (version)
    {
      printf ("capra %s\n", CAPRA_VERSION);
      return 0;
    }
  if (!set_environment (&error))
    {
      fprintf (stderr, "capra run: %s\n", error->message);
      return 1;
    }
  gegl_init (NULL, NULL);
  capra_log_catcher_install ();
  status = run (chain);
  gegl_exit ();
  return status;
}
