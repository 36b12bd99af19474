#!/usr/bin/env python3
"""Runs the command lines of tests/golden/*.test and compares what they print with what stands there.

    python3 tests/golden.py [--binary build/release/etiage] [--update] [FILE.test ...]

A file holds comments (`# name: ...`, `# description: ...`), then one case or more:

    $ etiage version                 a shell command line, run in the repository's root
    > etiage 0.1.0                   its stdout, line by line
    ! etiage: a warning              its stderr, line by line
    \\ no newline                     the line above did not end in one
    [2]                              its exit status, where it is not 0

`--update` writes what is printed now into the files; read the difference before you commit it.
"""
import argparse
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NO_NEWLINE = '\\ no newline'


def split_cases(text):
    """The lines before the first case, then (command, expected lines, trailing comment or blank lines) of each."""
    head, cases = [], []
    for line in text.splitlines():
        if line.startswith('$ '):
            cases.append((line[2:], [], []))
        elif not cases:
            head.append(line)
        elif line[:2] in ('> ', '! ') or line in ('>', '!', NO_NEWLINE) or line.startswith('['):
            cases[-1][1].append(line)
        else:
            cases[-1][2].append(line)
    return head, cases


def marked(mark, text):
    lines = text.split('\n')
    end = [NO_NEWLINE] if lines[-1] else []
    if not lines[-1]:
        lines.pop()
    return [(mark + ' ' + line).rstrip(' ') if not line else mark + ' ' + line for line in lines] + end


def run_case(command, binary):
    with tempfile.TemporaryDirectory() as links:
        for name in ('etiage', 'kubectl-etiage', 'kubectl_complete-etiage'):
            os.symlink(binary, os.path.join(links, name))
        env = {'PATH': links + ':/usr/local/bin:/usr/bin:/bin', 'LC_ALL': 'C.UTF-8', 'TERM': 'dumb', 'HOME': links}
        # `timeout` ends the whole pipeline, and shows as status 124.
        done = subprocess.run(['timeout', '100', 'bash', '-c', command], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, capture_output=True)
    status = [f'[{done.returncode}]'] if done.returncode else []
    return marked('>', done.stdout.decode(errors='replace')) + marked('!', done.stderr.decode(errors='replace')) + status


def check(path, binary, update):
    head, cases = split_cases(path.read_text())
    out, failures = head, 0
    for command, expected, rest in cases:
        actual = run_case(command, binary)
        if actual != expected and not update:
            failures += 1
            print(f'{path.name}: $ {command}')
            print('\n'.join(difflib.unified_diff(expected, actual, 'expected', 'printed', lineterm='', n=2)))
        out += ['$ ' + command, *actual, *rest]
    if update:
        path.write_text('\n'.join(out) + '\n')
    return len(cases), failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--binary', default='build/release/etiage')
    parser.add_argument('--update', action='store_true')
    parser.add_argument('files', nargs='*', type=pathlib.Path)
    args = parser.parse_args()
    binary = os.path.abspath(args.binary)
    files = args.files or sorted((ROOT / 'tests/golden').glob('*.test'))
    counts = [check(f, binary, args.update) for f in files]
    failed = sum(f for _, f in counts)
    print(f'{sum(n for n, _ in counts) - failed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
