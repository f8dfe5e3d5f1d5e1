#!/usr/bin/env python3
"""Deviations from the model beside violations of properties, in the same runs.

  python3 experiments/conformance.py PROGRAM [SEEDS [SECONDS]]

Each of the twelve bugs that models/raft_guide.tla can express is hunted without the model from
several seeds; the run that is found is played again with the model beside it. A row says in how many
of these runs the model objects at an earlier step, and the median of both steps.
"""
import json, statistics, subprocess, sys, tempfile, tomllib

BUGS = ["quorum-third", "vote-not-persisted", "term-not-persisted", "ack-before-sync",
        "conflict-not-truncated", "truncate-without-conflict", "commit-old-term",
        "stale-term-response", "vote-without-log-check", "snapshot-loses-tail",
        "transfer-double-vote", "heartbeat-commits-beyond-match"]


def hunt(program, case, seed, runs, seconds, model, out):
    system = case["system"] + (",model=models/raft_guide.tla" if model else "")
    explorer = case.get("explorers", {}).get("random", "random")
    command = [program, "hunt", system, "--bug", case["bug"], "--explorer", explorer,
               "--nodes", str(case.get("nodes", 5)), "--max-steps", str(case.get("max-steps", 1000)),
               "--tail", "0s", "--seed", str(seed), "--runs", str(runs), "--time", f"{seconds}s",
               "--no-shrink", "--json", "--quiet", "--out", out]
    faults = ",".join(f"{k}={v}" for k, v in case.get("faults", {}).items())
    world = ",".join(f"{k}={v}" for k, v in case.get("world", {}).items())
    if faults:
        command += ["--faults", faults]
    if world:
        command += ["--world", world]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    finds = json.loads(done.stdout)["finds"]
    return finds[0] if finds else None


def main():
    program = sys.argv[1]
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    with open("experiments/raft-bugs.toml", "rb") as f:
        cases = {c["bug"]: c for c in tomllib.load(f)["case"]}
    print("| bug | runs | deviates earlier | step of the deviation | step of the property |")
    print("| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as out:
        for bug in BUGS:
            found, earlier, model_steps, steps = 0, 0, [], []
            for seed in range(seeds):
                find = hunt(program, cases[bug], 1 + seed * 1_000_000, 1_000_000, seconds, False, out)
                if not find:
                    continue
                found += 1
                again = hunt(program, cases[bug], find["seed"], 1, 600, True, out)
                if again and again["property"] == "conformance":
                    earlier += again["step"] < find["step"]
                    model_steps.append(again["step"])
                steps.append(find["step"])
            middle = lambda list: statistics.median(list) if list else "-"
            print(f"| `{bug}` | {found} | {earlier} | {middle(model_steps)} | {middle(steps)} |", flush=True)


main()
