#!/usr/bin/env python3
"""The tables of docs/results/byzzfuzz.md: `pbft` with bugs of the implementation that the paper
tested, under ByzzFuzz, so many runs a row. Each row is played twice with the same seeds: by a hunt
with every property muted, which counts the runs that violate it, and as a scenario, which counts the
runs that violate anything.

    experiments/byzzfuzz.py SCHISM [--runs 200] [--only FORM]
"""
import argparse
import json
import math
import subprocess

PROPERTIES = ["termination", "validity", "agreement", "integrity"]
FOUR = ["digest-unchecked", "slot-votes-unbound", "prepared-lost", "reply-quorum"]
# What its code does besides, as it was read: see the page.
MORE = ["votes-not-distinct", "new-view-unchecked", "lowest-view-wins", "o-off-by-one", "timers-cleared"]
FORMS = {
    "resends": ("pbft:requests=2", FOUR),
    "sends-once": ("pbft:requests=2,resend=false", FOUR),
    "apart": ("pbft:requests=2,resend=false,apart=1s", ["digest-unchecked", "slot-votes-unbound", "reply-quorum"]),
    "apart-four": ("pbft:requests=2,resend=false,apart=1s", FOUR),
    "as-read": ("pbft:requests=2,resend=false", FOUR + MORE),
    "correct": ("pbft:requests=2", []),
}
ROWS = [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]


def wilson(k, n, z=1.96):
    p = k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{abs(100 * (middle - half)):.0f}% to {100 * (middle + half):.0f}%"


FAULTS = "drop=1000,mutate=1000,inject=1000,omit=1000"


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def columns(args, form, explorer):
    system, bugs = FORMS[form]
    command = [args.schism, "hunt", system, "--nodes", "5", "--liars", "1", "--explorer", explorer,
               "--faults", FAULTS, "--tail", "22s", "--runs", str(args.runs), "--quiet", "--json",
               "--out", args.out]
    for bug in bugs:
        command += ["--bug", bug]
    for name in PROPERTIES:
        command += ["--mute", name]
    return run(command).get("muted", {})


def total(args, form, explorer):
    system, bugs = FORMS[form]
    path = args.out + ".scenario"
    with open(path, "w") as file:
        file.write('scenario "row"\n' + f"system {system}\nnodes 5\n" +
                   "".join(f"bug {bug}\n" for bug in bugs) +
                   f"world liars-drawn=1\nfaults {FAULTS}\nexplorer {explorer}\n" +
                   f"runs {args.runs}\ntail 22s\nexpect no violation\n")
    return run([args.schism, "test", path, "--json"])["violated"]


def cell(args, form, explorer):
    by = columns(args, form, explorer)
    all_of_them = total(args, form, explorer)
    return (f"{all_of_them} ({wilson(all_of_them, args.runs)}): " +
            ", ".join(str(by.get(name, 0)) for name in PROPERTIES[:3]))


def main():
    flags = argparse.ArgumentParser()
    flags.add_argument("schism")
    flags.add_argument("--runs", type=int, default=200)
    flags.add_argument("--only", action="append")
    flags.add_argument("--out", default="/tmp/byzzfuzz-out")
    args = flags.parse_args()
    for form in args.only or FORMS:
        print(f"\n{form}: {FORMS[form][0]} {' '.join(FORMS[form][1])}\n\n"
              "| c,d | small: total (95%): T, V, A | any |\n| --- | --- | --- |", flush=True)
        print(f"| baseline | {cell(args, form, 'byzzfuzz:scope=baseline,lasts=10s')} | |", flush=True)
        for c, d in ROWS:
            scopes = ["small", "any"] if c > 0 else ["small"]
            cells = [cell(args, form, f"byzzfuzz:as=released,c={c},d={d},r=8,scope={scope}")
                     for scope in scopes]
            print(f"| {c},{d} | {' | '.join(cells)} |{'' if c else ' |'}", flush=True)


if __name__ == "__main__":
    main()
