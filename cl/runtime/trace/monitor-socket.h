/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Sockets of the monitor: where monitors listen and processes connect. Private.
 *
 * Every monitor listens on a Unix socket "*.socket" in the user's run-time folder, capra/monitor. Every process that
 * publishes connects to all of them. Sockets of other users are refused, on both sides. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The folder of the sockets, created if it does not exist. It must belong to the user, and nobody else may access
 * it. */
char *capra_monitor_socket_folder (GError **error);

/* Whether the file name @name is that of a socket that accepts connections. */
gboolean capra_monitor_socket_is_name (const char *name);

/* A socket that listens, with a new name in the folder; @path gets its path. Removes the sockets of monitors that have
 * crashed. All sockets here are non-blocking. */
GSocket *capra_monitor_socket_listen (char **path, GError **error);

/* A socket connected to the monitor at @path, or NULL if nobody listens there. */
GSocket *capra_monitor_socket_connect (const char *path);

/* Whether the other end of @socket belongs to this user; @pid gets its process, or 0 if the system does not know it. */
gboolean capra_monitor_socket_is_trusted (GSocket *socket, gint64 *pid);

/* Ends the connection even where a forked child has inherited it, and destroys @socket. */
void capra_monitor_socket_end (GSocket *socket);

/* Sets the callback of @source, attaches it and returns it. */
GSource *capra_monitor_source_attach (GSource *source, GMainContext *context, GSourceFunc func, gpointer data);

/* Destroys the source, if there is one, and clears the pointer. */
void capra_monitor_source_clear (GSource **source);

G_END_DECLS
