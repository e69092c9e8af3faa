/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File-dialogs: the window's dialogs for opening and saving files. */
#pragma once

#include <gegl.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Called with the chosen file, unless the dialog was canceled. @object: as given to the dialog. */
typedef void (*CapraFileChosen) (gpointer object, GFile *file);
/* @files: (element-type GFile) */
typedef void (*CapraFilesChosen) (gpointer object, GListModel *files);
/* @bits: bits per channel: 8, 16, or 0 for values without rounding. */
typedef void (*CapraSaveChosen) (gpointer object, GFile *file, int bits);

/* Each shows a modal dialog; @object: (type GObject): @chosen is not called after its disposal. */
void capra_file_dialogs_open_image (GtkWindow *parent, CapraFileChosen chosen, gpointer object);
/* Several files, or folders. */
void capra_file_dialogs_add_images (GtkWindow *parent, gboolean folders, CapraFilesChosen chosen, gpointer object);
/* @folder: (nullable): the present choice */
void capra_file_dialogs_choose_folder (GtkWindow *parent, GFile *folder, CapraFileChosen chosen, gpointer object);
void capra_file_dialogs_open_graph (GtkWindow *parent, CapraFileChosen chosen, gpointer object);
void capra_file_dialogs_save_graph (GtkWindow *parent, CapraFileChosen chosen, gpointer object);
/* @image: the image that the result is computed from; @source: (nullable): its file. */
void capra_file_dialogs_save_result (GtkWindow *parent, GeglBuffer *image, GFile *source, CapraSaveChosen chosen,
                                     gpointer object);

/* Images by their type, and those by their ending whose type is not always known. */
GtkFileFilter *capra_file_dialogs_image_filter_new (void);

G_END_DECLS
