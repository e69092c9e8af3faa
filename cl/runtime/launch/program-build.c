/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Building programs: the sources and options for the driver, the disk caches, build logs. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/base/fault-check.h"
#include "runtime/device/quirks-use.h"
#include "runtime/base/settings.h"
#include "runtime/launch/program-build.h"
#include "runtime/launch/program-source.h"

/* The first options of all programs. No fast-math: NaN and infinity are data. */
#define OPTIONS "-cl-std=CL1.2"
/* Omits Clang's declarations of all built-in functions, which take most of PoCL's time to parse a program: builtins.clh
 * declares those that kernels use. Without -w, Clang warns of vectors of 16 floats on processors without AVX-512, and
 * prints the number of its warnings into the host's standard error. */
#define SHORT_OPTIONS OPTIONS " -D_OPENCL_H_ -w"
#define QUICK_OPTION "-cl-opt-disable"
#define LOG_LENGTH 2000

/* The number of programs that this process is building while commands wait for them. */
static int building; /* atomic */

CapraKernelsMode
capra_program_get_mode (void)
{
  g_autofree char *choice = capra_settings_get ("kernels");

  if (g_strcmp0 (choice, "optimized") == 0)
    return CAPRA_KERNELS_OPTIMIZED;
  if (g_strcmp0 (choice, "prepare") == 0)
    return CAPRA_KERNELS_PREPARE;
  return g_strcmp0 (choice, "quick") == 0 ? CAPRA_KERNELS_QUICK : CAPRA_KERNELS_BACKGROUND;
}

guint
capra_program_get_building (void)
{
  return (guint) g_atomic_int_get (&building);
}

/* The input of the driver. */
typedef struct {
  const char *name;
  char *source, *options;
} Input;

static void
input_clear (Input *input)
{
  g_free (input->source);
  g_free (input->options);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Input, input_clear)

static gboolean
input_init (Input *input, CapraContext *context, const char *name, const char *options, GError **error)
{
  gboolean brief = capra_context_compiles_slowly (context) && !g_atomic_int_get (&context->all_builtins);
  g_autofree char *file = g_strconcat (name, ".cl", NULL);
  g_autofree char *source = capra_program_source (file, error);
  g_autofree char *builtins = source && brief ? capra_program_source ("builtins.clh", error) : NULL;
  g_autofree char *quirks = capra_quirks_dup_options (context->device, name);

  *input = (Input){ .name = name };
  if (!source || (brief && !builtins) || !capra_quirks_check_kernels (context->device, name, error))
    return FALSE;
  input->source = g_strconcat (brief ? builtins : "", source, NULL);
  input->options = g_strjoin (" ", brief ? SHORT_OPTIONS : OPTIONS, options, quirks, NULL);
  return TRUE;
}

static gboolean
build (CapraContext *context, cl_program program, const Input *input, GError **error)
{
  cl_int status = capra_fault_check (context->device, CAPRA_FAULT_BUILD);
  g_autofree char *log = NULL;
  gsize length = 0;

  if (status == CL_SUCCESS)
    status = clBuildProgram (program, 1, &context->cl_device, input->options, NULL, NULL);
  if (status == CL_SUCCESS)
    return TRUE;

  clGetProgramBuildInfo (program, context->cl_device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
  log = g_malloc0 (length + 1);
  clGetProgramBuildInfo (program, context->cl_device, CL_PROGRAM_BUILD_LOG, length, log, NULL);
  if (length > LOG_LENGTH)
    log[LOG_LENGTH] = '\0';
  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_BUILD,
               _ ("device %s: cannot build the kernels of %s (%s, options %s); please report this with the driver's "
                  "log:\n%s"),
               context->info->name, input->name, capra_error_name (status), input->options, g_strstrip (log));
  return FALSE;
}

static cl_program
build_source (CapraContext *context, const Input *input, GError **error)
{
  cl_int status = CL_SUCCESS;
  cl_program program = NULL;

  if (!capra_context_check_compiler (context, error))
    return NULL;
  program = clCreateProgramWithSource (context->cl, 1, (const char **) &input->source, NULL, &status);
  if (!capra_context_check (context, status, "clCreateProgramWithSource", input->name, error))
    return NULL;
  if (build (context, program, input, error))
    return program;
  clReleaseProgram (program);
  return NULL;
}

