/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver load: for each of the 19,000 symbols of LLVM, which PoCL links, the dynamic linker searches the program, then
 * all modules that were loaded with global symbols, as GEGL loads its modules, and all that these link, and LLVM at
 * last. RTLD_DEEPBIND reverses the order; the OpenCL loader does not use it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEEPBIND, RTLD_DEFAULT beside gnu11 */
#endif
#include "runtime/drivers/driver-load.h"

#include <dlfcn.h>

#ifndef RTLD_DEEPBIND /* musl */
#define RTLD_DEEPBIND 0
#endif

/* Symbols that a program may replace for all of its libraries: a memory allocator's (sanitizers have one, too), and
 * those data of the two libraries that PoCL, LLVM and Clang use: of them, a program may have copies that alone are
 * initialized. Where a program does, drivers must use the program's. */
static const struct {
  const char *library, *name;
} replaceable[] = {
  { "libc.so.6", "malloc" },
  { "libc.so.6", "free" },
  { "libc.so.6", "environ" },
  { "libc.so.6", "__libc_single_threaded" },
  { "libstdc++.so.6", "_Znwm" },                        /* operator new */
  { "libstdc++.so.6", "_ZdlPv" },                       /* operator delete */
  { "libstdc++.so.6", "_ZSt4cout" },                    /* std::cout */
  { "libstdc++.so.6", "_ZSt4cerr" },                    /* std::cerr */
  { "libstdc++.so.6", "_ZNSt5ctypeIcE2idE" },           /* std::ctype<char>::id */
  { "libstdc++.so.6", "_ZNSt7__cxx117collateIcE2idE" }, /* std::collate<char>::id */
};

/* Whether the program uses the library's own symbol, or does not use the library. */
static gboolean
is_original (const char *library, const char *name)
{
  void *handle = dlopen (library, RTLD_LAZY | RTLD_NOLOAD);
  gboolean original = TRUE;

  if (handle)
    {
      void *used = dlsym (RTLD_DEFAULT, name);

      original = !used || used == dlsym (handle, name);
      dlclose (handle);
    }
  return original;
}

static gboolean
replaces_symbols (void)
{
  const char *preloaded = g_getenv ("LD_PRELOAD");
  gboolean replaces = preloaded && *preloaded;

  for (guint i = 0; !replaces && i < G_N_ELEMENTS (replaceable); i++)
    replaces = !is_original (replaceable[i].library, replaceable[i].name);
  return replaces;
}

void
capra_driver_load (const CapraDriver *driver)
{
  /* An error is not reported: the OpenCL loader tries again, and "capra devices --why" says why it fails. */
  if (capra_driver_is_pocl (driver) && !replaces_symbols ())
    dlopen (driver->file.library, RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND);
}
