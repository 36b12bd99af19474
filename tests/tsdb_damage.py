#!/usr/bin/env python3
"""Blocks with random damage, read by the real Prometheus (../shared/peers, `prom`) and by us. What Prometheus reads must be
read, to the last bit; where it gives up, what we read beyond must be what had been written; damage must be named.
Exit status 77 (skipped), saying so, where the blocks or the peer are absent.

    tsdb_damage.py --binary B [--peer PROM] [--cases N] [--seed S] [--keep DIR]
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get('ETIAGE_SHARED', ROOT.parent / 'shared'))
SETS = ['overlap', 'tombstones/two', 'tombstones/one', 'histograms', 'consecutive/superseded', 'consecutive/blocks', 'outoforder',
        'chunksize/segments', 'labels', 'times']


def found_peer():
    """Looked for when the test runs, so that a peer that is built later is used."""
    built = ROOT / 'build/bench/fleet/peers/prom-0.316'
    return os.environ.get('ETIAGE_PROM') or (str(built) if built.exists() else shutil.which('prom-0.316') or '')


def number(v):
    """A value's bits; a NaN is one, whatever its payload, but for the stale marker; a histogram as it is."""
    if not isinstance(v, str):
        return json.dumps(v, sort_keys=True)
    return v if v == 'StaleNaN' else 'NaN' if v.startswith('NaN') else struct.pack('>d', float(v)).hex()


class Read:
    """Series by their labels; `errors` of those that were given up, `failed` where the search for series was."""

    def __init__(self, command):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, errors='surrogateescape')
        if done.returncode < 0:
            raise SystemExit(f'{command[0]}: killed by signal {-done.returncode}: {command}')
        self.said = done.stderr.strip()
        self.failed = done.returncode != 0
        self.series, self.errors = {}, {}
        for line in filter(None, done.stdout.splitlines()):
            row = json.loads(line)
            key = json.dumps(row['labels'], sort_keys=True)
            self.series[key] = [(ms, number(v)) for ms, v in row['samples']]
            if row.get('error'):
                self.errors[key] = row['error']