/* Builds again with all built-in functions declared if builtins.clh does not compile, with a Clang that declares them
 * differently. */
static cl_program
build_with_fallback (CapraContext *context, const Input *input, const char *options, GError **error)
{
  g_autoptr (GError) problem = NULL;
  cl_program program = build_source (context, input, &problem);
  g_auto (Input) whole = { 0 };

  if (program || !capra_context_compiles_slowly (context) || g_atomic_int_get (&context->all_builtins))
    {
      if (problem)
        g_propagate_error (error, g_steal_pointer (&problem));
      return program;
    }
  g_info ("%s: %s is built with the declarations of all built-in functions: %s", context->info->name, input->name,
          problem->message);
  g_atomic_int_set (&context->all_builtins, TRUE);
  return input_init (&whole, context, input->name, options, error) ? build_source (context, &whole, error) : NULL;
}

static void
log_time (CapraContext *context, const char *how, const char *name, const char *options, gint64 start)
{
  int taken = (int) (g_get_monotonic_time () - start);

  g_atomic_int_add (&context->build_time, taken);
  g_debug ("%s: %s %s with %s in %.1f ms", context->info->name, how, name, options, taken * 1e-3);
}

static cl_program
load (CapraContext *context, const Input *input)
{
  cl_program program = capra_program_cache_load (capra_program_cache_user (), context, input->source, input->options);

  return program ? program
                 : capra_program_cache_load (capra_program_cache_shared (), context, input->source, input->options);
}

cl_program
capra_program_load (CapraContext *context, const char *name, const char *options)
{
  g_auto (Input) input = { 0 };
  gint64 start = g_get_monotonic_time ();
  cl_program program = input_init (&input, context, name, options, NULL) ? load (context, &input) : NULL;

  if (program)
    {
      g_atomic_int_inc (&context->loads);
      log_time (context, "loaded", name, options, start);
    }
  return program;
}

static void
save (CapraContext *context, const Input *input, cl_program program)
{
  capra_program_cache_save (capra_program_cache_user (), context, input->source, input->options, program);
}

cl_program
capra_program_build (CapraContext *context, const char *name, const char *options, gboolean quick, GError **error)
{
  g_autofree char *all = quick ? g_strjoin (" ", QUICK_OPTION, options, NULL) : g_strdup (options);
  g_auto (Input) input = { 0 };
  gint64 start = g_get_monotonic_time ();
  cl_program program = NULL;

  if (!input_init (&input, context, name, all, error))
    return NULL;
  g_atomic_int_inc (&building);
  program = build_with_fallback (context, &input, all, error);
  if (program && (!capra_context_compiles_slowly (context) || capra_program_get_mode () == CAPRA_KERNELS_OPTIMIZED))
    save (context, &input, program);
  g_atomic_int_add (&building, -1);
  if (!program)
    return NULL;
  g_atomic_int_inc (&context->builds);
  log_time (context, quick ? "built quickly" : "built", name, options, start);
  return program;
}

gboolean
capra_program_prepare (CapraContext *context, const char *name, const char *options, const char *sizes, GError **error)
{
  g_auto (Input) input = { 0 };
  cl_program program = NULL;

  if (!input_init (&input, context, name, options, error))
    return FALSE;
  program = build_with_fallback (context, &input, options, error);
  if (!program)
    return FALSE;
  if (sizes)
    g_setenv ("POCL_BINARY_SPECIALIZE_WG", sizes, TRUE);
  save (context, &input, program);
  clReleaseProgram (program);
  return TRUE;
}

gboolean
capra_program_save (CapraContext *context, const char *name, const char *options, cl_program program,
                    const CapraProgramCache *cache, GError **error)
{
  g_auto (Input) input = { 0 };

  if (!input_init (&input, context, name, options, error))
    return FALSE;
  if (capra_program_cache_save (cache, context, input.source, input.options, program))
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
               cache->shared ? _ ("cannot save kernels in %s: the folder is not writable, or does not belong to root")
                             : _ ("cannot save kernels in %s: the folder is not writable, or not private to this user"),
               cache->folder);
  return FALSE;
}
