/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No failure of OpenCL in an operation leaks a GeglBuffer. This program defines OpenCL functions that replace the
 * loader's and fail from a chosen call on; every call is tried. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "tests/support/graph.h"
#include "tests/support/operations.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>

#define SIDE 300

/* The number of existing buffers; the library exports this function but declares it in no header. */
gint gegl_buffer_leaks (void);

static const GeglRectangle rect = { -13, 27, SIDE, SIDE };

/* The call that fails. */
typedef enum {
  FAULT_BUFFER,   /* allocating memory */
  FAULT_KERNEL,   /* running a kernel */
  FAULT_TRANSFER, /* an upload or a download */
  FAULT_BUDGET,   /* none: the memory budget is a fraction of the image's size */
  N_FAULTS,
} Fault;

static struct {
  gint kind;  /* atomic, like the other members */
  gint calls; /* number of calls of that kind */
  gint first; /* the first that fails; how many fail: */
  gint most;
} fault;

static gboolean
fails (Fault kind)
{
  gint number = 0;

  if (g_atomic_int_get (&fault.kind) != (gint) kind)
    return FALSE;
  number = g_atomic_int_add (&fault.calls, 1) - g_atomic_int_get (&fault.first);
  return number >= 0 && number < g_atomic_int_get (&fault.most);
}

cl_mem
clCreateBuffer (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *status)
{
  cl_mem (*next) (cl_context, cl_mem_flags, size_t, void *, cl_int *) = dlsym (RTLD_NEXT, "clCreateBuffer");

  if (!fails (FAULT_BUFFER))
    return next (context, flags, size, host, status);
  *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return NULL;
}

cl_int
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                        const size_t *global, const size_t *local, cl_uint n_waits, const cl_event *waits,
                        cl_event *event)
{
  cl_int (*next) (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,
                  const cl_event *, cl_event *)
    = dlsym (RTLD_NEXT, "clEnqueueNDRangeKernel");

  return fails (FAULT_KERNEL) ? CL_OUT_OF_RESOURCES
                              : next (queue, kernel, dimensions, offset, global, local, n_waits, waits, event);
}

void *
clEnqueueMapBuffer (cl_command_queue queue, cl_mem mem, cl_bool blocking, cl_map_flags flags, size_t offset,
                    size_t size, cl_uint n_waits, const cl_event *waits, cl_event *event, cl_int *status)
{
  void *(*next) (cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, cl_uint, const cl_event *, cl_event *,
                 cl_int *)
    = dlsym (RTLD_NEXT, "clEnqueueMapBuffer");

  if (!fails (FAULT_TRANSFER))
    return next (queue, mem, blocking, flags, offset, size, n_waits, waits, event, status);
  *status = CL_OUT_OF_RESOURCES;
  return NULL;
}

cl_int
clEnqueueReadBuffer (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t size, void *host,
                     cl_uint n_waits, const cl_event *waits, cl_event *event)
{
  cl_int (*next) (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *)
    = dlsym (RTLD_NEXT, "clEnqueueReadBuffer");

  return fails (FAULT_TRANSFER) ? CL_OUT_OF_RESOURCES
                                : next (queue, mem, blocking, offset, size, host, n_waits, waits, event);
}

cl_int
clEnqueueWriteBuffer (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t size,
                      const void *host, cl_uint n_waits, const cl_event *waits, cl_event *event)
{
  cl_int (*next) (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *,
                  cl_event *)
    = dlsym (RTLD_NEXT, "clEnqueueWriteBuffer");

  return fails (FAULT_TRANSFER) ? CL_OUT_OF_RESOURCES
                                : next (queue, mem, blocking, offset, size, host, n_waits, waits, event);
}

static GLogWriterOutput
ignore (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer data)
{
  return level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL) ? g_log_writer_default (level, fields, n, data)
                                                            : G_LOG_WRITER_HANDLED;
}

typedef struct {
  const char *chain, *format, *device;
  gboolean aux; /* the source, blurred, is connected to the aux pad of the last operation */
} Case;

/* Run in addition to the first chain of every operation of the table. */
static const Case more_cases[] = {
  { "capra:gaussian-blur std-dev-x=3", "RGBA float", "all", FALSE },
  { "capra:threshold method=otsu", "RGB float", "0", FALSE },
  { "capra:box-blur radius=3 capra:threshold method=otsu capra:gaussian-blur std-dev-y=2 capra:statistics",
    "RGBA float", "0", FALSE },
  { "capra:threshold", "RGBA float", "0", TRUE },
  { "capra:box-blur radius=3 capra:convolve", "RGBA float", "all", TRUE },
  { "capra:label rendering=numbers capra:measure", "Y float", "", TRUE },
  { "capra:label rendering=numbers capra:measure-save path=/dev/null", "Y float", "", TRUE },
};