def flip(data, rng):
    for _ in range(rng.choice([1, 1, 1, 2, 8])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def overwrite(data, rng):
    at = rng.randrange(len(data))
    for i in range(at, min(at + rng.choice([1, 4, 16, 200]), len(data))):
        data[i] = rng.randrange(256)


def zero(data, rng):
    at = rng.randrange(len(data))
    end = min(at + rng.choice([4, 64, 512]), len(data))
    data[at:end] = bytes(end - at)


def truncate(data, rng):
    del data[rng.randrange(len(data)):]


def shorten(data, rng):
    del data[max(len(data) - rng.choice([1, 4, 5, 16, 52]), 0):]


def cut_out(data, rng):
    at = rng.randrange(len(data))
    del data[at:at + rng.choice([1, 4, 16, 100])]


def append(data, rng):
    data += bytes(rng.randrange(256) for _ in range(rng.choice([1, 4, 40])))


DAMAGES = [flip, flip, flip, overwrite, zero, truncate, shorten, cut_out, append]


def hurt(folder, rng):
    """Damages one file of one block; says which and how."""
    blocks = sorted(p for p in folder.iterdir() if p.is_dir())
    block = rng.choice(blocks)
    kind = rng.choice(['index', 'index', 'chunks', 'chunks', 'meta.json', 'tombstones'])
    files = sorted((block / 'chunks').iterdir()) if kind == 'chunks' else [block / kind]
    file = rng.choice([f for f in files if f.exists()] or [block / 'index'])
    how = rng.choice(DAMAGES)
    data = bytearray(file.read_bytes())
    if data:
        how(data, rng)
    file.write_bytes(data)
    return block, f'{how.__name__} in {file.relative_to(folder)}'


def peer_reads(peer, folder, damaged):
    """All blocks; without the damaged one where that cannot be opened."""
    blocks = sorted(p for p in folder.iterdir() if p.is_dir())
    whole = Read([peer, 'ask', 'samples', *blocks])
    if not whole.failed or whole.series:
        return whole
    rest = [b for b in blocks if b != damaged]
    alone = Read([peer, 'ask', 'samples', *rest]) if rest else whole
    alone.failed = True
    return alone


def fault(want, got, written):
    """What is wrong with our reading, or None. Of stamps that several blocks hold with different values any may be returned."""
    twice = {key: {ms for ms, n in collections.Counter(ms for ms, _ in samples).items() if n > 1} for key, samples in written.items()}

    def free(key, samples):
        return [(ms, None if ms in twice.get(key, ()) else value) for ms, value in samples]

    want.series = {key: free(key, samples) for key, samples in want.series.items()}
    got.series = {key: free(key, samples) for key, samples in got.series.items()}
    if (want.failed or want.errors) and not got.said:
        return 'damage that nobody is told of'
    for key, samples in want.series.items():
        have = got.series.get(key, [])
        if key in want.errors or want.failed:
            lost = [s for s in samples if s not in set(have)] if key not in want.errors else samples[:0]
            if key in want.errors and have[:len(samples)] != samples:
                return f'{key[:100]}: {len(samples)} samples before the error, not the same first of {len(have)}'
            if lost:
                return f'{key[:100]}: {len(lost)} samples lost, first {lost[0]}'
        elif have != samples:
            i = next((i for i, (a, b) in enumerate(zip(samples, have)) if a != b), min(len(samples), len(have)))
            return f'{key[:100]}: {len(samples)} wanted, {len(have)} read, at {i}: {samples[i:i + 1]} {have[i:i + 1]}'
    for key, have in got.series.items():
        if key not in want.series and not want.failed and have:
            return f'{key[:100]}: a series that Prometheus does not find'
        known = written.get(key, ())
        for ms, value in have:
            if value and (ms, value) not in known and not value.startswith('{'):
                return f'{key[:100]}: {ms} {value} was never written'
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--binary', required=True)
    parser.add_argument('--peer', default=found_peer(), help='else ETIAGE_PROM, what the benchmark built, or prom-0.316 of the PATH')
    parser.add_argument('--cases', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', type=pathlib.Path, help='where folders that differ are kept')
    a = parser.parse_args()
    data = SHARED / 'data/oracles/tsdb'
    if not data.is_dir() or not os.access(a.peer, os.X_OK):
        print(f'skipped: no {data}, or no program to ask ({a.peer or "set ETIAGE_PROM to it"})')
        return 77
    written, bad, kinds = {}, 0, collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        for i in range(a.seed, a.seed + a.cases):
            rng = random.Random(i)
            name = rng.choice(SETS)
            folder = pathlib.Path(scratch) / str(i)
            shutil.copytree(data / name, folder)
            if name not in written:
                blocks = [p for p in folder.iterdir() if p.is_dir()]
                written[name] = collections.defaultdict(set)
                for block in blocks:
                    bare = Read([a.peer, 'ask', 'samples', block])
                    (block / 'tombstones').rename(block / 'away') if (block / 'tombstones').exists() else None
                    for key, samples in Read([a.peer, 'ask', 'samples', block]).series.items():
                        written[name][key].update(samples)
                    (block / 'away').rename(block / 'tombstones') if (block / 'away').exists() else None
                    for key, samples in bare.series.items():
                        written[name][key].update(samples)
            block, what = hurt(folder, rng)
            want = peer_reads(a.peer, folder, block)
            got = Read([a.binary, 'inspect', '--samples', *(p for p in sorted(folder.iterdir()) if p.is_dir())])
            why = fault(want, got, written[name])
            kinds['refused or given up' if want.failed else 'errors in series' if want.errors else 'read whole'] += 1
            if why:
                bad += 1
                print(f'{i}: {name}, {what}: {why}\n    Prometheus: {want.said or list(want.errors.values())[:1]}\n    we: {got.said}')
                if a.keep:
                    shutil.copytree(folder, a.keep / str(i), dirs_exist_ok=True)
            shutil.rmtree(folder)
    print(f'{a.cases - bad} equal, {bad} different ({", ".join(f"{n} {k}" for k, n in kinds.items())})')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
