# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the scripts of this folder, which source it.
n=0
failed=0

# report WHAT FINDINGS: one test, which passes if FINDINGS is empty.
report() {
  n=$((n + 1))
  if [ -n "$2" ]; then
    failed=1
    echo "not ok $n - $1"
    printf '%s\n' "$2" | sed 's/^/# /'
  else
    echo "ok $n - $1"
  fi
}
