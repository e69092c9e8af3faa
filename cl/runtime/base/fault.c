/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Faults: counts calls, and names those that fail. */
#include <CL/cl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/fault-check.h"
#include "runtime/base/fault.h"

/* Errors of different kinds: some are lacks of memory, after which operations try again with less, some are not. */
static const struct {
  const char *name;
  cl_int status;
} kinds[CAPRA_N_FAULTS] = {
  { "alloc", CL_MEM_OBJECT_ALLOCATION_FAILURE },
  { "staging", CL_OUT_OF_HOST_MEMORY },
  { "build", CL_BUILD_PROGRAM_FAILURE },
  { "launch", CL_OUT_OF_RESOURCES },
  { "upload", CL_OUT_OF_RESOURCES },
  { "download", CL_OUT_OF_RESOURCES },
  { "map", CL_MAP_FAILURE },
  { "copy", CL_OUT_OF_RESOURCES },
  { "wait", CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST },
  { "device", CL_DEVICE_NOT_AVAILABLE },
  { "file", CL_SUCCESS },
};

gint capra_fault_active;

/* All atomic. The first and the last call that fail count from 1; 0: none. */
static struct {
  gint calls, first, last;
} moments[CAPRA_N_FAULTS];
static gconstpointer lost;   /* the CapraDevice */
static gboolean is_reported; /* set before threads begin */

const char *
capra_fault_get_name (CapraFault fault)
{
  return kinds[fault].name;
}

guint
capra_fault_get_calls (CapraFault fault)
{
  return (guint) g_atomic_int_get (&moments[fault].calls);
}

/* Counts a call; whether it fails. */
static gboolean
fails (CapraFault fault)
{
  gint number = g_atomic_int_add (&moments[fault].calls, 1) + 1;
  gint first = g_atomic_int_get (&moments[fault].first);

  if (first == 0 || number < first || number > g_atomic_int_get (&moments[fault].last))
    return FALSE;
  if (is_reported && number == first)
    fprintf (stderr, "CAPRA_FAULT %s:%d fails\n", kinds[fault].name, number);
  return TRUE;
}

int
capra_fault_next (gconstpointer device, CapraFault fault)
{
  gboolean failed = fault != CAPRA_FAULT_DEVICE && fails (fault);

  if (fails (CAPRA_FAULT_DEVICE))
    g_atomic_pointer_set (&lost, device);
  if (g_atomic_pointer_get (&lost) == device)
    return kinds[CAPRA_FAULT_DEVICE].status;
  return failed ? kinds[fault].status : CL_SUCCESS;
}

gboolean
capra_fault_write (void)
{
  gboolean failed = G_UNLIKELY (capra_fault_active) && fails (CAPRA_FAULT_FILE);

  if (failed)
    errno = ENOSPC;
  return failed;
}

/* Reads "launch:17" or "launch:17-". */
static gboolean
set_moment (const char *text)
{
  const char *colon = strchr (text, ':');
  char *end = NULL;
  gint64 first = colon ? g_ascii_strtoll (colon + 1, &end, 10) : 0;

  if (first < 1 || first > G_MAXINT || !g_ascii_isdigit (colon[1]) || (*end && !g_str_equal (end, "-")))
    return FALSE;
  for (guint i = 0; i < CAPRA_N_FAULTS; i++)
    if (strlen (kinds[i].name) == (gsize) (colon - text) && g_str_has_prefix (text, kinds[i].name))
      {
        g_atomic_int_set (&moments[i].last, *end ? G_MAXINT : (gint) first);
        g_atomic_int_set (&moments[i].first, (gint) first);
        return TRUE;
      }
  return FALSE;
}

static void
clear (void)
{
  g_atomic_int_set (&capra_fault_active, FALSE);
  g_atomic_pointer_set (&lost, NULL);
  for (guint i = 0; i < CAPRA_N_FAULTS; i++)
    {
      g_atomic_int_set (&moments[i].first, 0);
      g_atomic_int_set (&moments[i].calls, 0);
    }
}

gboolean
capra_fault_set (const char *faults, GError **error)
{
  g_auto (GStrv) texts = g_strsplit (faults ? faults : "", ",", -1);

  clear ();
  for (char **text = texts; *text; text++)
    if (!g_str_equal (*text, "count") && !set_moment (*text))
      {
        clear ();
        g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, "CAPRA_FAULT: \"%s\" is not as \"launch:17\"", *text);
        return FALSE;
      }
  g_atomic_int_set (&capra_fault_active, *texts != NULL);
  return TRUE;
}

static void
print_calls (void)
{
  for (guint i = 0; i < CAPRA_N_FAULTS; i++)
    fprintf (stderr, "%s%s:%u", i == 0 ? "CAPRA_FAULT " : ",", kinds[i].name, capra_fault_get_calls (i));
  fputc ('\n', stderr);
}

static void __attribute__ ((constructor)) start (void)
{
  const char *faults = g_getenv ("CAPRA_FAULT");
  g_autoptr (GError) error = NULL;

  if (!faults || !*faults)
    return;
  is_reported = TRUE;
  if (!capra_fault_set (faults, &error))
    g_warning ("%s", error->message);
  else if (g_str_equal (faults, "count"))
    atexit (print_calls);
}
