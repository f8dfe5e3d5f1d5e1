#!/usr/bin/env python3
"""The micro-benchmark of ModelFuzz in our world: first finding run, and model states covered.

  python3 experiments/modelfuzz.py PROGRAM [TRIALS [RUNS]]

For m workers and n tasks: the median first run that finds the bug under each guidance (a trial that
does not find it counts as more than RUNS), how many trials found it, and A12 of the others against the
model (over 0.5: the model is earlier; misses count as the last).
"""
import json, statistics, subprocess, sys, tempfile


def first_find(program, m, n, guidance, seed, runs, out):
    command = [program, "hunt", f"worker-pool:tasks={n}", "--bug", "unchecked-flush", "--nodes",
               str(m + 3), "--explorer",
               f"modelfuzz:guidance={guidance},crashes=0,requests=0,steps={10 * n + 100}",
               "--runs", str(runs), "--seed", str(seed), "--tail", "0s", "--max-steps", "100000",
               "--no-shrink", "--json", "--quiet", "--in-process", "--out", out]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    finds = json.loads(done.stdout)["finds"]
    return finds[0]["run"] + 1 if finds else runs + 1


def a12(others, ours):
    wins = sum((a > b) + 0.5 * (a == b) for a in others for b in ours)
    return wins / (len(others) * len(ours))


def main():
    program = sys.argv[1]
    trials = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    print("| m | n | model | trace | random | A12 trace | A12 random |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as out:
        for m in (5, 6, 7):
            for n in (10, 20, 30, 40):
                got = {g: [first_find(program, m, n, g, 1 + t, runs, out) for t in range(trials)]
                       for g in ("model", "trace", "random")}
                cell = lambda g: (f"{statistics.median(got[g]):.0f} "
                                  f"({sum(x <= runs for x in got[g])})")
                print(f"| {m} | {n} | {cell('model')} | {cell('trace')} | {cell('random')} "
                      f"| {a12(got['trace'], got['model']):.2f} "
                      f"| {a12(got['random'], got['model']):.2f} |", flush=True)


main()
