/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Sockets of the monitor, by GIO. */
#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/file.h"
#include "runtime/trace/monitor-socket.h"

#define SUFFIX ".socket"
/* Connections that the system keeps until they are accepted. */
#define BACKLOG 64

char *
capra_monitor_socket_folder (GError **error)
{
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "capra", "monitor", NULL);
  GStatBuf found = { 0 };

  if (!capra_file_create_folder (folder) || g_lstat (folder, &found) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("cannot create the folder %s: %s"), folder,
                   g_strerror (errno));
      return NULL;
    }
  if (!S_ISDIR (found.st_mode) || found.st_uid != geteuid () || (found.st_mode & 077) != 0)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM,
                   _ ("%s must be a folder that belongs to you and that nobody else can access; remove it"), folder);
      return NULL;
    }
  return g_steal_pointer (&folder);
}

/* A socket's file has a dot in front until the socket listens. */
gboolean
capra_monitor_socket_is_name (const char *name)
{
  return name[0] != '.' && g_str_has_suffix (name, SUFFIX);
}

/* GIO truncates a path that is too long for the system. */
static GSocketAddress *
address_new (const char *path, GError **error)
{
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);

  if (g_str_equal (g_unix_socket_address_get_path (G_UNIX_SOCKET_ADDRESS (address)), path))
    return g_steal_pointer (&address);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NAMETOOLONG,
               _ ("%s is too long for the path of a socket; set XDG_RUNTIME_DIR to a shorter path"), path);
  return NULL;
}

static GSocket *
socket_new (GError **error)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, error);

  if (socket)
    g_socket_set_blocking (socket, FALSE);
  return socket;
}

static GSocket *
socket_connect (const char *path, GError **error)
{
  g_autoptr (GSocketAddress) address = address_new (path, error);
  g_autoptr (GSocket) socket = address ? socket_new (error) : NULL;

  if (!socket || !g_socket_connect (socket, address, NULL, error))
    return NULL;
  return g_steal_pointer (&socket);
}

static void
remove_stale (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = NULL;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GSocket) socket = capra_monitor_socket_is_name (name) ? socket_connect (path, &error) : NULL;

      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
        g_unlink (path);
    }
}

/* The socket is renamed when it listens, so that whoever sees it can connect. */
GSocket *
capra_monitor_socket_listen (char **path, GError **error)
{
  g_autofree char *folder = capra_monitor_socket_folder (error);
  g_autofree char *name = g_strdup_printf ("%d-%08x" SUFFIX, getpid (), g_random_int ());
  g_autofree char *hidden_name = g_strconcat (".", name, NULL);
  g_autofree char *hidden = folder ? g_build_filename (folder, hidden_name, NULL) : NULL;
  g_autoptr (GSocketAddress) address = folder ? address_new (hidden, error) : NULL;
  g_autoptr (GSocket) socket = address ? socket_new (error) : NULL;

  if (!socket)
    return NULL;
  remove_stale (folder);
  *path = g_build_filename (folder, name, NULL);
  g_socket_set_listen_backlog (socket, BACKLOG);
  if (!g_socket_bind (socket, address, FALSE, error))
    return NULL;
  if (g_socket_listen (socket, error))
    {
      if (g_rename (hidden, *path) == 0)
        return g_steal_pointer (&socket);
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("cannot rename %s to %s: %s"), hidden,
                   *path, g_strerror (errno));
    }
  g_unlink (hidden);
  return NULL;
}

GSocket *
capra_monitor_socket_connect (const char *path)
{
  return socket_connect (path, NULL);
}

gboolean
capra_monitor_socket_is_trusted (GSocket *socket, gint64 *pid)
{
  g_autoptr (GCredentials) own = g_credentials_new ();
  g_autoptr (GCredentials) peer = g_socket_get_credentials (socket, NULL);

  if (!peer || !g_credentials_is_same_user (peer, own, NULL))
    return FALSE;
  if (pid)
    *pid = MAX (g_credentials_get_unix_pid (peer, NULL), 0);
  return TRUE;
}

void
capra_monitor_socket_end (GSocket *socket)
{
  g_socket_shutdown (socket, TRUE, TRUE, NULL);
  g_socket_close (socket, NULL);
  g_object_unref (socket);
}

GSource *
capra_monitor_source_attach (GSource *source, GMainContext *context, GSourceFunc func, gpointer data)
{
  g_source_set_callback (source, func, data, NULL);
  g_source_attach (source, context);
  return source;
}

void
capra_monitor_source_clear (GSource **source)
{
  if (*source)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}
