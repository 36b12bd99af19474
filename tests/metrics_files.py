#!/usr/bin/env python3
"""What `doctor` says of each real text and object of ../shared/data/metrics, against tests/conformance/metrics-doctor.tsv: the
file, the checks with their severity, and in words what stands in the file at that moment, or why it is not used.
Exit status 77 (skipped), saying so, where the texts are absent.

    metrics_files.py --binary B [--update]
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXTS = pathlib.Path(os.environ.get('ETIAGE_SHARED', ROOT.parent / 'shared')) / 'data/metrics'
TABLE = ROOT / 'tests/conformance/metrics-doctor.tsv'


def row(binary, name):
    done = subprocess.run([binary, 'doctor', name, '-o', 'json'], cwd=TEXTS, capture_output=True, text=True)
    if done.returncode < 0:
        return f'{name}\tkilled by signal {-done.returncode}\t'
    if done.returncode:
        return f'{name}\t\t{done.stderr.strip().splitlines()[-1].removeprefix("etiage: ").removeprefix(name + ": ")}'
    checks = json.loads(done.stdout)['checks']
    now = '; '.join(c['message'] for c in checks if c['id'] == 'state-now')
    return f'{name}\t{" ".join(c["severity"][0] + ":" + c["id"] for c in checks if c["id"] != "state-now")}\t{now}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--binary', required=True)
    parser.add_argument('--update', action='store_true', help='write the table; read the difference before you commit it')
    a = parser.parse_args()
    if not TEXTS.is_dir():
        print(f'skipped: no {TEXTS}')
        return 77
    names = sorted(f.name for f in TEXTS.iterdir() if not f.name.endswith('.source'))
    rows = [row(os.path.abspath(a.binary), name) for name in names]
    if a.update:
        TABLE.write_text('\n'.join(rows) + '\n')
        return 0
    known = dict(line.split('\t', 1) for line in TABLE.read_text().splitlines())
    bad = [r for r in rows if known.get(r.split('\t', 1)[0]) != r.split('\t', 1)[1]]
    for r in bad:
        name, now = r.split('\t', 1)
        print(f'{name}\n  is     {now}\n  should {known.get(name, "(not in the table)")}')
    print(f'{len(rows) - len(bad)} as they should be, {len(bad)} not')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
