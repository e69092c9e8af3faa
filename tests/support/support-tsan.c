/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces GLib's locks by those of the C library, since ThreadSanitizer does not know GLib's. Linked into tests only
 * if they are built with ThreadSanitizer. */
#include <errno.h>
#include <glib.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* The lock of the C library for a lock of GLib, created at its first use. */
static gpointer
get (gpointer *place, gpointer (*make) (void))
{
  gpointer found = __atomic_load_n (place, __ATOMIC_ACQUIRE);

  if (found)
    return found;
  pthread_mutex_lock (&making);
  found = *place;
  if (!found)
    {
      found = make ();
      __atomic_store_n (place, found, __ATOMIC_RELEASE);
    }
  pthread_mutex_unlock (&making);
  return found;
}

static gpointer
make_mutex (void)
{
  pthread_mutex_t *mutex = malloc (sizeof *mutex);

  pthread_mutex_init (mutex, NULL);
  return mutex;
}

static gpointer
make_cond (void)
{
  pthread_cond_t *cond = malloc (sizeof *cond);
  pthread_condattr_t monotonic;

  pthread_condattr_init (&monotonic);
  pthread_condattr_setclock (&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init (cond, &monotonic);
  pthread_condattr_destroy (&monotonic);
  return cond;
}

static pthread_mutex_t *
mutex_of (GMutex *mutex)
{
  return get (&mutex->p, make_mutex);
}

static pthread_cond_t *
cond_of (GCond *cond)
{
  return get (&cond->p, make_cond);
}

void
g_mutex_init (GMutex *mutex)
{
  mutex->p = NULL;
}

void
g_mutex_clear (GMutex *mutex)
{
  if (mutex->p)
    pthread_mutex_destroy (mutex->p);
  free (mutex->p);
  mutex->p = NULL;
}

void
g_mutex_lock (GMutex *mutex)
{
  pthread_mutex_lock (mutex_of (mutex));
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  return pthread_mutex_trylock (mutex_of (mutex)) == 0;
}

void
g_mutex_unlock (GMutex *mutex)
{
  pthread_mutex_unlock (mutex_of (mutex));
}

void
g_cond_init (GCond *cond)
{
  cond->p = NULL;
}

void
g_cond_clear (GCond *cond)
{
  if (cond->p)
    pthread_cond_destroy (cond->p);
  free (cond->p);
  cond->p = NULL;
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  pthread_cond_wait (cond_of (cond), mutex_of (mutex));
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end)
{
  struct timespec time = { end / G_TIME_SPAN_SECOND, end % G_TIME_SPAN_SECOND * 1000 };

  return pthread_cond_timedwait (cond_of (cond), mutex_of (mutex), &time) != ETIMEDOUT;
}

void
g_cond_signal (GCond *cond)
{
  pthread_cond_signal (cond_of (cond));
}

void
g_cond_broadcast (GCond *cond)
{
  pthread_cond_broadcast (cond_of (cond));
}

/* For g_once_init_enter(): the list of variables that are being initialized. */
static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t initialized = PTHREAD_COND_INITIALIZER;
static GSList *initializing;

gboolean (g_once_init_enter) (volatile void *location)
{
  gboolean first = FALSE;

  pthread_mutex_lock (&once);
  while (!__atomic_load_n ((gsize *) location, __ATOMIC_ACQUIRE) && g_slist_find (initializing, (gpointer) location))
    pthread_cond_wait (&initialized, &once);
  if (!__atomic_load_n ((gsize *) location, __ATOMIC_ACQUIRE))
    {
      initializing = g_slist_prepend (initializing, (gpointer) location);
      first = TRUE;
    }
  pthread_mutex_unlock (&once);
  return first;
}

void (g_once_init_leave) (volatile void *location, gsize result)
{
  pthread_mutex_lock (&once);
  __atomic_store_n ((gsize *) location, result, __ATOMIC_RELEASE);
  initializing = g_slist_remove (initializing, (gpointer) location);
  pthread_cond_broadcast (&initialized);
  pthread_mutex_unlock (&once);
}

/* Reference counts, whose functions are not inline. */
void (g_atomic_ref_count_init) (gatomicrefcount *count) { __atomic_store_n (count, 1, __ATOMIC_RELEASE); }

void (g_atomic_ref_count_inc) (gatomicrefcount *count) { __atomic_add_fetch (count, 1, __ATOMIC_ACQ_REL); }

gboolean (g_atomic_ref_count_dec) (gatomicrefcount *count)
{
  return __atomic_sub_fetch (count, 1, __ATOMIC_ACQ_REL) == 0;
}

gboolean (g_atomic_ref_count_compare) (gatomicrefcount *count, gint value)
{
  return __atomic_load_n (count, __ATOMIC_ACQUIRE) == value;
}
