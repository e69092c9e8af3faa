/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: built once per source, options, device and driver, then loaded from memory or disk. */
#include <glib/gi18n-lib.h>

#include "runtime/base/fault-check.h"
#include "runtime/device/quarantine-use.h"
#include "runtime/launch/preparation-private.h"
#include "runtime/launch/program.h"
#include "runtime/launch/program-build.h"

/* Launches over more bytes build the optimized program at once: a slow kernel would take longer than the optimizer. */
#define QUICK_BYTES ((guint64) 48 << 20)

/* Programs of one short pass over the pixels: optimizing them takes less time than launching them unoptimized loses. */
static const char *const short_programs[] = { "arithmetic", "convert", "fill", "threshold", "threshold-colors", NULL };

/* A built program. */
typedef struct _CapraBuild {
  cl_program program;
  GHashTable *kernels; /* name -> Kernels */
} CapraBuild;

/* The kernels of one name in a build. */
typedef struct {
  GPtrArray *idle; /* of cl_kernel: the objects that are not in use */
  GArray *sizes;   /* of guint64: the sizes of their launches */
} Kernels;

/* Where a build comes from: the disk cache only, the compiler without optimizer, or the cache and else the compiler. */
typedef enum { LOADED, QUICK, OPTIMIZED } Origin;

struct _CapraProgram {
  CapraContext *context;
  char *name, *options;
  GMutex lock;
  GCond built;
  gboolean building; /* a thread builds it, without holding the lock */
  gboolean searched; /* the disk caches were searched */
  GHashTable *uses;  /* interned name of a kernel -> CapraUse of this process, or USED_QUICKLY */
  CapraBuild *optimized, *quick;
  GHashTable *prepared; /* a set of the work-group sizes that @optimized is used for where there is @quick */
};

/* Used for the first time in a build without optimizer: its first use in an optimized one is still to come. */
#define USED_QUICKLY (CAPRA_USE_REFUSED + 1)

/* The lock is not held while a program is built, so that other threads can get and build other programs. */
struct _CapraPrograms {
  GMutex lock;
  GHashTable *programs; /* "name options" -> CapraProgram */
};

static CapraPrograms *
programs_get (CapraContext *context)
{
  if (g_once_init_enter (&context->programs))
    {
      CapraPrograms *programs = g_new0 (CapraPrograms, 1);

      g_mutex_init (&programs->lock);
      programs->programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_once_init_leave (&context->programs, programs);
    }
  return context->programs;
}

static CapraBuild *
build_new (cl_program program)
{
  CapraBuild *build = program ? g_new0 (CapraBuild, 1) : NULL;

  if (build)
    {
      build->program = program;
      build->kernels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    }
  return build;
}

static cl_program
make (CapraProgram *program, Origin origin, GError **error)
{
  cl_program built = NULL;

  if (origin != QUICK)
    built = capra_program_load (program->context, program->name, program->options);
  if (!built && origin != LOADED)
    built = capra_program_build (program->context, program->name, program->options, origin == QUICK, error);
  return built;
}

/* Returns a build of @program, built now if necessary. The program's lock is held, and released while it is built. NULL
 * with @error set, or if it was not found in the caches. */
static CapraBuild *
get_build (CapraProgram *program, Origin origin, GError **error)
{
  CapraBuild **slot = origin == QUICK ? &program->quick : &program->optimized, *build = NULL;
  gint64 start = g_get_monotonic_time ();
  gboolean waited = program->building;

  while (program->building)
    g_cond_wait (&program->built, &program->lock);
  if (waited)
    capra_context_record_build (start);
  if (*slot || (origin == LOADED && program->searched))
    return *slot;
  program->building = TRUE;
  g_mutex_unlock (&program->lock);
  start = g_get_monotonic_time ();
  build = build_new (make (program, origin, error));
  capra_context_record_build (start);
  g_mutex_lock (&program->lock);
  *slot = build;
  program->building = FALSE;
  program->searched = TRUE;
  g_cond_broadcast (&program->built);
  return build;
}

static Kernels *
get_kernels (CapraBuild *build, const char *name)
{
  Kernels *kernels = g_hash_table_lookup (build->kernels, name);

  if (!kernels)
    {
      kernels = g_new (Kernels, 1);
      *kernels = (Kernels){ g_ptr_array_new (), g_array_new (FALSE, FALSE, sizeof (guint64)) };
      g_hash_table_insert (build->kernels, g_strdup (name), kernels);
    }
  return kernels;
}

