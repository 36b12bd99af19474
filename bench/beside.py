"""A table of our figures beside those of the real packages, with how many times faster we are and whether our floor holds."""
import json

TO_MS = {'ns': 1e-6, 'us': 1e-3, 'ms': 1.0, 's': 1e3}


def ours(path):
    """The benchmarks of a google-benchmark JSON file by name, without its `/iterations`."""
    with open(path) as f:
        return {b['name'].split('/iterations')[0]: b for b in json.load(f)['benchmarks']}


def cpu_ms(benchmark):
    return benchmark['cpu_time'] * TO_MS[benchmark['time_unit']]


def theirs(path):
    """The lines of a peer's `bench` by what they timed."""
    with open(path) as f:
        return {row['bench']: row for row in map(json.loads, f)}


def table(rows):
    """Each row: what, ours, the real one's (None: not timed), the floor, whether more is better; a floor `('times', N)` is one of the
    ratio. Returns how many floors are missed."""
    missed = 0
    print(f"{'what':54} {'ours':>12} {'real':>12} {'times':>8} {'floor':>10}")
    for what, mine, real, floor, is_rate in rows:
        times = (mine / real if is_rate else real / mine) if real else None
        by_ratio = isinstance(floor, tuple)
        held = times is None or times >= floor[1] if by_ratio else mine >= floor if is_rate else mine <= floor
        number = (lambda v: f'{v:,.0f}') if is_rate and mine > 1000 else (lambda v: f'{v:.4g}')
        print(f"{what:54} {number(mine):>12} {number(real) if real else '-':>12} {f'{times:,.0f}' if times else '-':>8} "
              f"{f'{floor[1]} x' if by_ratio else number(floor):>10}{'' if held else '  MISSED'}")
        missed += not held
    return missed
