/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-private: what the files of the window share. */
#pragma once

#include "ui/panel/monitor/devices-view.h"
#include "ui/panel/widgets/progress-toast.h"
#include "ui/panel/steps/step-list.h"
#include "ui/panel/window/window.h"

G_BEGIN_DECLS

struct _CapraPanelWindow {
  AdwApplicationWindow parent_instance;
  /* Of the template: */
  AdwToastOverlay *toasts;
  AdwWindowTitle *title;
  GtkWidget *open_button, *save_button, *effects_button, *sidebar_button, *original_button;
  GtkInfoBar *banner;
  GtkLabel *banner_text;
  GtkButton *banner_button;
  AdwFlap *flap;
  GtkStack *stack;
  GtkLabel *loading_text;
  GtkOverlay *overlay;
  CapraCanvas *canvas;
  GtkProgressBar *progress;
  GtkWidget *strip;
  GtkLabel *pointer_text, *time_text;
  GtkSpinner *spinner;
  GtkMenuButton *zoom_button;
  AdwViewStack *pages;

  CapraStepList *steps;
  CapraDevicesView *devices;
  CapraStepModel *pipeline;
  GeglBuffer *image;
  CapraPyramid *pyramid; /* of the image */
  GFile *file;           /* NULL within a host */
  CapraPreview *before, *after;
  CapraPanelApply apply;
  gpointer apply_data;
  GCancellable *applying;    /* while the host is at it */
  CapraProgressToast *toast; /* of that */
  gboolean lost;             /* the host's image has gone */
  gboolean closing;          /* as soon as the host has stopped, or all is saved */
  GPtrArray *savings;        /* GCancellable of each file that is being saved */
  char *saving;              /* the name of the last one */
  guint inhibitor;           /* of the session's end, meanwhile */
  GtkWindow *question;       /* whether to wait for them, while it is open */
  char *saved;               /* the steps as they were saved last, as XML */
  GCancellable *loading;
  gboolean opening_data; /* whether its numbers are loaded as they are */
  GFile *opening;        /* what is being loaded, or could not be */
  char *offered;         /* the pipeline that the image carries, as XML, while the banner offers it */
  GtkWidget *timing_overlay;
  gint64 changed_at;      /* when the steps changed last */
  guint64 records_before; /* that */
  gboolean timed;         /* whether the overlay shows that change */
  GtkWidget *histogram;
  guint histogram_timer;
  guint looking;              /* timer of the status, while the preview is at work */
  gboolean counting, recount; /* a count is under way; another one is to follow */
  GSettings *settings;        /* NULL where the schema is not installed */
};

/* Shows @buffer; @file may be NULL. */
void capra_panel_window_set_image (CapraPanelWindow *self, GeglBuffer *buffer, GFile *file, const char *name);
/* In the class: those without a state. */
void capra_panel_window_install_actions (gpointer klass);
void capra_panel_window_add_actions (CapraPanelWindow *self);
/* @enabled: of the actions that need an image */
void capra_panel_window_enable_actions (CapraPanelWindow *self);
/* The strip below the image. */
void capra_panel_window_update_view (CapraPanelWindow *self);
void capra_panel_window_update_pointer (CapraPanelWindow *self);
void capra_panel_window_update_status (CapraPanelWindow *self);
/* Looks at it now and then from now on until the preview is done: the preview itself announces pictures. */
void capra_panel_window_watch_status (CapraPanelWindow *self);
/* (nullable): what work waits for: kernels that are being built for the first use of a device. */
const char *capra_panel_window_get_preparation (void);
/* Opens the image again if the pipeline now takes its numbers as they are, or does so no more. */
void capra_panel_window_follow_raw_values (CapraPanelWindow *self);
/* Files: dialogs and what follows them. */
void capra_panel_window_open_dialog (CapraPanelWindow *self);
void capra_panel_window_open_graph_dialog (CapraPanelWindow *self);
void capra_panel_window_save_graph_dialog (CapraPanelWindow *self);
void capra_panel_window_save_dialog (CapraPanelWindow *self);
/* Counts a file that is being saved: closing waits for it, and the session's end does. */
void capra_panel_window_begin_saving (CapraPanelWindow *self, GCancellable *cancellable, const char *name);
/* @failed: with an error that is to be seen. Closes the window if that was asked for meanwhile. */
void capra_panel_window_end_saving (CapraPanelWindow *self, GCancellable *cancellable, gboolean failed);
/* Returns: whether the window has to wait before it closes; then it has asked a person. */
gboolean capra_panel_window_wait_for_saving (CapraPanelWindow *self);
/* @steps: were written to a file. */
void capra_panel_window_mark_saved (CapraPanelWindow *self, GPtrArray *steps);
/* Within a host. */
void capra_panel_window_apply (CapraPanelWindow *self, CapraPanelHow how);
/* Returns: whether the window has to wait for the host before it closes. */
gboolean capra_panel_window_stop_applying (CapraPanelWindow *self);
/* The overlay over the image: the steps have changed; the view has come so far. */
void capra_panel_window_start_timing (CapraPanelWindow *self);
void capra_panel_window_finish_timing (CapraPanelWindow *self, const CapraPreviewStatus *status);
/* Above the steps. */
void capra_panel_window_add_histogram (CapraPanelWindow *self);
void capra_panel_window_update_histogram (CapraPanelWindow *self);
/* Says it in passing. */
void capra_panel_window_toast (CapraPanelWindow *self, const char *message);
void capra_panel_window_hide_banner (CapraPanelWindow *self);
/* Pages of the sidebar, and what lies over the image. */
void capra_panel_window_add_pages (CapraPanelWindow *self);
/* Devices that a step's message complains of. */
void capra_panel_window_show_failures (CapraPanelWindow *self);

G_END_DECLS
