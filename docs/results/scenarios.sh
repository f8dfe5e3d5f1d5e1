#!/bin/sh
# Prints the table of scenarios.md: docs/results/scenarios.sh [PROGRAM]. A few minutes.
schism=${1:-build/bin/schism}
case $schism in /*) ;; *) schism=$PWD/$schism ;; esac
kept=$PWD/systems/craft/kept
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder" || exit 1

# row NAME TRACE FLAGS...: the script's and the open scenario's line
row() {
  name=$1; trace=$2; shift 2
  "$schism" scenario "$trace" --json -o out.scenario "$@" > out.json || { echo "| $name | not written |"; return; }
  [ -n "$KEEP" ] && cp out.scenario "$KEEP/$name.scenario"
  awk -v name="$name" '
    function of(key) { match($0, "\"" key "\":\"?[^,\"}]*"); s = substr($0, RSTART, RLENGTH)
                       sub(/.*[:"]/, "", s); return RLENGTH > 0 ? s : "-" }
    /"form":"script"/ { actions = of("actions"); script = of("random") " / " of("pctcp") " / " of("pos") }
    /"form":"open"/ { printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", name, actions, script,
                      of("filters"), of("random"), of("pctcp"), of("pos"), of("two_nodes_more") }' out.json
}
# found NAME HUNT...: by a plain strategy, made small
found() {
  name=$1; shift
  rm -rf found
  "$schism" hunt "$@" --jobs 1 --out found > hunt.txt
  row "$name" "$(find found -name bug.trace | head -n 1)"
}

echo "| find | actions | script: random / pctcp / pos | open: steps and filters | random | pctcp | pos | two nodes more |"
echo "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |"
raft="--explorer random --nodes 3 --max-steps 1000"
found raft-quorum-third raft:progress=false,requests=5 --bug quorum-third --explorer random
found raft-vote-not-persisted raft:progress=false,requests=2 --bug vote-not-persisted --nodes 3 --max-steps 300 --faults crash=10 --explorer random:crash=5,timer.election=20
found raft-ack-before-sync raft:progress=false,requests=10 --bug ack-before-sync $raft --faults crash=6
found raft-conflict-not-truncated raft:progress=false,requests=20 --bug conflict-not-truncated $raft --faults partition=4
found raft-truncate-without-conflict raft:progress=false,requests=20 --bug truncate-without-conflict $raft
found raft-stale-term-response raft:progress=false,requests=2 --bug stale-term-response --nodes 3 --explorer random:timer.election=40
found raft-vote-without-log-check raft:progress=false,requests=20 --bug vote-without-log-check $raft
found raft-retry-applied-twice raft:progress=false --bug retry-applied-twice $raft --faults duplicate=5
found multipaxos-no-phase-one multipaxos --bug no-phase-one
found paxos-small-quorum paxos --bug small-quorum --explorer random
found two-phase-commit-commit-early two-phase-commit --bug commit-early --explorer random
for name in failed-write-of-a-leader lone-voter-leads-beside-the-leader two-votes-in-a-term; do
  row "craft-$name" "$kept/$name.trace" --effort 5
done
