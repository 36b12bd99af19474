#!/usr/bin/env python3
"""Judges the program by what lies outside the repository, where it does: the reference ledger's random worlds, a generated
fleet with its truth, and the recorded real engines. Exit status 77 (skipped), saying so, where it is absent.

    reference.py worlds|fleet|ENGINE --binary B
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get('ETIAGE_SHARED', ROOT.parent / 'shared'))
SKIPPED = 77


def run(*args):
    return subprocess.run([sys.executable, *map(str, args)]).returncode


def worlds(binary):
    return run(SHARED / 'check/worlds.py', 'check', '--binary', binary, '--seeds', '1-6', '--exact')


def near(what, got, want):
    ok = abs(got - want) <= 1e-3 * abs(want)
    print(f'{what}: {got} for {want}{"" if ok else "  DIFFERENT"}')
    return ok


def fleet(binary):
    """A small fleet of the generator: totals equal its truth to a thousandth."""
    try:
        import numpy  # noqa: F401  (the generator needs it)
    except ImportError:
        print('skipped: the generator needs numpy')
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        if run(SHARED / 'check/gen_openmetrics.py', '--out', folder, '--nodes', '8', '--days', '1'):
            return 1
        out = subprocess.run([binary, 'scan', f'{folder}/cluster.json', f'{folder}/dump.om', '--prices', f'{folder}/prices.csv', '-o', 'json'], capture_output=True, text=True, check=True)
        got, want = json.loads(out.stdout), json.load(open(f'{folder}/truth.json'))['totals']
    tokens = lambda kind: sum(m['tokens'][kind] for m in got['models'])
    good = [near('bill', got['bill'], want['bill']), near('node hours', sum(n['hours'] for n in got['nodes']), want['hours']),
            near('held card hours', sum(w['gpuHours'] for w in got['workloads']), want['allocatedGpuHours']),
            near('prompt tokens', tokens('input') + tokens('cachedInput'), want['promptTokens']), near('generated tokens', tokens('output'), want['generationTokens'])]
    return 0 if all(good) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what')
    parser.add_argument('--binary', required=True)
    a = parser.parse_args()
    if not (SHARED / 'check').is_dir():
        print(f'skipped: {SHARED.name}/check is not beside the repository')
        return SKIPPED
    if a.what in ('worlds', 'fleet'):
        return globals()[a.what](a.binary)
    return run(SHARED / 'check/oracle.py', a.what, '--binary', a.binary, '--limit', '150')


if __name__ == '__main__':
    sys.exit(main())