/* Formats and devices for the operations of the table, used in turn. */
static const struct {
  const char *format, *device;
} variations[] = {
  { "Y float", "0" }, { "R'G'B'A u8", "auto" }, { "Y' u16", "0" }, { "YA float", "" }, { "RGBA half", "auto" },
};

/* How the result is rendered. */
typedef enum { RENDER_WHOLE, RENDER_PARTS, RENDER_BUFFER, N_RENDERS } Render;

/* Runs the chain and frees the graph and all buffers. */
static void
run_chain (const Case *c, Render how)
{
  g_autofree float *noise = support_noise (4 * SIDE * SIDE, 0.1, 1.0, 31), *pixels = NULL;
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&rect, babl_format (c->format));
  g_autoptr (GeglBuffer) target = gegl_buffer_new (&rect, babl_format ("RGBA float"));
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = graph_source (graph, buffer), *last = NULL;

  gegl_buffer_set (buffer, NULL, 0, babl_format ("RGBA float"), noise, GEGL_AUTO_ROWSTRIDE);
  last = graph_chain (source, c->chain, c->device);
  if (c->aux)
    gegl_node_connect (graph_chain (source, "capra:gaussian-blur std-dev-x=2", c->device), "output", last, "aux");
  if (!gegl_node_has_pad (last, "output"))
    gegl_node_process (last);
  else if (how == RENDER_WHOLE)
    pixels = graph_render (last, NULL, "Y float");
  else if (how == RENDER_PARTS)
    pixels = graph_render_parts (last, "Y float", 1, 120);
  else
    gegl_node_process (graph_node (graph, last, "gegl:write-buffer", "buffer", target, NULL));
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* Runs the chain while @most calls of @kind fail, from call number @first on. Returns FALSE if there were fewer
 * calls. */
static gboolean
run_with (const Case *c, Fault kind, gint first, Render how, gint most)
{
  gsize bytes = kind == FAULT_BUDGET ? (gsize) (first + 1) * SIDE * SIDE : 0;

  for (guint i = 0; i < support_devices ()->len; i++)
    {
      capra_memory_free_unused (support_device (i));
      capra_memory_set_budget (support_device (i), bytes);
    }
  fault.calls = 0;
  fault.first = first;
  fault.most = most;
  g_atomic_int_set (&fault.kind, (gint) kind);
  run_chain (c, how);
  g_atomic_int_set (&fault.kind, N_FAULTS);
  return fault.calls > first || (kind == FAULT_BUDGET && first < 40);
}

/* Each kind of failure with one way to render, which changes from test to test, or with all of them. */
static void
test_faults (gconstpointer data)
{
  static guint turn;
  const Case *c = data;
  gint before = 0;

  for (guint how = 0; how < N_RENDERS; how++)
    run_chain (c, (Render) how); /* builds kernels and fills GEGL's caches */
  before = gegl_buffer_leaks ();
  for (guint variant = 0; variant < 6 * N_FAULTS; variant++)
    {
      gint first = 0, most = variant % 2 ? 1 : G_MAXINT;

      if (!g_test_slow () && variant / 2 % N_RENDERS != (variant / 6 + turn) % N_RENDERS)
        continue;
      while (run_with (c, (Fault) (variant / 6), first, (Render) (variant / 2 % N_RENDERS), most) && first < 60)
        first += first < 10 ? 1 : 7;
      if (gegl_buffer_leaks () != before)
        g_error ("%d buffers are left: fault %u, variant %u", gegl_buffer_leaks () - before, variant / 6, variant % 6);
    }
  turn++;
}

static void
add_case (const Case *c)
{
  g_autofree char *path = g_strdup_printf ("/operations-leaks/%s %s %s%s", c->format, c->device, c->chain,
                                           c->aux ? " aux" : "");

  g_test_add_data_func_full (path, g_memdup2 (c, sizeof *c), test_faults, g_free);
}

/* Operations without a chain cannot run without a file. */
static void
add_operations (void)
{
  g_autoptr (GPtrArray) names = operations_list ();

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i] + strlen ("capra:"), *chain = operations_get_value (name, "prepare");

      if (!chain)
        chain = operations_get_value (name, "chain");
      if (chain)
        add_case (&(Case){ chain, variations[i % G_N_ELEMENTS (variations)].format,
                           variations[i % G_N_ELEMENTS (variations)].device, FALSE });
    }
}

int
main (int argc, char *argv[])
{
  int status = 0;

  fault.kind = N_FAULTS;
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_log_set_writer_func (ignore, NULL, NULL);
  graph_init (&argc, &argv);
  add_operations ();
  for (guint i = 0; i < G_N_ELEMENTS (more_cases); i++)
    add_case (&more_cases[i]);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
