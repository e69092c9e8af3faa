/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver files: the rules of the two common loaders, ocl-icd and Khronos' (see libOpenCL(7) and the README of
 * OpenCL-ICD-Loader). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT beside gnu11 */
#endif
#include "runtime/drivers/driver-file.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "/etc/OpenCL/vendors"
#define SUFFIX ".icd"

/* Variables whose names begin so decide which devices a driver has, and how it works. Those of caches do not. */
static const char *const prefixes[] = { "POCL_",
                                        "RUSTICL_",
                                        "CUDA_",
                                        "NVIDIA_",
                                        "HIP_",
                                        "ROCR_",
                                        "HSA_",
                                        "AMD_",
                                        "GPU_",
                                        "ZE_",
                                        "SYCL_",
                                        "INTEL_",
                                        "NEO",
                                        "CL_CONFIG_",
                                        "MESA_",
                                        "GALLIUM_",
                                        "LP_",
                                        "LIBGL_",
                                        "OPENCL_",
                                        "IGC_",
                                        "LLVM_",
                                        "DRI_",
                                        "LD_LIBRARY_PATH",
                                        "LD_PRELOAD",
                                        "OCL_ICD_ASSUME" };
static const char *const ignored[] = { "POCL_CACHE_DIR=", "POCL_DEBUG=", "CUDA_CACHE_" };

void
capra_driver_file_clear (CapraDriverFile *file)
{
  g_free (file->path);
  g_free (file->library);
  g_free (file->problem);
}

static gboolean
is_ocl_icd (void)
{
  return dlsym (RTLD_DEFAULT, "clGetICDLoaderInfoOCLICD") != NULL;
}

static const char *
get_variable (const char *name)
{
  const char *value = g_getenv (name);

  return value && *value ? value : NULL;
}

/* The folder that is read unless OCL_ICD_VENDORS is set. */
static const char *
get_default_folder (void)
{
  const char *set = is_ocl_icd () ? get_variable ("OPENCL_VENDOR_PATH") : NULL;

  return set ? set : FOLDER;
}

char *
capra_driver_files_dup_folder (void)
{
  const char *set = get_variable ("OCL_ICD_VENDORS");

  if (set && is_ocl_icd () && g_str_has_suffix (set, SUFFIX) && !strchr (set, '/'))
    {
      g_autofree char *path = g_build_filename (get_default_folder (), set, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return g_strdup (set ? set : get_default_folder ());
}

/* Adds the ICD file @path, whose first line is a path or the name of a library. */
static void
add_icd_file (GArray *files, const char *path)
{
  CapraDriverFile file = { g_strdup (path), NULL, NULL };
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)) /* reading a fifo would wait */
    file.problem = g_strdup (g_file_test (path, G_FILE_TEST_EXISTS) ? _ ("it is not a regular file")
                                                                    : _ ("it does not exist"));
  else if (g_file_get_contents (path, &text, NULL, &error))
    {
      text[strcspn (text, "\r\n")] = '\0';
      if (*g_strstrip (text))
        file.library = g_steal_pointer (&text);
      else
        file.problem = g_strdup (_ ("it names no library"));
    }
  else
    file.problem = g_strdup (error->message);
  g_array_append_val (files, file);
}

static void
add_library (GArray *files, const char *library)
{
  CapraDriverFile file = { g_strdup (library), g_strdup (library), NULL };

  g_array_append_val (files, file);
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
add_folder (GArray *files, const char *folder, GDir *dir)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name = NULL;

  while ((name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, SUFFIX))
      g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    add_icd_file (files, names->pdata[i]);
}

GArray *
capra_driver_files_list (void)
{
  GArray *files = g_array_new (FALSE, FALSE, sizeof (CapraDriverFile));
  g_autofree char *folder = capra_driver_files_dup_folder ();
  g_auto (GStrv) libraries = NULL;
  g_autoptr (GDir) dir = NULL;

  g_array_set_clear_func (files, (GDestroyNotify) capra_driver_file_clear);
  if (!is_ocl_icd () && get_variable ("OCL_ICD_FILENAMES"))
    libraries = g_strsplit (get_variable ("OCL_ICD_FILENAMES"), ":", -1);
  for (guint i = 0; libraries && libraries[i]; i++)
    if (*libraries[i])
      add_library (files, libraries[i]);

  dir = g_dir_open (folder, 0, NULL);
  if (dir)
    add_folder (files, folder, dir);
  else if (is_ocl_icd () && g_str_has_suffix (folder, SUFFIX))
    add_icd_file (files, folder);
  else if (is_ocl_icd () && g_file_test (folder, G_FILE_TEST_IS_REGULAR))
    add_library (files, folder);
  return files;
}

static gboolean
has_prefix (const char *variable, const char *const *list, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (g_str_has_prefix (variable, list[i]))
      return TRUE;
  return FALSE;
}

guint32
capra_driver_files_sum_environment (void)
{
  guint32 sum = 0; /* of the hashes: the order of variables has no meaning */

  for (char **entry = environ; entry && *entry; entry++)
    if (has_prefix (*entry, prefixes, G_N_ELEMENTS (prefixes)) && !has_prefix (*entry, ignored, G_N_ELEMENTS (ignored)))
      sum += g_str_hash (*entry);
  return sum;
}

static guint32
sum_access (const char *path)
{
  guint32 sum = access (path, F_OK) == 0 ? g_str_hash (path) : 0;

  return access (path, R_OK | W_OK) == 0 ? sum * 3 : sum;
}

guint32
capra_driver_files_sum_devices (void)
{
  g_autoptr (GDir) cards = g_dir_open ("/dev/dri", 0, NULL);
  guint32 sum = sum_access ("/dev/kfd") + sum_access ("/dev/nvidiactl");
  const char *name = NULL;
  gboolean exists = TRUE;

  while (cards && (name = g_dir_read_name (cards)))
    {
      g_autofree char *path = g_build_filename ("/dev/dri", name, NULL);

      sum += g_str_has_prefix (name, "renderD") ? sum_access (path) : 0;
    }
  for (guint i = 0; exists; i++)
    {
      g_autofree char *path = g_strdup_printf ("/dev/nvidia%u", i);

      exists = access (path, F_OK) == 0;
      sum += sum_access (path);
    }
  return sum;
}
