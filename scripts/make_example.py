#!/usr/bin/env python3
"""Writes examples/cluster: two days of the cluster `riviere`, in the formats an operator has. The same bytes on every run.

    python3 scripts/make_example.py [--out examples/cluster]
"""
import argparse
import gzip
import io
import json
import pathlib

from example import dump, objects


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--out', type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / 'examples/cluster')
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    (out / 'objects.json').write_text(json.dumps(objects.everything(), indent=1) + '\n')
    with open(out / 'metrics.om.gz', 'wb') as raw, gzip.GzipFile('', 'wb', 9, raw, mtime=0) as packed, io.TextIOWrapper(packed, 'utf-8') as text:
        dump.write(text)


if __name__ == '__main__':
    main()
