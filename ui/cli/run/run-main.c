/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program capra-run: the commands `capra run` and `capra prepare`. */
#include <gegl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "capra.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/write/output-file.h"
#include "ui/batch/name-pattern.h"
#include "ui/cli/run/batch.h"
#include "ui/cli/run/memory-room.h"
#include "ui/cli/run/progress-bar.h"
#include "ui/cli/run/run-figure.h"
#include "ui/cli/run/run-forecast.h"
#include "ui/cli/run/run-header.h"
#include "ui/cli/run/run-journal.h"
#include "ui/cli/run/run-prepare.h"
#include "ui/cli/overwrite-check.h"
#include "ui/cli/standard-output.h"
#include "ui/pipeline/gegl-start.h"

#define AHEAD_SHARE 4 /* of the memory for the images of a batch; data/capra.1 states it */

static char *graph_path, *output, *device, *devices, *timings, *tables, *frames, *dataset, *list;
static int bits, jobs, rank = -1, n_ranks;
static gboolean numbers, overwrite, progress, quiet, version, resume, stop_on_error, forecast;
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
    "Write the result to FILE; for several a folder, or a name that contains {name}, {n}, {frame} or {value}", "FILE" },
  { "graph", 'g', 0, G_OPTION_ARG_FILENAME, &graph_path,
    "Read the graph from FILE: GEGL's XML, or a PNG that the panel saved", "FILE" },
  { "device", 'd', 0, G_OPTION_ARG_STRING, &device, "Run on this device, \"auto\" or \"all\"", "NAME" },
  { "devices", 0, 0, G_OPTION_ARG_STRING, &devices, "Share the images between these devices: \"all\", or NAME,NAME…",
    "LIST" },
  { "frames", 0, 0, G_OPTION_ARG_STRING, &frames,
    "Process the pages of TIFF, frames of HDF5 and planes of FITS files: \"all\", or FIRST-LAST[:STEP] from 0",
    "RANGE" },
  { "dataset", 0, 0, G_OPTION_ARG_STRING, &dataset, "Read this data set of HDF5 files", "NAME" },
  { "for", 0, 0, G_OPTION_ARG_FILENAME, &list,
    "Process each image with each value of a property: the lines of FILE. [STEP.] is the number of the operation",
    "[STEP.]PROPERTY=FILE" },
  { "resume", 0, 0, G_OPTION_ARG_NONE, &resume, "Continue an interrupted batch: finished images are not repeated",
    NULL },
  { "stop-on-error", 0, 0, G_OPTION_ARG_NONE, &stop_on_error, "Begin no further image after one has failed", NULL },
  { "rank", 0, 0, G_OPTION_ARG_INT, &rank,
    "The number of this process, from 0, among --ranks processes that share the images (default: as mpirun, srun or a "
    "Slurm array sets it)",
    "N" },
  { "ranks", 0, 0, G_OPTION_ARG_INT, &n_ranks, "The number of processes that share the images", "COUNT" },
  { "timings", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, (gpointer) on_timings,
    "Print the timings at the end (also -t), or write them to FILE (.json for JSON)", "FILE" },
  { "print-timings", 't', G_OPTION_FLAG_HIDDEN | G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, (gpointer) on_timings,
    NULL, NULL },
  { "tables", 0, 0, G_OPTION_ARG_FILENAME, &tables,
    "Write the tables of measurements to FILE (.csv, .json, .npy, \"-\" for standard output); {name}… as for outputs",
    "FILE" },
  { "bits", 'b', 0, G_OPTION_ARG_INT, &bits,
    "Bits of a PNG, PPM or PGM, 8 or 16 (default: as the input). With --data: round to integers of this size", "BITS" },
  { "jobs", 'j', 0, G_OPTION_ARG_INT, &jobs, "Process at most COUNT images at once (0, the default: one on each core)",
    "COUNT" },
  { "data", 0, 0, G_OPTION_ARG_NONE, &numbers, "Read and write raw values, without color management (.tif, .png, .npy)",
    NULL },
  { "forecast", 0, 0, G_OPTION_ARG_NONE, &forecast,
    "Only print the memory that each image will need on the device, and the largest image that fits", NULL },
  { "overwrite", 0, 0, G_OPTION_ARG_NONE, &overwrite, "Allow outputs to overwrite inputs", NULL },
  { "progress", 'p', 0, G_OPTION_ARG_NONE, &progress, "Report each image, even without a terminal", NULL },
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "Report errors only", NULL },
  { "version", 0, 0, G_OPTION_ARG_NONE, &version, "Print the version", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &inputs, NULL, NULL },
  { NULL },
};

static const char summary[] = "Runs GEGL operations on images: a chain after \"--\", or a graph from a file.\n"
                              "With --figure, draws figures of the results or of the images, also without operations.";
