/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells ThreadSanitizer what a GTask orders: what its thread does is after its start and before its callback, and its
 * data are freed after both. GLib's locks, which order them, are not seen. Linked only into tests of the panel that are
 * built with ThreadSanitizer. */
#include <dlfcn.h>
#include <gio/gio.h>
#include <sanitizer/tsan_interface.h>

typedef struct {
  GAsyncReadyCallback func;
  gpointer data;
} Callback;

typedef struct {
  gpointer task, data;
  GDestroyNotify destroy;
} TaskData;

static void
run_callback (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree Callback *callback = data;

  __tsan_acquire (result);
  callback->func (source, result, callback->data);
  __tsan_release (result);
}

#undef g_task_new
GTask *
g_task_new (gpointer source, GCancellable *cancellable, GAsyncReadyCallback func, gpointer data)
{
  GTask *(*create) (gpointer, GCancellable *, GAsyncReadyCallback, gpointer) = dlsym (RTLD_NEXT, "g_task_new");
  Callback *callback = NULL;

  if (!func)
    return create (source, cancellable, NULL, data);
  callback = g_new (Callback, 1);
  *callback = (Callback){ func, data };
  return create (source, cancellable, run_callback, callback);
}

static void
free_data (gpointer data)
{
  g_autofree TaskData *task = data;

  __tsan_acquire (task->task);
  if (task->destroy)
    task->destroy (task->data);
}

void
g_task_set_task_data (GTask *task, gpointer data, GDestroyNotify destroy)
{
  void (*set) (GTask *, gpointer, GDestroyNotify) = dlsym (RTLD_NEXT, "g_task_set_task_data");
  TaskData *task_data = g_new (TaskData, 1);

  *task_data = (TaskData){ task, data, destroy };
  set (task, task_data, free_data);
}

gpointer
g_task_get_task_data (GTask *task)
{
  gpointer (*get) (GTask *) = dlsym (RTLD_NEXT, "g_task_get_task_data");
  TaskData *task_data = get (task);

  return task_data ? task_data->data : NULL;
}

static void
run_task (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GTaskThreadFunc func = (GTaskThreadFunc) g_object_get_data (G_OBJECT (task), "tsan-func");

  __tsan_acquire (task);
  func (task, source, data ? ((TaskData *) data)->data : NULL, cancellable);
  __tsan_release (task);
}

void
g_task_run_in_thread (GTask *task, GTaskThreadFunc func)
{
  void (*run) (GTask *, GTaskThreadFunc) = dlsym (RTLD_NEXT, "g_task_run_in_thread");

  g_object_set_data (G_OBJECT (task), "tsan-func", (gpointer) func);
  __tsan_release (task);
  run (task, run_task);
}
