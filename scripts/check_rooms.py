#!/usr/bin/env python3
"""Fails on an #include arrow that the table of rooms does not allow, and warns of files and functions that grew too long.

The table is docs/architecture.md's picture in words: a room may include its own headers and those of the rooms it uses,
directly or through them.
"""
import pathlib
import re
import sys

USES = {
    'base': [], 'model': ['base'], 'catalog': ['model'], 'formats': ['model'], 'evidence': ['formats', 'catalog'],
    'ledger': ['model', 'catalog'],
    'engines/cel': ['model', 'catalog'], 'engines/mig': ['model', 'catalog'], 'engines/dra': ['engines/cel', 'engines/mig'],
    'engines/placement': ['engines/dra'], 'engines/quota': ['engines/placement'], 'engines/serving': ['model', 'catalog'],
    'engines/scaling': ['engines/placement'], 'engines/market': ['model', 'catalog'],
    'twin': ['engines/quota', 'engines/serving', 'engines/scaling', 'engines/market'],
    'sizing': ['engines/cel', 'engines/mig', 'engines/dra', 'engines/quota', 'engines/placement', 'engines/serving', 'catalog'],
    'explain': ['ledger', 'engines/quota', 'engines/serving', 'engines/scaling', 'engines/market'],
    'plan': ['ledger', 'twin', 'sizing'], 'render': ['model', 'ledger', 'explain', 'sizing', 'plan'],
    'adapters': ['formats'], 'app': ['adapters', 'evidence', 'render'], 'server': ['app'], 'cli': ['app', 'server'],
}
HARD_FILE, SOFT_FILE = 800, 400
ROOT = pathlib.Path(__file__).resolve().parent.parent / 'src'


def reach(room, seen=None):
    seen = set() if seen is None else seen
    if room not in seen:
        seen.add(room)
        for used in USES[room]:
            reach(used, seen)
    return seen


def room_of(path):
    return next((r for r in sorted(USES, key=len, reverse=True) if path == r or path.startswith(r + '/')), None)


def main():
    bad, long = [], []
    for f in sorted(ROOT.rglob('*')):
        if f.suffix not in ('.h', '.cpp'):
            continue
        name = f.relative_to(ROOT).as_posix()
        lines = f.read_text().splitlines()
        if len(lines) > SOFT_FILE:
            long.append((len(lines), name))
        room = room_of(name)
        if room is None:
            continue
        for n, line in enumerate(lines, 1):
            m = re.match(r'\s*#include "([^"]+)"', line)
            target = room_of(m.group(1)) if m else None
            if target and target not in reach(room):
                bad.append(f'src/{name}:{n}: {room} may not use {target}')
    for size, name in sorted(long, reverse=True):
        print(f'long: {size} lines  src/{name}')
        if size > HARD_FILE:
            bad.append(f'src/{name}: {size} lines, more than {HARD_FILE}')
    print('\n'.join(bad))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
