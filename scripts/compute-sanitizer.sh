#!/usr/bin/env bash
# Runs every structure of kernels for a few steps on small meshes under NVIDIA's compute-sanitizer: one line for each structure and tool
# with the number of errors. Exit code 1 if there are any. Needs the program, compute-sanitizer and a GPU; makes its own meshes.
set -euo pipefail

usage() {
  cat <<'END'
usage: scripts/compute-sanitizer.sh [options]
  --galerna FILE     the program (build/galerna)
  --sanitizer FILE   compute-sanitizer (on the path, or in /usr/local/cuda/bin)
  --device NAME      cuda, cuda:N; cpu to try the script itself (cuda)
  --tools "T …"      of compute-sanitizer (memcheck racecheck initcheck)
  --only PATTERN     structures whose names match this pattern of the shell, for example 'tiles-*'
  --meshes FOLDER    take the meshes triangles.msh, quadrilaterals.msh, mixed.msh and curved.msh from there where they are, with
                     boundaries left and right (periodic), bottom and top of the unit square
  --work FOLDER      keep cases, kernels and logs there (a temporary folder that is removed)
  --steps N          time steps (3)
  --cells N          of a mesh along each side (18)
  --jobs N           runs at a time (4)
  --list             print the names of all structures and end
END
}

galerna=$(dirname "$0")/../build/galerna
sanitizer="" device=cuda tools="memcheck racecheck initcheck" only="*" meshes="" work="" steps=3 cells=18 jobs=4 list=no
while [ $# -gt 0 ]; do
  case $1 in
    --help) usage; exit 0 ;;
    --list) list=yes; shift; continue ;;
    --galerna | --sanitizer | --device | --tools | --only | --meshes | --work | --steps | --cells | --jobs)
      [ $# -ge 2 ] || { echo "$1 needs a value" >&2; exit 2; }
      declare "${1#--}=$2"; shift 2 ;;
    *) echo "$1 is no option" >&2; usage >&2; exit 2 ;;
  esac
done

# name  mesh  equations  order  precision  further lines of the case (section by section, \n between lines)
structures() {
  cat <<'END'
threads-p1             triangles       euler          1  double
threads-p2             triangles       euler          2  double
threads-p3-single      triangles       euler          3  single
tiles-p3               triangles       euler          3  double
tiles-p5               triangles       euler          5  double
dense-viscous-p2       triangles       navier-stokes  2  double
tiles-viscous-p3       triangles       navier-stokes  3  double
tiles-viscous-p4       triangles       navier-stokes  4  double
tensor-p3              quadrilaterals  euler          3  double
tensor-p2-single       quadrilaterals  euler          2  single
tensor-viscous-p3      quadrilaterals  navier-stokes  3  double
mixed-p2               mixed           euler          2  double
mixed-p3               mixed           euler          3  double
mixed-viscous-p2       mixed           navier-stokes  2  double
curved-p3              curved          euler          3  double
curved-viscous-p2      curved          navier-stokes  2  double
barth-jespersen-p1     triangles       euler          1  double  [shock]\nlimiter="barth-jespersen"\npositivity=true
hierarchical-p2        triangles       euler          2  double  [shock]\nlimiter="hierarchical"\nvariables="characteristic"
hierarchical-viscous   triangles       navier-stokes  2  double  [shock]\nlimiter="hierarchical"
positivity-p3          triangles       euler          3  double  [shock]\npositivity=true
local-steps-p2         triangles       euler          2  double  local
local-steps-viscous    triangles       navier-stokes  3  double  local
error-control-p2       triangles       euler          2  double  tolerance
source-p2              triangles       euler          2  double  [source]\nmomentum_y="-0.1*density"
source-mixed-p2        mixed           euler          2  double  [source]\nmomentum_y="-0.1*density"
averages-p1            triangles       euler          1  double  [output.averages]\nstart=0
user-equations-p2      triangles       user           2  double
user-equations-mixed   mixed           user           2  double
END
}
if [ $list = yes ]; then structures | awk '{ print $1 }'; exit 0; fi

command -v "$galerna" >/dev/null || { echo "$galerna is not there: build it, or name it with --galerna" >&2; exit 2; }
galerna=$(readlink -f "$(command -v "$galerna")")
if [ -z "$sanitizer" ]; then
  sanitizer=$(PATH=$PATH:/usr/local/cuda/bin command -v compute-sanitizer) || {
    echo "compute-sanitizer is not there: it comes with the CUDA toolkit; name it with --sanitizer" >&2; exit 2; }
