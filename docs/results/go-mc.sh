#!/bin/sh
# Prints the tables of go-mc.md: docs/results/go-mc.sh [PROGRAM]. A few minutes; --quick: the short rows.
quick=""
[ "$1" = "--quick" ] && quick=1 && shift
schism=${1:-build/bin/schism}
case $schism in /*) ;; *) schism=$PWD/$schism ;; esac
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder" || exit 1

field() { grep -o "\"$1\": *\"\{0,1\}[^,\"}]*" out.json | head -n 1 | sed 's/.*[:"] *//'; }

# row LABEL COMMAND...: one line of a table, with CPU seconds and peak memory of the process
row() {
  label=$1; shift
  /usr/bin/time -q -o used -f '%U s | %M kB' "$schism" "$@" > out.json
  verdict=$(field verdict)
  [ -z "$verdict" ] && verdict=$([ "$(field violated)" = 0 ] && echo "nothing found" || echo violated)
  echo "| $label | $verdict | $(field runs) | $(field blocked) | $(field states) | $(cat used) |"
}
head_of_table() {
  printf '\n%s\n\n' "$1"
  echo "| workload, explorer | verdict | runs | blocked | states | CPU | memory |"
  echo "| --- | --- | --- | --- | --- | --- | --- |"
}
check="--no-estimate --json --quiet --time 600s"
hc="hierarchical-consensus"
gomc="--faults crash=1 --world down=empty,may-crash=1 --crashing exactly"

head_of_table "Table 1: the workloads of Go-MC's first test"
for e in prefix dpor:mode=sleep dpor:mode=source dpor dfs bfs; do
  row "$hc, 3 nodes, node 1 crashes, \`$e\`" check $hc:own-notice=true $gomc --explorer $e $check
done
row "reliable broadcast, 3 nodes, node 1 crashes, \`prefix\`, 1,000,000 runs" \
  check reliable-broadcast:self-delivery=only $gomc --explorer prefix --runs 1000000 $check
for e in dpor:mode=sleep dpor:mode=source dpor dfs; do
  row "reliable broadcast, the same, \`$e\`" check reliable-broadcast:self-delivery=only $gomc \
    --explorer $e $check
done

head_of_table "Table 3: the bug of Listing 6.1"
bug="$hc --bug advance-once"
row "1: 3 nodes, no crash, \`prefix\`" check $bug --explorer prefix $check
row "2: 3 nodes, node 0 crashes, \`prefix\`" check $bug --explorer prefix --faults crash=1 \
  --world may-crash=0 --crashing exactly $check
for e in dpor dfs; do
  row "3: 7 nodes, node 1 crashes, \`$e\`" check $bug --explorer $e --nodes 7 --faults crash=1 \
    --world may-crash=1 --crashing exactly $check
done
hunt="--explorer random --json --quiet --runs 10000"
row "4: 3 nodes, no crash, \`random\`" hunt $bug $hunt
row "5: 3 nodes, node 0 crashes, \`random\`" hunt $bug --faults crash=1 --world may-crash=0 $hunt
row "6: 7 nodes, node 1 crashes, \`random\`" hunt $bug --nodes 7 --faults crash=1 \
  --world may-crash=1 $hunt

[ -n "$quick" ] && exit 0

# Simulation 3 by other orders: how many of 50 find the bug within a minute of one core's time.
found=0
for seed in $(seq 1 50); do
  (ulimit -t 60
   exec "$schism" check $bug --explorer dpor:order-seed=$seed --nodes 7 --faults crash=1 \
     --world may-crash=1 --crashing exactly --no-estimate --json --quiet) > out.json 2> /dev/null
  [ "$(field verdict)" = violated ] && found=$((found + 1))
done
printf '\nsimulation 3: %s of 50 order seeds find it within a minute\n' "$found"
head_of_table "Verified completely"
for e in dpor:mode=sleep dpor:mode=source dpor dfs dfs:symmetry=true; do
  [ $e = dfs:symmetry=true ] ||
    row "hierarchical consensus, 4 nodes, any one crash, \`$e\`" check $hc --nodes 4 \
    --faults crash=1 --explorer $e $check
  row "reliable broadcast, 4 nodes, any one crash, \`$e\`" check reliable-broadcast --nodes 4 \
    --faults crash=1 --explorer $e $check
  [ $e = dfs:symmetry=true ] ||
    row "Paxos, 2 proposers, 3 acceptors, \`$e\`" check paxos --explorer $e $check
  row "two-phase commit, 5 resource managers, \`$e\`" check two-phase-commit --nodes 6 \
    --explorer $e $check
done
