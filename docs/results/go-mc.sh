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

# The six rows as Go-MC ran them: its scheduler, and its limits of runs
# (1,000 by default, 10,000 for the register).
most="--runs 1000"
rr="regular-register:self-delivery=only"
mp="multipaxos:self-delivery=only,own-notice=true"
px="paxos:proposers=3"
head_of_table "Table 1: its six rows, as Go-MC ran them"
row "hierarchical consensus (Sender and gRPC), \`prefix\`" check $hc:own-notice=true $gomc \
  --explorer prefix $most $check
row "eager reliable broadcast, \`prefix\`" check reliable-broadcast:self-delivery=only $gomc \
  --explorer prefix $most $check
row "majority voting regular register, \`random\`" check $rr --explorer random:runs=10000 $check
row "Paxos, \`random\`" check $px --nodes 6 $gomc --explorer random:runs=1000 $check
row "Multipaxos, \`prefix\`" check $mp $gomc --explorer prefix $most $check
head_of_table "Table 1: the rest of it, all runs"
for e in dpor dfs; do
  row "majority voting regular register, \`$e\`" check $rr --explorer $e --no-estimate --json \
    --quiet --time 60s
  row "Multipaxos, \`$e\`" check $mp $gomc --explorer $e --no-estimate --json --quiet --time 60s
done

# Figures 7 and 9: CPU seconds of ten repetitions of each.
ten() {
  label=$1; shift
  /usr/bin/time -q -o used -f '%U' sh -c 'i=0; while [ $i -lt 10 ]; do "$@" > out.json; i=$((i+1)); done' \
    ten "$schism" "$@"
  echo "| $label | $(field runs) | $(cat used) s |"
}
ten_head() { printf '\n%s\n\n| | runs of one | CPU, ten times |\n| --- | --- | --- |\n' "$1"; }
ten_head "Figure 7: ten simulations of each row of Table 1"
ten "hierarchical consensus (Sender and gRPC)" check $hc:own-notice=true $gomc --explorer prefix \
  $most $check
ten "eager reliable broadcast" check reliable-broadcast:self-delivery=only $gomc \
  --explorer prefix $most $check
ten "majority voting regular register" check $rr --explorer random:runs=10000 $check
ten "Paxos" check $px --nodes 6 $gomc --explorer random:runs=1000 $check
ten "Multipaxos" check $mp $gomc --explorer prefix $most $check
ten_head "Figure 9: ten simulations of each scenario of Table 2"
nine="$hc --bug advance-once"
one_down="--faults crash=1 --crashing exactly"
for e in prefix random:runs=1000; do
  ten "N 3, C 0, \`$e\`" check $nine --explorer $e $most $check
  ten "N 3, C 1, \`$e\`" check $nine $one_down --world may-crash=0 --explorer $e $most $check
  ten "N 7, C 1, \`$e\`" check $nine --nodes 7 $one_down --world may-crash=1 --explorer $e $most \
    $check
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
