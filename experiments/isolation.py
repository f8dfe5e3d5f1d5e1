#!/usr/bin/env python3
"""The seed's set-up on our own `xrpl`: 4 x 300 runs under ByzzFuzz as its tool for the XRP Ledger works, what became of them
beside the real data, and which messages explain the failures. The tables of docs/results/isolation.md.

    experiments/isolation.py SCHISM [--runs 300] [--out FOLDER]
"""
import argparse
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = [(1, 0), (1, 1), (1, 2), (2, 0)]
# Of the real data: failing, incompatible only, both, insufficient only, agreement.
REAL = {(1, 0): (17, 2, 3, 12, 0), (1, 1): (33, 8, 5, 19, 1), (1, 2): (33, 3, 3, 27, 0), (2, 0): (62, 16, 10, 35, 1)}
SYSTEM = "xrpl:rules=1.7,case=byzzfuzz,unl=byzzfuzz,ledgers=9,linger=20s,judge-progress=false,judge-stalls=true"
LABELS = ["incompatible", "insufficient", "agreement"]
TOOL = "r=6,about=declared,omit=false,whose=own,to=list,crossing=held,rounds=common"
# In the data a message never comes sooner by two hops than by one (1 case in 233), and the payment reaches everybody, by
# two hops, within an eighth of the second over which the closing of a ledger is spread.
NETWORK = "timed:min=50ms,max=70ms"


def command(args, c, d, path):
    out = [args.schism, "isolate", SYSTEM, "--hunt", "--nodes", "7", "--bug", "validation-by-hash", "--world",
           "liars=3", "--explorer", f"byzzfuzz:c={c},d={d},{TOOL}({NETWORK})",
           "--runs", str(args.runs), "--max-steps", str(args.steps), "--tail", "0s", "--by-property",
           "--schema", os.path.join(HERE, "xrpl-own.toml"), "--no-pictures", "--save", path]
    for muted in ["true-sequence", "same-validated", "test-case"] + ["stalled-" + label for label in LABELS]:
        out += ["--mute", muted]
    return out


def play(args, c, d):
    path = os.path.join(args.out, f"c{c}d{d}.jsonl")
    done = subprocess.run(command(args, c, d, path), capture_output=True, text=True)
    if not os.path.exists(path):
        raise SystemExit(done.stderr)
    runs = [json.loads(line) for line in open(path)]
    for run in runs:
        run["fold"] = f"{c},{d}"
        run["bugs"] = [bug[len("stalled-"):] for bug in run["bugs"] if bug[len("stalled-"):] in LABELS]
    return runs


def row(c, d, runs):
    failed = [run["bugs"] for run in runs if run["failed"]]
    one = sum(bug[:1] == ["incompatible"] and "insufficient" not in bug for bug in failed)
    both = sum("incompatible" in bug and "insufficient" in bug for bug in failed)
    other = sum("insufficient" in bug and "incompatible" not in bug for bug in failed)
    ours = (len(failed), one, both, other, sum("agreement" in bug for bug in failed))
    cells = " | ".join(f"{a} ({b})" for a, b in zip(ours, REAL[c, d]))
    print(f"| {c},{d} | {len(runs)} | {cells} |", flush=True)


def main():
    flags = argparse.ArgumentParser()
    flags.add_argument("schism")
    flags.add_argument("--runs", type=int, default=300)
    flags.add_argument("--steps", type=int, default=10000)
    flags.add_argument("--out", default="isolation-out")
    args = flags.parse_args()
    os.makedirs(args.out, exist_ok=True)
    print("| c,d | runs | fail | incompatible only | both | insufficient only | agreement |\n"
          "| --- | --- | --- | --- | --- | --- | --- |")
    everything = []
    for c, d in ROWS:
        runs = play(args, c, d)
        row(c, d, runs)
        everything += runs
    path = os.path.join(args.out, "all.jsonl")
    with open(path, "w") as file:
        for run in everything:
            file.write(json.dumps(run, separators=(",", ":")) + "\n")
    schema = os.path.join(args.out, "c1d0.toml")
    for method in ["refined", "seed"]:
        print(f"\n{method}:\n", flush=True)
        subprocess.run([args.schism, "isolate", path, "--schema", schema, "--method", method, "--no-pictures", "--width", "160"])


if __name__ == "__main__":
    main()
