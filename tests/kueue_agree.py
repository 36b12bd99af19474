#!/usr/bin/env python3
"""Random worlds asked of the real Kueue and of etiage, decision by decision and word by word.

    python3 tests/kueue_agree.py --version 0.19 --seed 1 --count 1000 --peers DIR --oracle oracle.py --binary build/release/etiage --keep DIR

`--peers` holds kueue-0.17 and kueue-0.19, `--oracle` is the script that compares. The real one is asked three times about each world
(23 times where its answers differ), then 300 times about those where ours was none of them: where it goes by the order of a hash map it
has many answers, and one of them must be ours. Counts: worlds with one answer, worlds with several, worlds that it panics about.
"""
import argparse
import json
import os
import re
import subprocess
import sys


def lines(path):
    with open(path) as f:
        return [json.loads(line) for line in f]


def write(path, cases):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.writelines(json.dumps(c, separators=(',', ':')) + '\n' for c in cases)


def ask(a, name, cases, runs, more):
    """Answers of the real one, those that it panics about left out."""
    question, answer = f'{a.keep}/{name}/questions.jsonl', f'{a.keep}/{name}/kueue/cases.jsonl'
    write(question, cases)
    os.makedirs(os.path.dirname(answer), exist_ok=True)
    with open(question) as i, open(answer, 'w') as o:
        subprocess.run([f'{a.peers}/kueue-{a.version}', 'ask', '-runs', str(runs), '-more', str(more)], stdin=i, stdout=o, check=True)
    answers = lines(answer)
    write(answer, [c for c in answers if 'error' not in c])
    return answers


def different(a, name):
    """What differs from every answer: id to how."""
    p = subprocess.run([sys.executable, a.oracle, 'kueue', '--strict', '--show', '100000', '--data', f'{a.keep}/{name}', '--binary', a.binary],
                       capture_output=True, text=True)
    return dict(m.groups() for m in map(re.compile(r'^(x\d+-\d+): (.*)').match, p.stdout.splitlines()) if m)


def pool_texts(case):
    """A last text may be that of any answer: which of its words come is drawn in every cycle anew."""
    answers = [case['expected'], *case.get('alternatives', [])]
    seen = {}
    for w in (w for answer in answers for w in answer['workloads']):
        seen.setdefault((w['namespace'], w['name']), set()).update([w.get('message', ''), *w.get('alsoMessages', [])])
    for w in (w for answer in answers for w in answer['workloads']):
        w['alsoMessages'] = sorted(seen[w['namespace'], w['name']])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--version', choices=['0.17', '0.19'], required=True)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--count', type=int, default=1000)
    for name in ('peers', 'oracle', 'keep'):
        p.add_argument(f'--{name}', required=True)
    p.add_argument('--binary', default='build/release/etiage')
    a = p.parse_args()
    worlds = subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), 'kueue_worlds.py'), '--version', a.version,
                             '--seed', str(a.seed), '--count', str(a.count)], capture_output=True, text=True, check=True).stdout
    cases = [json.loads(line) for line in worlds.splitlines()]
    first = ask(a, 'first', cases, 3, 20)
    errors = [c for c in first if 'error' in c]
    several = {c['id'] for c in first if c.get('alternatives')}
    suspects = different(a, 'first')
    left = {}
    if suspects:
        again = ask(a, 'again', [c for c in cases if c['id'] in suspects], 300, 0)
        several |= {c['id'] for c in again if c.get('alternatives')}
        for c in again:
            pool_texts(c)
        write(f'{a.keep}/again/kueue/cases.jsonl', again)
        left = different(a, 'again')
    for name, how in left.items():
        print(f'{name}: {how}')
    for c in errors:
        print(f"{c['id']}: the real one: {c['error'][:200]}")
    good = len(cases) - len(errors) - len(left)
    print(f"{a.version}: {good} equal ({len(several - set(left))} of them one of several answers of the real one, {len(suspects)} asked 300 times), "
          f"{len(left)} different, {len(errors)} without an answer")
    return 1 if left else 0


if __name__ == '__main__':
    sys.exit(main())
