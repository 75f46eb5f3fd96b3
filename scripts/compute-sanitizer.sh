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
                     boundaries left and right (periodic), bottom and top of the unit square; tetrahedra.msh, curved-tets.msh and
                     solids.msh of the unit cube
  --work FOLDER      keep cases, kernels and logs there (a temporary folder that is removed)
  --steps N          time steps (3)
  --cells N          of a mesh along each side (18), in space a sixth
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
space-threads-p1       tetrahedra      euler          1  double
warp-tiles-p2-single   tetrahedra      euler          2  single
warp-tiles-p3          tetrahedra      euler          3  double
warp-tiles-p4          tetrahedra      euler          4  double
warp-tiles-viscous-p3  tetrahedra      navier-stokes  3  double
curved-warp-tiles-p3   curved-tets     euler          3  double
curved-warp-viscous-p2 curved-tets     navier-stokes  2  double
solids-p2              solids          euler          2  double
solids-p3              solids          euler          3  double
solids-viscous-p1      solids          navier-stokes  1  double
limited-tetrahedra-p1  tetrahedra      euler          1  double  [shock]\nlimiter="barth-jespersen"\npositivity=true
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

# The unit cube as cubes with nodes moved: each cut into six tetrahedra, straight or curved (curved-tets, of order 2), or columns of hexahedra, pairs
# of prisms and six pyramids around the centre by turns (solids). Boundaries bottom and top are those of both y and z.
write_space_mesh() {
  awk -v kind="$1" -v cells="$cells" '
    function node(i, j, k) { return (k * (o * n + 1) + j) * (o * n + 1) + i + 1 }
    function element(type, group, nodes) { elements[++count] = count " " type " 2 " group " " group " " nodes }
    # Of corners that are numbered as bits x + 2 y + 4 z of a cube: its node, and that between two of them.
    function at(c) { return node(i0 + o * (c % 2), j0 + o * (int(c / 2) % 2), k0 + o * int(c / 4)) }
    function between(a, b) {
      return node(i0 + (a % 2 + b % 2), j0 + (int(a / 2) % 2 + int(b / 2) % 2), k0 + (int(a / 4) + int(b / 4)))
    }
    function triangle(group, a, b, c) {
      if (o == 1) element(2, group, at(a) " " at(b) " " at(c))
      else element(9, group, at(a) " " at(b) " " at(c) " " between(a, b) " " between(b, c) " " between(c, a))
    }
    function tetrahedron(a, b, c, d,   text) {
      text = at(a) " " at(b) " " at(c) " " at(d)
      if (o == 2)
        text = text " " between(a, b) " " between(b, c) " " between(a, c) " " between(a, d) " " between(c, d) " " between(b, d)
      element(o == 1 ? 4 : 11, 5, text)
    }
    function quadrilateral(a, b, c, d) { return at(a) " " at(b) " " at(c) " " at(d) }
    # A side of the cube whose corners follow each other round it, the first the lowest of them, the third the highest.
    function side(group, a, b, c, d, cut) {
      if (cut) { triangle(group, a, b, c); triangle(group, a, c, d) } else element(3, group, quadrilateral(a, b, c, d))
    }
    function pyramid(a, b, c, d) { element(7, 5, quadrilateral(a, b, c, d) " " centre) }
    BEGIN {
      n = int(cells / 6); if (n < 2) n = 2
      o = kind == "curved-tets" ? 2 : 1; solids = kind == "solids"; pi = 3.141592653589793
      print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5"
      print "2 1 \"left\"\n2 2 \"right\"\n2 3 \"bottom\"\n2 4 \"top\"\n3 5 \"gas\"\n$EndPhysicalNames\n$Nodes"
      corners = (o * n + 1) ^ 3
      print corners + (solids ? n ^ 3 : 0)
      for (k = 0; k <= o * n; ++k) for (j = 0; j <= o * n; ++j) for (i = 0; i <= o * n; ++i) {
        x = i / (o * n); y = j / (o * n); z = k / (o * n); bump = sin(2 * pi * x) * sin(pi * y) * sin(pi * z)
        printf "%d %.16g %.16g %.16g\n", node(i, j, k), x + 0.03 * bump, y + 0.04 * bump, z - 0.03 * bump
      }
      if (solids) for (k = 0; k < n; ++k) for (j = 0; j < n; ++j) for (i = 0; i < n; ++i)
        printf "%d %.16g %.16g %.16g\n", corners + (k * n + j) * n + i + 1, (i + 0.5) / n, (j + 0.5) / n, (k + 0.5) / n
      print "$EndNodes\n$Elements"
      for (c = 0; c < n; ++c) for (b = 0; b < n; ++b) for (a = 0; a < n; ++a) {
        i0 = o * a; j0 = o * b; k0 = o * c; centre = corners + (c * n + b) * n + a + 1
        column = solids ? a % 3 : -1
        if (a == 0) side(1, 0, 2, 6, 4, !solids)
        if (a == n - 1) side(2, 1, 3, 7, 5, !solids)
        if (b == 0) side(3, 0, 1, 5, 4, !solids)
        if (b == n - 1) side(4, 2, 3, 7, 6, !solids)
        if (c == 0) side(3, 0, 1, 3, 2, !solids || column == 1)
        if (c == n - 1) side(4, 4, 5, 7, 6, !solids || column == 1)
        if (column == 0) element(5, 5, quadrilateral(0, 1, 3, 2) " " quadrilateral(4, 5, 7, 6))
        if (column == 1) {
          element(6, 5, at(0) " " at(1) " " at(3) " " at(4) " " at(5) " " at(7))
          element(6, 5, at(0) " " at(3) " " at(2) " " at(4) " " at(7) " " at(6))
        }
        if (column == 2) {
          pyramid(0, 1, 3, 2); pyramid(4, 6, 7, 5); pyramid(0, 4, 5, 1); pyramid(2, 3, 7, 6); pyramid(0, 2, 6, 4); pyramid(1, 5, 7, 3)
        }
        if (column == -1) {
          tetrahedron(0, 1, 3, 7); tetrahedron(0, 3, 2, 7); tetrahedron(0, 2, 6, 7)
          tetrahedron(0, 6, 4, 7); tetrahedron(0, 4, 5, 7); tetrahedron(0, 5, 1, 7)
        }
      }
      print count
      for (k = 1; k <= count; ++k) print elements[k]
      print "$EndElements"
    }'
}

