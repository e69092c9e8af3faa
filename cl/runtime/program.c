/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program: built once per source, options, device and driver; then taken from memory or disk. */
#include "program.h"
#include "program-cache.h"
#include "program-source.h"

/* Prepended to all options. No fast-math: NaN and infinity are data. */
#define OPTIONS "-cl-std=CL1.2"
#define LOG_LENGTH 2000

struct _CapraProgram {
  CapraContext *context;
  char *name;
  cl_program program;
  GMutex lock;
  GHashTable *kernels; /* name -> GPtrArray of cl_kernel at rest */
};

/* A lock that is not held while a program is built: others are taken meanwhile, or built by other threads. */
struct _CapraPrograms {
  GMutex lock;
  GCond built;
  GHashTable *programs; /* "name options" -> CapraProgram, NULL while a thread builds it */
};

/* Programs that are being built in this process; atomic. */
static int building;

guint
capra_program_get_building (void)
{
  return (guint) g_atomic_int_get (&building);
}

static CapraPrograms *
programs_get (CapraContext *context)
{
  if (g_once_init_enter (&context->programs))
    {
      CapraPrograms *programs = g_new0 (CapraPrograms, 1);

      g_mutex_init (&programs->lock);
      g_cond_init (&programs->built);
      programs->programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_once_init_leave (&context->programs, programs);
    }
  return context->programs;
}

static gboolean
build (CapraContext *context, cl_program program, const char *name, const char *options,
       GError **error)
{
  cl_int status = clBuildProgram (program, 1, &context->cl_device, options, NULL, NULL);
  g_autofree char *log = NULL;
  gsize length = 0;

  if (status == CL_SUCCESS)
    return TRUE;

  clGetProgramBuildInfo (program, context->cl_device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
  log = g_malloc0 (length + 1);
  clGetProgramBuildInfo (program, context->cl_device, CL_PROGRAM_BUILD_LOG, length, log, NULL);
  if (length > LOG_LENGTH)
    log[LOG_LENGTH] = '\0';
  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_BUILD,
               "device %s: the kernels of %s do not build (%s, options %s); please report this with "
               "the driver's log:\n%s", context->info->name, name, capra_error_name (status), options,
               g_strstrip (log));
  return FALSE;
}

static cl_program
build_source (CapraContext *context, const char *name, const char *source, const char *options,
              GError **error)
{
  cl_int status = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource (context->cl, 1, &source, NULL, &status);

  if (!capra_context_check (context, status, "clCreateProgramWithSource", name, error))
    return NULL;
  if (build (context, program, name, options, error))
    return program;
  clReleaseProgram (program);
  return NULL;
}

static CapraProgram *
program_new (CapraContext *context, const char *name, const char *options, GError **error)
{
  g_autofree char *file = g_strconcat (name, ".cl", NULL);
  g_autofree char *source = capra_program_source (file, error);
  g_autofree char *all = g_strjoin (" ", OPTIONS, options, NULL);
  const CapraProgramCache *cache = capra_program_cache_user ();
  CapraProgram *program = NULL;
  cl_program built = NULL;
  gboolean from_disk = FALSE;
  gint64 start = 0;
  int taken = 0;

  if (!source)
    return NULL;
  start = g_get_monotonic_time ();
  built = capra_program_cache_load (cache, context, source, all);
  from_disk = built != NULL;
  if (!built)
    {
      g_atomic_int_inc (&building);
      built = build_source (context, name, source, all, error);
      g_atomic_int_add (&building, -1);
      if (!built)
        return NULL;
      capra_program_cache_save (cache, context, source, all, built);
    }
  g_atomic_int_inc (from_disk ? &context->loads : &context->builds);
  taken = (int) (g_get_monotonic_time () - start);
  g_atomic_int_add (&context->build_time, taken);
  g_debug ("%s: %s %s with %s in %.1f ms", context->info->name, from_disk ? "loaded" : "built", name, options,
           taken * 1e-3);
  program = g_new0 (CapraProgram, 1);
  program->context = context;
  program->name = g_strdup (name);
  program->program = built;
  program->kernels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_mutex_init (&program->lock);
  return program;
}

CapraProgram *
capra_program_get (CapraContext *context, const char *name, const char *options, GError **error)
{
  CapraPrograms *programs = programs_get (context);
  g_autofree char *key = g_strjoin (" ", name, options ? options : "", NULL);
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&programs->lock);
  gpointer program = NULL;

  while (g_hash_table_lookup_extended (programs->programs, key, NULL, &program) && !program)
    g_cond_wait (&programs->built, &programs->lock);
  if (program)
    return program;

  g_hash_table_insert (programs->programs, g_strdup (key), NULL);
  g_mutex_unlock (&programs->lock);
  program = program_new (context, name, options ? options : "", error);
  g_mutex_lock (&programs->lock);
  if (program)
    g_hash_table_replace (programs->programs, g_steal_pointer (&key), program);
  else
    g_hash_table_remove (programs->programs, key); /* whoever waits tries it, and gets an error of its own */
  g_cond_broadcast (&programs->built);
  return program;
}

cl_kernel
capra_program_take_kernel (CapraProgram *program, const char *name, GError **error)
{
  GPtrArray *idle = NULL;
  cl_kernel kernel = NULL;
  cl_int status = CL_SUCCESS;

  g_mutex_lock (&program->lock);
  idle = g_hash_table_lookup (program->kernels, name);
  if (idle && idle->len > 0)
    kernel = g_ptr_array_steal_index_fast (idle, idle->len - 1);
  g_mutex_unlock (&program->lock);
  if (kernel)
    return kernel;

  g_atomic_int_inc (&program->context->kernels);
  kernel = clCreateKernel (program->program, name, &status);
  return capra_context_check (program->context, status, "clCreateKernel", name, error) ? kernel
                                                                                       : NULL;
}

void
capra_program_give_kernel (CapraProgram *program, const char *name, cl_kernel kernel)
{
  GPtrArray *idle = NULL;

  g_mutex_lock (&program->lock);
  idle = g_hash_table_lookup (program->kernels, name);
  if (!idle)
    {
      idle = g_ptr_array_new ();
      g_hash_table_insert (program->kernels, g_strdup (name), idle);
    }
  g_ptr_array_add (idle, kernel);
  g_mutex_unlock (&program->lock);
}