fi
if [ -z "$work" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
work=$(readlink -f "$work")

# The unit square as n × n cells of a kind in Gmsh's format 2.2: triangles and quadrilaterals with nodes moved at random, both beside each
# other (mixed), and both with curved sides (curved, of order 2).
write_mesh() {
  awk -v kind="$1" -v n="$cells" '
    function node(i, j) { return j * (o * n + 1) + i + 1 }
    function element(type, group, nodes) { elements[++count] = count " " type " 2 " group " " group " " nodes }
    function side(group, a, m, b) { element(o == 1 ? 1 : 8, group, o == 1 ? a " " b : a " " b " " m) }
    function triangle(ai, aj, bi, bj, ci, cj,   text) {
      text = node(ai, aj) " " node(bi, bj) " " node(ci, cj)
      if (o == 2)
        text = text " " node((ai + bi) / 2, (aj + bj) / 2) " " node((bi + ci) / 2, (bj + cj) / 2) " " node((ci + ai) / 2, (cj + aj) / 2)
      element(o == 1 ? 2 : 9, 5, text)
    }
    BEGIN {
      o = kind == "curved" ? 2 : 1
      pi = 3.141592653589793
      print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5"
      print "1 1 \"left\"\n1 2 \"right\"\n1 3 \"bottom\"\n1 4 \"top\"\n2 5 \"gas\"\n$EndPhysicalNames\n$Nodes"
      print (o * n + 1) ^ 2
      for (j = 0; j <= o * n; ++j)
        for (i = 0; i <= o * n; ++i) {
          x = i / (o * n); y = j / (o * n); dx = dy = 0
          if (o == 2) { dx = 0.03 * sin(2 * pi * x) * sin(2 * pi * y); dy = -dx }
          else if (i > 0 && i < n && j > 0 && j < n) { dx = 0.15 / n * sin(12.9 * i + 78.2 * j); dy = 0.15 / n * sin(39.3 * i + 11.1 * j) }
          printf "%d %.16g %.16g 0\n", node(i, j), x + dx, y + dy
        }
      print "$EndNodes\n$Elements"
      last = o * n; half = o / 2
      for (k = 0; k < last; k += o) {
        side(1, node(0, k), node(0, k + half), node(0, k + o))
        side(2, node(last, k), node(last, k + half), node(last, k + o))
        side(3, node(k, 0), node(k + half, 0), node(k + o, 0))
        side(4, node(k, last), node(k + half, last), node(k + o, last))
      }
      for (j = 0; j < last; j += o)
        for (i = 0; i < last; i += o)
          if (kind == "quadrilaterals" || (kind != "triangles" && 2 * i < last)) {
            text = node(i, j) " " node(i + o, j) " " node(i + o, j + o) " " node(i, j + o)
            if (o == 2)
              text = text " " node(i + 1, j) " " node(i + 2, j + 1) " " node(i + 1, j + 2) " " node(i, j + 1) " " node(i + 1, j + 1)
            element(o == 1 ? 3 : 10, 5, text)
          } else {
            triangle(i, j, i + o, j, i + o, j + o)
            triangle(i, j, i + o, j + o, i, j + o)
          }
      print count
      for (k = 1; k <= count; ++k) print elements[k]
      print "$EndElements"
    }'
}

for kind in triangles quadrilaterals mixed curved; do
  if [ -n "$meshes" ] && [ -f "$meshes/$kind.msh" ]; then cp "$meshes/$kind.msh" "$work"; else write_mesh $kind >"$work/$kind.msh"; fi
done
cat >"$work/burgers.hpp" <<'END'
#pragma once
#include "kernels/array.hpp"
#include "kernels/lane.hpp"
namespace galerna::kernels {
template <int dimension, class Parameters>
struct Burgers {
  static constexpr int variables = 1;
  template <class V>
  static Array<V, variables> flux(const Array<V, variables>& u, const Array<V, dimension>& a) {
    V sum = V(0);
    for (int d = 0; d < dimension; ++d) sum += a[d];
    return {{number<V>(0.5) * u[0] * u[0] * sum}};
  }
  template <class V>
  static V largest_wave_speed(const Array<V, variables>& u) {
    return number<V>(1.4142135623730951) * abs(u[0]);
  }
};
}  // namespace galerna::kernels
END

write_case() {  # mesh equations order further-lines
  local state wall='type = "slip-wall"' far
  printf '[mesh]\nfile = "%s.msh"\nperiodic = [ { from = "left", to = "right", translation = [1, 0] } ]\n' "$1"
  printf '[discretization]\norder = %s\n[output]\nsolution = false\n' "$3"
  if [ "$2" = user ]; then
    printf '[equations]\ntype = "user"\nheader = "burgers.hpp"\nname = "Burgers"\nvariables = ["c"]\n'
    state='c = "1 + 0.2*sin(2*pi*x)"'
    wall='type = "supersonic-outflow"'
    far="type = \"dirichlet\"\\n$state"
  else
    state='density = "1 + 0.2*sin(2*pi*x)"\nvelocity_x = 0.4\nvelocity_y = "0.1*y"\npressure = 1'
    far="type = \"far-field\"\\n$state"
    printf '[equations]\ntype = "%s"\n' "$2"
    if [ "$2" = navier-stokes ]; then
      printf 'mu = 1e-3\nprandtl = 0.72\n'
      wall='type = "no-slip-adiabatic"'
    fi
  fi
  printf "[initial]\n$state\n[exact]\n$state\n[boundary.bottom]\n$wall\n[boundary.top]\n$far\n"
  case $4 in
    local) printf '[time]\nlocal = true\ncfl = 0.4\nsteady = 1e-12\n' ;;
    tolerance) printf '[time]\nscheme = "ssprk43"\ntolerance = 1e-4\nend = 1\n' ;;
    "[shock]"*) printf "[time]\nscheme = \"ssprk33\"\ncfl = 0.1\nend = 1\n$4\n" ;;
    *) printf "[time]\nscheme = \"rk4\"\ncfl = 0.4\nend = 1\n$4\n" ;;
  esac
}

