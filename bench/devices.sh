#!/usr/bin/env bash
# Devices by claim beside the real packages, in one run: what each takes, how many times faster we are, and whether our floor holds.
# The peers are looked for in $ETIAGE_PEERS (programs dra-1.34 ... dra-1.37); without them only our figures are shown.
set -euo pipefail
build=$(dirname "${1:-build/bench/etiage}")
peer=${ETIAGE_PEERS:-}/dra-1.37
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
for program in cel dra; do
  "$build/${program}_bench" --benchmark_format=json >"$results/$program.json" 2>/dev/null
done
if [ -x "$peer" ]; then "$peer" bench >"$results/peer.jsonl"; else
  echo "no $peer: the real packages are not timed" >&2
  : >"$results/peer.jsonl"
fi
python3 - "$results" <<'PYTHON'
import json, sys
results = sys.argv[1]
ours = {}
for program in ("cel", "dra"):
    for b in json.load(open(f"{results}/{program}.json"))["benchmarks"]:
        ours[b["name"].split("/iterations")[0]] = b
theirs = {}
for line in open(f"{results}/peer.jsonl"):
    row = json.loads(line)
    theirs[row["bench"]] = row
to_ms = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}

def ms(name):
    return ours[name]["cpu_time"] * to_ms[ours[name]["time_unit"]]

# what, ours, the peer's line and field, the floor; rates are a second, times are CPU milliseconds
ROWS = [
    ("selector of three clauses, evaluations/s", ours["matches_three_clauses"]["items_per_second"], ("selector/device-matches", "perSecond"), 5e6, True),
    ("8 of 10,000, every tenth matches, ms", ms("BM_EightOf10000_TenthMatch"), ("one-node/tenth-match", "msEach"), 0.2, False),
    ("8 of 10,000, the last 8 match, ms", ms("BM_EightOf10000_Last8Match"), ("one-node/last-8-match", "msEach"), 2, False),
    ("19 wanted of 18, ms", ms("BM_OneTooMany/18"), ("one-too-many/18", "ms"), 1, False),
    ("32 wanted of 31, ms", ms("BM_OneTooMany/31"), None, 1, False),
    ("MIG fill, allocations/s", ours["BM_MigFill"]["placed/s"], ("mig", "perSecond"), 50_000, True),
    ("explain over 10,000 devices, ms", ms("BM_Explain10000_Cold"), None, 50, False),
]
print(f"{'what':44} {'ours':>12} {'real':>12} {'times':>8} {'floor':>10}")
for what, mine, key, floor, is_rate in ROWS:
    real = theirs.get(key[0], {}).get(key[1]) if key else None
    times = (mine / real if is_rate else real / mine) if real else None
    held = mine >= floor if is_rate else mine <= floor
    number = (lambda v: f"{v:,.0f}") if is_rate else (lambda v: f"{v:.4g}")
    print(f"{what:44} {number(mine):>12} {number(real) if real else '-':>12} {f'{times:,.0f}' if times else '-':>8} "
          f"{number(floor):>10}{'' if held else '  MISSED'}")
PYTHON
