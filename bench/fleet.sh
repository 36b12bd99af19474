#!/usr/bin/env bash
# A week of a GPU fleet, beside Prometheus's own packages. `./run bench --all` calls it.
exec python3 "$(dirname "$0")/fleet.py" "$@"