run_words() {  # name precision: sets `words`
  words=(run "$work/$1.toml" --device "$device" --precision "$2" --set "time.max_steps=$steps" --output "$work/$1.out" --quiet)
}

# Fills the cache of kernels, which also shows whether the case runs at all.
prepare() {  # name precision
  local words
  run_words "$1" "$2"
  "$galerna" "${words[@]}" >"$work/$1.log" 2>&1 || echo "fails without sanitizer" >"$work/$1.failed"
}

examine() {  # name precision tool
  local words log=$work/$1.$3.log code=0 errors
  run_words "$1" "$2"
  words[$((${#words[@]} - 2))]+=.$3
  "$sanitizer" --tool "$3" --log-file "$log" "$galerna" "${words[@]}" >"$log.output" 2>&1 || code=$?
  [ -f "$log" ] || : >"$log"
  # "ERROR SUMMARY: 2 errors"; racecheck: "RACECHECK SUMMARY: 3 hazards displayed (2 errors, 1 warning)"
  errors=$(sed -n -E 's/.*RACECHECK SUMMARY: ([0-9]+) hazard.*/\1/p; s/.*ERROR SUMMARY: ([0-9]+) error.*/\1/p' "$log" | sort -n | tail -1)
  if [ -z "$errors" ]; then
    echo "no summary (exit code $code)" >"$log.result"
    tail -5 "$log" "$log.output" >"$log.shown" 2>/dev/null || true
  elif [ "$errors" -eq 0 ] && [ $code -eq 0 ]; then
    echo "0 errors" >"$log.result"
  else
    echo "$errors errors (exit code $code)" >"$log.result"
    grep -E '=========' "$log" | head -12 >"$log.shown" || true
  fi
}

selected=()
while read -r name mesh equations order precision more; do
  # shellcheck disable=SC2254
  case $name in $only) ;; *) continue ;; esac
  write_case "$mesh" "$equations" "$order" "$more" >"$work/$name.toml"
  selected+=("$name $precision")
done < <(structures)
[ ${#selected[@]} -gt 0 ] || { echo "no structure matches $only (--list names them)" >&2; exit 2; }

export GALERNA_CACHE=$work/kernels
in_parallel() { while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do sleep 0.1; done; }
for one in "${selected[@]}"; do
  in_parallel
  prepare $one &
done
wait
for one in "${selected[@]}"; do
  for tool in $tools; do
    in_parallel
    [ -f "$work/${one% *}.failed" ] || examine $one "$tool" &
  done
done
wait

bad=0
for one in "${selected[@]}"; do
  name=${one% *}
  if [ -f "$work/$name.failed" ]; then
    printf '%-22s %-10s %s\n' "$name" - "$(cat "$work/$name.failed")"
    tail -5 "$work/$name.log" | sed 's/^/    /'
    bad=1
    continue
  fi
  for tool in $tools; do
    result=$(cat "$work/$name.$tool.log.result" 2>/dev/null || echo "no result")
    printf '%-22s %-10s %s\n' "$name" "$tool" "$result"
    [ "$result" = "0 errors" ] && continue
    bad=1
    [ -f "$work/$name.$tool.log.shown" ] && sed 's/^/    /' "$work/$name.$tool.log.shown"
  done
done
exit $bad
