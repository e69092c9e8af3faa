# SPDX-License-Identifier: GPL-3.0-or-later
# The table of gimp-effects.sh. Each line of its input has, separated by tabs: GIMP's version, the size, the format, the
# operation, whose it is (capra or gegl), the case, and the medians of the times until the first and the last chunk.

function time(t) {
  return t < 1e6 ? sprintf("%.*f", t < 10, t) : "-"
}

# The ratio of the operations alone, without the time that GIMP takes by itself, with pass-on; -1 if that is not known.
function net_ratio(what, c, g,    own) {
  if (operation == "pass-on" || last[group, "pass-on", "gegl", what] == "")
    return -1
  own = (last[group, "pass-on", "capra", what] + last[group, "pass-on", "gegl", what]) / 2
  return g > own ? (c > own ? (c - own) / (g - own) : 0) : -1
}

# Capra's time, GEGL's own, and their ratio. Also lists what is slow and takes more than 10 ms.
function cell(what,    c, g, net, name) {
  c = last[group, operation, "capra", what]
  g = last[group, operation, "gegl", what]
  if (c == "" || g == "")
    return sprintf("%20s", "")
  name = sprintf("\n  GIMP %s, %s, %s: ", group, operation, what)
  if (c / g > 0.7 && c > 10)
    above = above name sprintf("%.2f", c / g)
  net = net_ratio(what, c, g)
  if (net >= 0 && c > 10)
    alone = alone name sprintf("%.2f", net)
  c_first = first[group, operation, "capra", what]
  g_first = first[group, operation, "gegl", what]
  if (c_first > g_first + 10)
    later = later name time(c_first) " / " time(g_first)
  return sprintf("%7s /%6s %5.2f", time(c), time(g), c / g)
}

function print_group(    names, n, k, three) {
  three = group ~ /^3/
  printf "\n%-26s %20s %20s %20s %20s %20s\n", "GIMP " group, "first", "composite", "slider", three ? "stroke" : "ok",
         three ? "release" : ""
  n = split(operations[group], names, " ")
  for (k = 1; k <= n; k++) {
    operation = names[k]
    printf "%-26s %s %s %s %s %s\n", operation, cell("first"), cell("composite"), cell("slider"),
           cell(three ? "stroke" : "ok"), cell("release")
  }
}

BEGIN {
  FS = "\t"
}

{
  group = $1 " " $2 " " $3
  if (!(group in operations))
    groups[++n_groups] = group
  if (!((group, $4) in seen))
    operations[group] = operations[group] " " $4
  seen[group, $4] = 1
  first[group, $4, $5, $6] = $7
  last[group, $4, $5, $6] = $8
}

END {
  for (i = 1; i <= n_groups; i++) {
    group = groups[i]
    print_group()
  }
  if (above)
    print "\nabove 0.7 of GEGL's own:" above
  if (alone)
    print "\nwithout the time of pass-on, which GIMP takes by itself:" alone
  if (later)
    print "\nthe first chunk later than GEGL's own:" later
}
