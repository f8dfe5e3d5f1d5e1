#!/bin/sh
# The rows of docs/results/byzzfuzz.md: for each (c, d) 200 runs, small and any scope. The first
# violation ends a run, so that a run counts once. Usage: byzzfuzz.sh [path of schism]
schism=${1:-build/bin/schism}
bugs="--bug digest-unchecked --bug slot-votes-unbound --bug prepared-lost --bug o-off-by-one
  --bug timers-cleared --bug reply-quorum --bug new-view-trusted"
row() {
  # shellcheck disable=SC2086
  $schism hunt pbft $bugs --liars 1 --faults drop=1000,mutate=1000,omit=1000,inject=1000 \
    --explorer "byzzfuzz:c=$1,d=$2,r=8,scope=$3,as=$4" --runs 200 --keep-going --no-shrink \
    --jobs 1 --out "$(mktemp -d)" |
    awk -v row="$1,$2 $3 $4" '
      /: violated in [0-9]+ runs?,/ { sub(":", "", $1); n[$1] += $4 }
      END { printf "%-24s T %3d  V %3d  A %3d  I %3d\n", row, n["termination"], n["validity"],
            n["agreement"], n["integrity"] }'
}
for as in intended released; do
  row 0 1 baseline $as
  for cd in "0 1" "0 2" "1 0" "1 1" "1 2" "2 0" "2 1" "2 2"; do
    for scope in small any; do
      # shellcheck disable=SC2086
      row $cd $scope $as
    done
  done
done