static const char examples[]
  = "Examples:\n"
    "  capra run in.png -o out.png -- capra:gaussian-blur std-dev-x=5 std-dev-y=5\n"
    "  capra run frames/*.tif -o done/ --tables='done/{name}.csv' --graph=graph.xml\n"
    "  capra run other.png -o out.png --graph=saved-by-the-panel.png\n"
    "  capra run sky.fits --figure=sky.png --stretch=log --sources=graph --graph=sources.xml\n\n"
    "Exit status: 0 on success, 1 if an operation or a file failed, 2 for invalid arguments.";

/* Splits the arguments at "--". Returns the chain after it, or NULL without one. */
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

/* GLib takes the argument after an option whose value is optional for its value: an input, which would be replaced by
 * the timings. A value follows "=". */
static void
complete_timings (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "--timings") == 0)
      argv[i] = (char *) "--timings=-";
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

  if (forecast) /* nothing is written */
    g_free (g_steal_pointer (&output)), g_free (g_steal_pointer (&tables));
  if (!run_figure_check_options (count > 1 || frames || list, tables, error))
    return FALSE;
  if (!graph_path == !(chain && chain[0]) && (graph_path || !run_figure_get_path ()))
    return refuse (error, graph_path ? "give either --graph or a chain after \"--\", not both"
                                     : "no operations; give a chain after \"--\", or --graph");
  if (!output && !tables && !run_figure_get_path () && !forecast)
    return refuse (error, "no output; give --output, --tables or --figure");
  if (bits != 0 && bits != 8 && bits != 16)
    return refuse (error, "--bits must be 8 or 16");
  if (jobs < 0 || jobs > RUN_MAX_JOBS)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                   "--jobs=%d is out of range: 1 to %d, or 0 for one on each core", jobs, RUN_MAX_JOBS);
      return FALSE;
    }
  if (device && devices)
    return refuse (error, "give either --device or --devices, not both");
  return !tables || run_items_check_tables (tables, count > 1 || frames || list, error);
}

/* The module reads the environment, too. */
static gboolean
set_environment (GError **error)
{
  if (device)
    g_setenv ("CAPRA_DEVICE", device, TRUE);
  if (tables)
    g_setenv ("CAPRA_TABLES", tables, TRUE);
  return !device || strcmp (device, "auto") == 0 || strcmp (device, "all") == 0 || capra_device_select (device, error);
}

static RunGraph *
read_graph (char **chain, GError **error)
{
  static char *nothing[] = { "gegl:nop", NULL }; /* for figures of images */
  RunGraph *graph = graph_path ? run_graph_new_from_file (graph_path, numbers, error)
                               : run_graph_new_from_words (chain && chain[0] ? chain : nothing, numbers, error);

  if (!graph && !capra_gegl_has_operations ())
    g_prefix_error (error, "GEGL cannot find Capra's module; install it, or add its folder to GEGL_PATH. ");
  return graph;
}

/* All files that will be written; NULL-terminated. */
static GStrv
list_written (const RunBatch *batch)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  guint values = batch->values ? batch->values->count : 0;

  for (guint i = 0; i < batch->items->len; i++)
    {
      const RunItem *item = &g_array_index (batch->items, RunItem, i);

      if (item->output)
        g_ptr_array_add (files, g_strdup (item->output));
      if (run_figure_get_path ())
        g_ptr_array_add (files, run_item_expand (run_figure_get_path (), item, i, batch->items->len, values));
      if (tables && strcmp (tables, "-") != 0)
        g_ptr_array_add (files, run_item_expand (tables, item, i, batch->items->len, values));
    }
  if (batch->stack_path)
    g_ptr_array_add (files, g_strdup (batch->stack_path));
  if (timings && strcmp (timings, "-") != 0)
    g_ptr_array_add (files, g_strdup (timings));
  g_ptr_array_add (files, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&files), FALSE);
}

static gboolean
check_overwriting (const RunBatch *batch, GError **error)
{
  g_autoptr (GPtrArray) read = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) written = list_written (batch);

  for (guint i = 0; inputs && inputs[i]; i++)
    g_ptr_array_add (read, g_strdup (inputs[i]));
  if (graph_path)
    g_ptr_array_add (read, g_strdup (graph_path));
  run_graph_add_files (batch->graph, read);
  return overwrite_check_twice (written,
                                " for results, tables and figures, with {name}, {n}, {frame} or {value} in them", error)
         && (overwrite || overwrite_check (read, written, ", or use --overwrite", error));
}

/* Whether --tables prints the keywords of a FITS file. */
static gboolean
prints_keywords (RunGraph *graph)
{
  g_autofree char *keywords = strcmp (tables, "-") == 0 ? run_header_read (inputs ? inputs[0] : NULL, graph) : NULL;

  return keywords != NULL;
}

