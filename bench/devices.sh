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
PYTHONPATH=$(dirname "$0") python3 - "$results" <<'PYTHON'
import sys
import beside
results = sys.argv[1]
ours = beside.ours(f"{results}/cel.json") | beside.ours(f"{results}/dra.json")
theirs = beside.theirs(f"{results}/peer.jsonl")
ms = lambda name: beside.cpu_ms(ours[name])
real = lambda line, field: theirs.get(line, {}).get(field)
# rates are a second, times are CPU milliseconds
beside.table([
    ("selector of three clauses, evaluations/s", ours["matches_three_clauses"]["items_per_second"], real("selector/device-matches", "perSecond"), 5e6, True),
    ("8 of 10,000, every tenth matches, ms", ms("BM_EightOf10000_TenthMatch"), real("one-node/tenth-match", "msEach"), 0.2, False),
    ("8 of 10,000, the last 8 match, ms", ms("BM_EightOf10000_Last8Match"), real("one-node/last-8-match", "msEach"), 2, False),
    ("19 wanted of 18, ms", ms("BM_OneTooMany/18"), real("one-too-many/18", "ms"), 1, False),
    ("32 wanted of 31, ms", ms("BM_OneTooMany/31"), None, 1, False),
    ("MIG fill, allocations/s", ours["BM_MigFill"]["placed/s"], real("mig", "perSecond"), 50_000, True),
    ("explain over 10,000 devices, ms", ms("BM_Explain10000_Cold"), None, 50, False),
])
PYTHON