static CapraProgram *
program_new (CapraContext *context, const char *name, const char *options)
{
  CapraProgram *program = g_new0 (CapraProgram, 1);

  program->context = context;
  program->name = g_strdup (name);
  program->options = g_strdup (options);
  g_mutex_init (&program->lock);
  g_cond_init (&program->built);
  program->uses = g_hash_table_new (NULL, NULL);
  program->prepared = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return program;
}

CapraProgram *
capra_program_get (CapraContext *context, const char *name, const char *options)
{
  CapraPrograms *programs = programs_get (context);
  g_autofree char *key = g_strjoin (" ", name, options ? options : "", NULL);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&programs->lock);
  CapraProgram *program = g_hash_table_lookup (programs->programs, key);

  if (!program)
    {
      program = program_new (context, name, options ? options : "");
      g_hash_table_insert (programs->programs, g_steal_pointer (&key), program);
    }
  return program;
}

/* PoCL's name of the kernel that it specializes for a launch: the size of the work-group, no offset, and whether
 * indices of work-items fit into 16 bits. */
static char *
specialization_of (const CapraProgramUse *use)
{
  return g_strdup_printf ("%" G_GSIZE_FORMAT "-%" G_GSIZE_FORMAT "-%" G_GSIZE_FORMAT "-goffs0%s", use->local[0],
                          use->local[1], use->local[2], use->widest < G_MAXUINT16 ? "-smallgrid" : "");
}

/* Whether the launch uses the program without the driver's optimizer. Also asks the background process for the
 * optimized one, which saves it for the next process. */
static gboolean
is_quick (CapraProgram *program, const CapraProgramUse *use, const char *size)
{
  CapraKernelsMode mode = capra_program_get_mode ();
  CapraPreparationState state = CAPRA_PREPARATION_FAILED;

  if (mode != CAPRA_KERNELS_BACKGROUND || !capra_context_compiles_slowly (program->context))
    return mode == CAPRA_KERNELS_QUICK;
  state = capra_preparation_request (program->context, program->name, program->options, size);
  return state == CAPRA_PREPARATION_WAITING && use->bytes <= QUICK_BYTES
         && !g_strv_contains (short_programs, program->name);
}

/* The build that a launch uses; NULL with @error set. The lock is held. */
static CapraBuild *
choose (CapraProgram *program, const CapraProgramUse *use, GError **error)
{
  g_autofree char *size = NULL;

  if (!program->searched && capra_program_get_mode () != CAPRA_KERNELS_QUICK)
    get_build (program, LOADED, NULL);
  /* Programs in a cache were used before, or prepared. */
  if (program->optimized && !program->quick)
    return program->optimized;
  size = specialization_of (use);
  if (program->optimized && g_hash_table_contains (program->prepared, size))
    return program->optimized;
  if (is_quick (program, use, size))
    return get_build (program, QUICK, error);
  g_hash_table_add (program->prepared, g_steal_pointer (&size));
  return get_build (program, OPTIMIZED, error);
}

/* FALSE with @error set if the kernel is in quarantine. Sets @first if this is its first use on the driver. The lock is
 * held. */
static gboolean
begin_use (CapraProgram *program, const char *name, gboolean *first, GError **error)
{
  const CapraQuarantineKernel kernel = { program->name, name, program->options };
  gpointer known = NULL;
  CapraUse use = CAPRA_USE_KNOWN;

  if (g_hash_table_lookup_extended (program->uses, name, NULL, &known))
    use = (CapraUse) GPOINTER_TO_INT (known);
  else
    {
      use = capra_quarantine_begin (program->context->device, &kernel);
      *first = use == CAPRA_USE_FIRST;
      g_hash_table_insert (program->uses, (gpointer) name, GINT_TO_POINTER (use));
    }
  if (use == CAPRA_USE_REFUSED)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_DEVICE,
                 _ ("device %s: the kernel %s is not used, because two programs ended when they used it for the first "
                    "time; update the driver, or allow the kernel again with \"capra devices --lift\""),
                 program->context->info->name, name);
  return use != CAPRA_USE_REFUSED;
}