make_mesh() {  # function kind
  if [ -n "$meshes" ] && [ -f "$meshes/$2.msh" ]; then cp "$meshes/$2.msh" "$work"; else "$1" "$2" >"$work/$2.msh"; fi
}
for kind in triangles quadrilaterals mixed curved; do make_mesh write_mesh $kind; done
space_meshes="tetrahedra curved-tets solids"
for kind in $space_meshes; do make_mesh write_space_mesh "$kind"; done
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
  local state wall='type = "slip-wall"' far third_zero="" third_component=""
  case " $space_meshes " in *" $1 "*) third_zero=", 0" third_component='\nvelocity_z = 0' ;; esac
  printf '[mesh]\nfile = "%s.msh"\nperiodic = [ { from = "left", to = "right", translation = [1, 0%s] } ]\n' "$1" "$third_zero"
  printf '[discretization]\norder = %s\n[output]\nsolution = false\n' "$3"
  if [ "$2" = user ]; then
    printf '[equations]\ntype = "user"\nheader = "burgers.hpp"\nname = "Burgers"\nvariables = ["c"]\n'
    state='c = "1 + 0.2*sin(2*pi*x)"'
    wall='type = "supersonic-outflow"'
    far="type = \"dirichlet\"\\n$state"
  else
    state='density = "1 + 0.2*sin(2*pi*x)"\nvelocity_x = 0.4\nvelocity_y = "0.1*y"'$third_component'\npressure = 1'
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
