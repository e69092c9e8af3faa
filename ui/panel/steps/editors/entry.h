/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entry: what editors share whose control is an entry with the value's text. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

/* A CapraEditorClass.show for editors whose control is a GtkEntry. */
void capra_entry_show (CapraEditor *editor, const GValue *value);
/* @signal: of @entry, when @editor takes its text: "changed" or "activate" */
void capra_entry_connect (CapraEditor *editor, GtkWidget *entry, const char *signal);

G_END_DECLS