/* As choose(), with a mark on the first use of the kernel. The lock is held. */
static CapraBuild *
choose_marked (CapraProgram *program, const CapraProgramUse *use, gboolean *first, GError **error)
{
  CapraBuild *build = begin_use (program, use->kernel, first, error) ? choose (program, use, error) : NULL;
  gboolean was_quick = GPOINTER_TO_INT (g_hash_table_lookup (program->uses, use->kernel)) == USED_QUICKLY;

  if (!build)
    return NULL;
  if (build == program->quick && *first)
    g_hash_table_insert (program->uses, (gpointer) use->kernel, GINT_TO_POINTER (USED_QUICKLY));
  else if (build != program->quick && was_quick)
    {
      g_hash_table_remove (program->uses, use->kernel);
      if (!begin_use (program, use->kernel, first, error))
        return NULL;
    }
  return build;
}

/* Sets @first if no launch before this one had a work-group of its size: PoCL compiles the kernel for it then. */
static gboolean
add_size (CapraContext *context, Kernels *kernels, const CapraProgramUse *use, gboolean *first, GError **error)
{
  guint64 size = (guint64) use->local[0] << 42 | (guint64) use->local[1] << 22 | (guint64) use->local[2] << 2
                 | (use->widest < G_MAXUINT16);

  for (guint i = 0; i < kernels->sizes->len; i++)
    if (g_array_index (kernels->sizes, guint64, i) == size)
      return TRUE;
  if (!capra_context_check_compiler (context, error))
    return FALSE;
  g_array_append_val (kernels->sizes, size);
  *first = TRUE;
  return TRUE;
}

void
capra_program_end_first (CapraProgram *program, const char *name, const CapraProgramKernel *kernel, gboolean done)
{
  const CapraQuarantineKernel used = { program->name, name, program->options };

  g_mutex_lock (&program->lock);
  done = done && kernel->build != program->quick;
  g_mutex_unlock (&program->lock);
  capra_quarantine_end (program->context->device, &used, done);
}

gboolean
capra_program_take_kernel (CapraProgram *program, const CapraProgramUse *use, CapraProgramKernel *kernel,
                           GError **error)
{
  Kernels *kernels = NULL;
  gboolean ready = FALSE;
  cl_int status = CL_SUCCESS;

  *kernel = (CapraProgramKernel){ 0 };
  g_mutex_lock (&program->lock);
  kernel->build = choose_marked (program, use, &kernel->first, error);
  kernels = kernel->build ? get_kernels (kernel->build, use->kernel) : NULL;
  ready = kernels && add_size (program->context, kernels, use, &kernel->first_size, error);
  if (ready && kernels->idle->len > 0)
    kernel->object = g_ptr_array_steal_index_fast (kernels->idle, kernels->idle->len - 1);
  g_mutex_unlock (&program->lock);
  if (kernel->object || !ready)
    return ready;

  g_atomic_int_inc (&program->context->kernels);
  status = capra_fault_check (program->context->device, CAPRA_FAULT_BUILD);
  if (status == CL_SUCCESS)
    kernel->object = clCreateKernel (kernel->build->program, use->kernel, &status);
  return capra_context_check (program->context, status, "clCreateKernel", use->kernel, error);
}

void
capra_program_return_kernel (CapraProgram *program, const char *name, const CapraProgramKernel *kernel)
{
  if (!kernel->object)
    return;
  g_mutex_lock (&program->lock);
  g_ptr_array_add (get_kernels (kernel->build, name)->idle, kernel->object);
  g_mutex_unlock (&program->lock);
}

gboolean
capra_program_save_all (CapraContext *context, const CapraProgramCache *cache, guint *count, GError **error)
{
  CapraPrograms *programs = programs_get (context);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&programs->lock);
  GHashTableIter iter;
  gpointer value = NULL;

  g_hash_table_iter_init (&iter, programs->programs);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      CapraProgram *program = value;
      g_autoptr (GMutexLocker) inner = g_mutex_locker_new (&program->lock);

      if (!program->optimized)
        continue;
      if (!capra_program_save (context, program->name, program->options, program->optimized->program, cache, error))
        return FALSE;
      (*count)++;
    }
  return TRUE;
}