static gboolean
check_graph (RunGraph *graph, GError **error)
{
  if (!inputs && !run_graph_has_source (graph))
    return refuse (error, "the graph needs an input image");
  if (inputs && run_graph_has_source (graph))
    return refuse (error, "the graph loads its images itself and takes no input image; to process "
                          "the given files, remove what loads them, such as gegl:load");
  if (run_figure_get_path () && !run_figure_shows_result () && !inputs)
    return refuse (error, "--figure-image=input needs an input image");
  if (run_figure_needs_table () && !run_graph_has_table (graph))
    return refuse (error, "--sources=graph: no operation of the graph writes a table; capra:measure does");
  if (tables && !run_graph_has_table (graph) && !prints_keywords (graph))
    return refuse (error, "--tables: no operation of the graph writes a table; capra:measure and capra:statistics do");
  return TRUE;
}

/* Prints its errors. */
static gboolean
save_timings (void)
{
  g_autoptr (GError) error = NULL;

  if (!timings || capra_timeline_save (timings, &error))
    return TRUE;
  fprintf (stderr, "capra run: cannot write the timings: %s\n", error->message);
  return FALSE;
}

/* (nullable): the devices in the list. */
static GPtrArray *
find_named_devices (GError **error)
{
  g_auto (GStrv) names = g_strsplit (devices, ",", -1);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  for (guint i = 0; names[i]; i++)
    {
      CapraDevice *named = *names[i] ? capra_device_select (names[i], error) : NULL;

      if (*names[i] && !named)
        return NULL;
      if (!named || g_ptr_array_find (found, named, NULL))
        {
          refuse (error, "--devices needs different devices, separated by commas, or \"all\"");
          return NULL;
        }
      g_ptr_array_add (found, named);
    }
  return g_steal_pointer (&found);
}

static int
compare_devices (gconstpointer a, gconstpointer b)
{
  return capra_device_compare (*(CapraDevice *const *) a, *(CapraDevice *const *) b);
}

/* (nullable): the devices that share the items, the fastest first; %NULL without --devices, or with @error set. */
static GPtrArray *
find_devices (GError **error)
{
  const GPtrArray *all = devices ? capra_device_list (error) : NULL;
  GPtrArray *found;

  if (!all)
    return NULL;
  found = strcmp (devices, "all") == 0 ? g_ptr_array_copy ((GPtrArray *) all, NULL, NULL) : find_named_devices (error);
  if (found)
    g_ptr_array_sort (found, compare_devices);
  return found;
}

/* The items, and which of them this process takes. */
static gboolean
prepare_items (RunBatch *batch, const CapraRanks *ranks, GError **error)
{
  static char *none[] = { NULL };
  RunItemsOptions options = { inputs ? inputs : none, frames, dataset, batch->values ? batch->values->count : 0 };
  guint64 first, end;

  batch->items = run_items_new (&options, error);
  if (!batch->items)
    return FALSE;
  if (output && capra_result_stack_is_name (output))
    batch->stack_path = capra_ranks_name_part (ranks, output);
  else if (output
           && !run_items_set_outputs (batch->items, output, options.values,
                                      capra_save_get_suffixes (run_graph_is_data (batch->graph)), error))
    return FALSE;
  capra_ranks_share (ranks, batch->items->len, &first, &end);
  batch->first = (guint) first;
  batch->end = (guint) end;
  if (!check_overwriting (batch, error))
    return FALSE;
  if (batch->stack_path)
    batch->stack = capra_result_stack_new (batch->stack_path, first, end - first, batch->items->len, resume, error);
  return !batch->stack_path || batch->stack;
}

/* Frames that were written before, but are not known to be those of this batch. */
static gboolean
forget_frames (const RunBatch *batch, GError **error)
{
  gboolean any = FALSE;

  for (guint i = batch->first; batch->finished && i < batch->end; i++)
    any |= batch->finished[i];
  if (batch->stack && !any)
    capra_result_stack_restart (batch->stack);
  for (guint i = batch->first; batch->stack && any && i < batch->end; i++)
    if (!batch->finished[i] && !capra_result_stack_forget (batch->stack, i, error))
      return FALSE;
  return TRUE;
}

/* Prints how the batch ended. */
static void
report_result (const RunBatch *batch, const RunResult *result)
{
  guint count = batch->end - batch->first;

  if (count < 2 || (result->failed == 0 && result->left == 0))
    return;
  fprintf (stderr, "capra run: %u of %u images failed", result->failed, count);
  if (result->left > 0)
    fprintf (stderr, ", %u were not processed", result->left);
  fprintf (stderr, "%s\n", batch->journal ? "; --resume processes only those without a result" : "");
}

