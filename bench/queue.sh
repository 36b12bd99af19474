#!/usr/bin/env bash
# Kueue's admission and kube-scheduler's MostAllocated beside the real ones, in one run: what each takes, how many times faster we are,
# and whether our floor holds. The peers are looked for in $ETIAGE_PEERS (kueue-0.19, scheduler-1.37); without them only our figures are shown.
set -euo pipefail
build=$(dirname "${1:-build/bench/etiage}")
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
peer() {
  if [ -x "${ETIAGE_PEERS:-}/$1" ]; then "$ETIAGE_PEERS/$1" bench "${@:2}" >>"$results/peer.jsonl"; else
    echo "no ${ETIAGE_PEERS:-}/$1: the real one is not timed" >&2
  fi
}
: >"$results/peer.jsonl"
for program in quota placement; do
  "$build/${program}_bench" --benchmark_format=json >"$results/$program.json" 2>/dev/null
done
peer kueue-0.19 -mode drain
peer kueue-0.19 -mode preempt
peer scheduler-1.37
PYTHONPATH=$(dirname "$0") python3 - "$results" <<'PYTHON'
import sys
import beside
results = sys.argv[1]
ours = beside.ours(f"{results}/quota.json") | beside.ours(f"{results}/placement.json")
theirs = beside.theirs(f"{results}/peer.jsonl")
ms = lambda name: beside.cpu_ms(ours[name])
real = lambda line, field: theirs.get(line, {}).get(field)
rate = lambda name: ours[name]["items_per_second"]
beside.table([
    ("drain 50,000 of 1,000 ClusterQueues, admissions/CPU s", ours["drain"]["admitted/s"], real("drain", "admittedPerCpuSecond"), ("times", 200), True),
    ("50 victims among 1,000 admitted, p50, ms", ours["preempt"]["p50_us"] / 1e3, real("preempt", "msP50"), ("times", 100), False),
    ("what-if among 1,000 ClusterQueues, p99, ms", ours["what_if"]["p99_us"] / 1e3, None, 1, False),
    ("Kueue's baseline to the end, ms", ms("kueue_baseline"), None, 100, False),
    ("Kueue's large scale to the end, ms", ms("kueue_large_scale"), None, 1000, False),
    ("MostAllocated, 5,000 nodes all scored, pods/CPU s", rate("most_allocated_5000_nodes/12000"),
     real("most-allocated/all-nodes", "podsPerCpuSecond"), ("times", 1000), True),
    ("FGD on openb, pods/s", rate("share_policy_on_1213_nodes/fgd"), None, 100_000, True),
])
PYTHON
