#!/bin/bash
# The hunts behind docs/findings/craft.md: how often each finding is met, 20,000 runs or 40 seconds
# each, nothing shrunk. From the project's root, after `make`: docs/findings/craft.sh [NAME]
set -u
schism=${SCHISM:-build/bin/schism}
plain="--explorer random"
more="--explorer random:timer.tick=70,submit=40" # more elections
hunt() {
  [ -n "${only:-}" ] && [ "$only" != "$1" ] && return
  printf '%s: schism hunt %s\n' "$1" "${*:2}"
  "$schism" hunt "${@:2}" --runs 20000 --time 40s --keep-going --no-shrink --quiet \
    --out "${OUT:-schism-out}/$1" | grep -E '^[0-9]+ runs|: violated in' | sed 's/^/  /'
}
only=${1:-}
hunt commands craft:progress=false --world links=fifo $plain
hunt commands+ craft:progress=false --world links=fifo $more
hunt crashes+ craft:progress=false --world links=fifo --faults crash=4,partition=2 $more
hunt crashes-timed craft:progress=false --world links=fifo --faults crash=4,partition=2 \
  --explorer timed:max=400ms,shape=exponential
hunt crashes-pctcp craft:progress=false --world links=fifo --faults crash=4 --explorer pctcp:depth=3
hunt crashes-pos craft:progress=false --world links=fifo --faults crash=4 --explorer pos
hunt transfers craft:transfers=40,progress=false --world links=fifo $plain
hunt transfers+ craft:transfers=40,progress=false --world links=fifo $more
hunt early craft:early=true,progress=false --world links=fifo $plain
hunt membership craft:members=3,membership=60,progress=false --nodes 5 --world links=fifo \
  $plain
hunt snapshots+ craft:snapshots=3,trailing=1,progress=false --faults crash=4,partition=2 \
  --world links=fifo $more
hunt disk craft:progress=false --faults disk-error=1 --world links=fifo $plain
hunt closes craft:closes=20,progress=false --world links=fifo $plain
hunt rollback+ craft:members=2,membership=60,own-role=false,snapshots=3,trailing=1,progress=false \
  --nodes 4 --faults crash=3 --world links=fifo $more
hunt background+ craft:batch=3,pre-vote=true,snapshots=3,async-snapshots=true,progress=false \
  --faults crash=3 --world links=fifo $more
hunt background-free+ craft:batch=3,pre-vote=true,snapshots=3,async-snapshots=true,progress=false \
  --faults crash=3 $more
hunt liveness+ craft --world links=fifo $more
joins=members=1,membership=60,own-role=false,batch=3,snapshots=3,trailing=1,async-snapshots=true
hunt join+ craft:$joins,progress=false --nodes 2 --world links=fifo --max-steps 400 $more
hunt beside-the-model craft:progress=false --model models/craft_guide.tla --faults crash=10 \
  --explorer modelfuzz --max-steps 3000 --tail 0s --seed 4000
hunt deadlock+ craft:members=2,membership=60 --nodes 2 --world links=fifo $more
hunt deadlock-crash+ craft:members=2,membership=60,own-role=false --nodes 2 --faults crash=1 \
  --world links=fifo $more
