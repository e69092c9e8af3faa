/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value-text: values of properties as the text of GEGL's command line and XML. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

#define CAPRA_PANEL_ERROR (capra_panel_error_quark ())
GQuark capra_panel_error_quark (void);

typedef enum {
  CAPRA_PANEL_ERROR_SYNTAX,    /* text that cannot be read */
  CAPRA_PANEL_ERROR_OPERATION, /* an operation or property that is not there */
  CAPRA_PANEL_ERROR_VALUE,     /* a value that does not fit */
  CAPRA_PANEL_ERROR_BRANCH,    /* a graph that is more than a list of steps */
  CAPRA_PANEL_ERROR_FILE,      /* a file that cannot be read or written */
} CapraPanelError;

/* %NULL for values that have no text, such as a buffer (g_free). */
char *capra_value_to_text (const GValue *value);

/* Fills @value (uninitialised); a number out of its range is an error, too. */
gboolean capra_value_from_text (GParamSpec *property, const char *text, GValue *value, GError **error);

G_END_DECLS
