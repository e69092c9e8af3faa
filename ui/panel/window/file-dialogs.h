/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File-dialogs: the window's dialogs for opening and saving files. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/window/document.h"

G_BEGIN_DECLS

/* Called with the chosen file, unless the dialog was canceled. @object: as given to the dialog. */
typedef void (*CapraFileChosen) (gpointer object, GFile *file);
/* @files: (element-type GFile) */
typedef void (*CapraFilesChosen) (gpointer object, GListModel *files);
/* @bits: as capra_save() takes them. */
typedef void (*CapraSaveChosen) (gpointer object, GFile *file, int bits);

/* Each shows a modal dialog; @object: (type GObject): @chosen is not called after its disposal. */
void capra_file_dialogs_open_image (GtkWindow *parent, CapraFileChosen chosen, gpointer object);
/* The image that @result was made from, probably in the same folder. */
void capra_file_dialogs_open_original (GtkWindow *parent, GFile *result, CapraFileChosen chosen, gpointer object);
/* Several files, or folders. */
void capra_file_dialogs_add_images (GtkWindow *parent, gboolean folders, CapraFilesChosen chosen, gpointer object);
/* @folder: (nullable): the present choice */
void capra_file_dialogs_choose_folder (GtkWindow *parent, GFile *folder, CapraFileChosen chosen, gpointer object);
void capra_file_dialogs_open_graph (GtkWindow *parent, CapraFileChosen chosen, gpointer object);
void capra_file_dialogs_save_graph (GtkWindow *parent, CapraFileChosen chosen, gpointer object);
/* @document: has an image */
void capra_file_dialogs_save_result (GtkWindow *parent, CapraDocument *document, CapraSaveChosen chosen,
                                     gpointer object);

/* Images by their type, and those by their ending whose type is not always known. */
GtkFileFilter *capra_file_dialogs_image_filter_new (void);

G_END_DECLS