/* Returns the exit status. */
static int
run_items (RunBatch *batch, RunDecodeAhead *ahead)
{
  g_autoptr (GError) error = NULL;
  guint count = batch->end - batch->first;
  gboolean good;
  RunResult result;

  run_decode_ahead_stop (ahead);
  result = run_batch (batch);
  good = result.failed == 0 && result.left == 0;
  report_result (batch, &result);
  if (batch->stack && result.left == 0 && !capra_result_stack_finish (batch->stack, &error))
    {
      fprintf (stderr, "capra run: %s\n", error->message);
      good = FALSE;
    }
  if (batch->journal)
    /* Other processes of the batch may have failed: then it is resumed. */
    capra_journal_close (batch->journal, good && !resume && count == batch->items->len);
  return !save_timings () || !good || result.journal_failed;
}

/* Needs GEGL to be initialized. Returns the exit status. */
static int
run (char **chain, const CapraRanks *ranks, RunDecodeAhead *ahead, gint64 begin)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RunGraph) graph = read_graph (chain, &error);
  g_autoptr (RunValues) values = graph && list ? run_values_new (list, graph, &error) : NULL;
  g_autoptr (GPtrArray) shared = error ? NULL : find_devices (&error);
  g_autofree gboolean *finished = NULL;
  gboolean terminal = !quiet && run_progress_is_possible ();
  RunJournalOptions options = { output, device, *ranks, resume };
  RunBatch batch = { .graph = graph,
                     .values = values,
                     .dataset = dataset,
                     .tables = tables,
                     .figures = run_figure_get_path (),
                     .bits = bits,
                     .jobs = (guint) jobs,
                     .devices = shared,
                     .ahead = ahead,
                     .begin = begin,
                     .bar = terminal,
                     .stop_on_error = stop_on_error };
  int status = 1;

  if (!error && check_graph (graph, &error) && prepare_items (&batch, ranks, &error))
    {
      batch.progress = !quiet && (progress || (terminal && batch.items->len == 1));
      if (forecast)
        status = !run_forecast_print (&batch);
      else if (run_journal_open (&batch, &options, &finished, &error) && forget_frames (&batch, &error))
        status = run_items (&batch, ahead);
    }
  if (error)
    {
      fprintf (stderr, "capra run: %s\n", error->message);
      status = error->domain == G_OPTION_ERROR ? 2 : 1;
    }
  g_clear_pointer (&batch.items, g_array_unref);
  g_clear_pointer (&batch.stack, capra_result_stack_free);
  g_free (batch.stack_path);
  return status;
}

/* Loads the driver while GEGL starts, if the chain is certain to run on the default device. */
static void
start_device (char **chain)
{
  gboolean needed = FALSE;

  for (guint i = 0; chain && chain[i]; i++)
    {
      if (g_str_has_prefix (chain[i], "device="))
        return;
      needed |= g_str_has_prefix (chain[i], "capra:");
    }
  if (needed && inputs)
    capra_device_start (device);
}

/* GEGL takes some tenths of a second to start, on one core. Nothing is decoded that another process has, or may have,
 * processed. */
static RunDecodeAhead *
start_decoding (const CapraRanks *ranks)
{
  static char *none[] = { NULL };
  gboolean all = inputs && !numbers && !frames && !list && !resume && !forecast && ranks->count == 1;

  return run_decode_ahead_start (all ? inputs : none, run_memory_room_choose_total () / AHEAD_SHARE);
}

int
main (int argc, char **argv)
{
  char **chain = cut_chain (&argc, argv);
  g_autoptr (GOptionContext) options = g_option_context_new ("INPUT… [-- OPERATION [PROPERTY=VALUE…]…]");
  g_autoptr (RunDecodeAhead) ahead = NULL;
  g_autoptr (GError) error = NULL;
  gint64 begin = g_get_real_time ();
  CapraRanks ranks;
  int status = 0;

  standard_output_check_at_exit ("capra run");
  capra_output_file_handle_signals ();
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C"); /* programs read the numbers, too */
  if (strcmp (argv[0], "prepare") == 0)
    return run_prepare (argc, argv);
  g_set_prgname ("capra run");
  complete_timings (argc, argv);
  g_option_context_add_main_entries (options, entries, NULL);
  g_option_context_add_main_entries (options, run_figure_get_entries (), NULL);
  g_option_context_set_summary (options, summary);
  g_option_context_set_description (options, examples);
  if (!g_option_context_parse (options, &argc, &argv, &error)
      || (!version && (!check_options (chain, &error) || !capra_ranks_find (rank, n_ranks, &ranks, &error))))
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
  /* GLib registers it without a lock, and two threads load modules: for GIO and for GEGL. */
  g_type_ensure (G_TYPE_TYPE_MODULE);
  ahead = start_decoding (&ranks);
  start_device (chain);
  capra_gegl_start ();
  capra_log_catcher_install ();
  status = run (chain, &ranks, ahead, begin);
  gegl_exit ();
  return status;
}
