#!/usr/bin/env python3
"""Which strategy finds which bug among liars, after how many runs, and how large the lies are before
and after shrinking: several hunts a bug, each from another seed, to its first find.

    experiments/lies.py SCHISM [--hunts 5] [--runs 4000] [--only SYSTEM/BUG]
"""
import argparse
import json
import shutil
import statistics
import subprocess

BUSY = "pbft:clients=2,interval=2,requests=3"
MARKS = "pbft:clients=2,interval=1,requests=3"
ALL = "drop=8,duplicate=3,partition=2,mutate=100,omit=100,inject=100"
WAYS = ("liar:silent=1,choosy=1,two-faced=1,double-voter=1,future=1,forgetful=1,boaster=1,archivist=1,"
        "declared=1(random)")
HUNTS = [
    ("bracha", "echo-majority", "liar(random)", ""),
    ("bracha", "ready-on-one", "liar(random)", ""),
    ("bracha", "no-amplification", "liar(random)", ""),
    ("bracha", "deliver-early", "liar:two-faced=1(random)", ""),
    ("bracha", "votes-not-distinct", "liar:two-faced=1(random:duplicate=50)",
     "duplicate=9,mutate=100,omit=100"),
    ("pbft", "digest-unchecked", "liar(timed)", ""),
    (BUSY, "slot-votes-unbound", "liar(timed)", ALL),
    ("pbft", "votes-not-distinct", "liar:plot=1(timed)", ""),
    ("pbft", "commit-quorum-2f", "liar:plot=1(timed)", ""),
    ("pbft", "prepared-lost", "liar(random)", ALL),
    (BUSY, "new-view-unchecked", "liar:declared=1(random:timer.patience=20)", ALL),
    ("pbft", "lowest-view-wins", "liar:plot=1(timed)", ""),
    ("pbft", "o-off-by-one", WAYS, ALL),
    (MARKS, "early-gc", "liar:future=1,two-faced=1(random:timer.patience=5)", ALL),
    ("pbft", "reply-quorum", "liar:choosy=1(timed)", ""),
    (BUSY, "timers-cleared", "liar(random:timer.patience=5)", ALL),
    ("pbft", "new-view-trusted", "liar(timed)", ALL),
]


def lies_in(path):
    with open(path) as file:
        steps = [json.loads(line) for line in file][1:]
    return sum(step.get("do") in ("mutate", "inject", "omit") for step in steps)


def middle(values):
    return f"{statistics.median(values):g} ({max(values)})" if values else "-"


def main():
    flags = argparse.ArgumentParser()
    flags.add_argument("schism")
    flags.add_argument("--hunts", type=int, default=5)
    flags.add_argument("--runs", type=int, default=4000)
    flags.add_argument("--only", action="append")
    flags.add_argument("--out", default="/tmp/lies-out")
    args = flags.parse_args()
    print("| bug | strategy | found | runs to find: median (most) | lies before | lies after | "
          "actions after |\n| --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for system, bug, strategy, faults in HUNTS:
        name = f"{system.split(':')[0]}/{bug}"
        if args.only and name not in args.only:
            continue
        runs, before, after, actions = [], [], [], []
        for i in range(args.hunts):
            shutil.rmtree(args.out, ignore_errors=True)
            command = [args.schism, "hunt", system, "--bug", bug, "--liars", "1", "--explorer",
                       strategy, "--runs", str(args.runs), "--seed", str(1 + 1000003 * i),
                       "--shrink-time", "5s", "--quiet", "--json", "--out", args.out]
            command += ["--faults", faults] if faults else []
            found = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
            if not found["finds"]:
                continue
            find = found["finds"][0]
            folder = find["trace"].rsplit("/", 1)[0]
            runs.append(found["runs"])
            before.append(lies_in(folder + "/original.trace"))
            after.append(lies_in(folder + "/bug.trace"))
            actions.append(find["actions"])
        print(f"| `{name}` | `{strategy}` | {len(runs)} of {args.hunts} | {middle(runs)} | "
              f"{middle(before)} | {middle(after)} | {middle(actions)} |", flush=True)


if __name__ == "__main__":
    main()
