#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the rows of the README's table of operations from plugin/operations/operations.ini.
# Usage: operations-rows.sh SOURCE_FOLDER
awk '/^\[/ { name = substr ($0, 2, length - 2) }
  /^summary = / { sub (/^summary = /, ""); print "| `capra:" name "` | " $0 " |" }' \
  "$1/plugin/operations/operations.ini"
