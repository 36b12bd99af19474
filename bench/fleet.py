"""Readers and `scan` on a week of a GPU fleet, each figure beside the same of Prometheus's own packages and its floor;
then the same questions by `promtool tsdb dump` and by PromQL (fleet_promql.py), where these programs are there.

    fleet.py ETIAGE [--nodes 100] [--shared ../shared] [--work DIR]

ETIAGE is the program of the bench build, whose *_bench stand beside it. The fleet, its blocks and the peer are made once
and kept in DIR; they come from check/gen_openmetrics.py and peers/ of the folder --shared (Go and numpy are needed; the
peer takes two minutes of processor). With --nodes 20 all else takes a minute; 1000 is the fleet of docs/performance.md and
needs 20 GB of disk. Floors are those of 1,000 nodes, in proportion. Times of the processor say more than those of the clock
on a machine that others use too, so the clock alone misses no floor. Exit status 1 where a floor is missed.
"""
import argparse, datetime, json, os, pathlib, shutil, subprocess, sys, tempfile, time

import fleet_promql

MB = 1e6


def say(text):
    print(text, file=sys.stderr, flush=True)


def cpu_of(command, stdout=None, **more):
    """Seconds of processor and of the clock, most memory in MiB, what was printed."""
    with tempfile.TemporaryFile('w+') as printed, tempfile.TemporaryFile('w+') as errors:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=stdout or printed, stderr=errors, **more)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        printed.seek(0), errors.seek(0)
        if process.returncode:
            sys.exit(f'{" ".join(map(str, command))}: {errors.read().strip()}')
        return used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, printed.read()


class Fleet:
    def __init__(self, shared, work, nodes):
        self.shared, self.folder, self.nodes = shared, work / f'fleet-{nodes}', nodes
        self.peer = work / 'peers' / 'prom-0.316'
        self.dump, self.blocks = self.folder / 'dump.om', self.folder / 'blocks'

    def make(self):
        if not self.peer.exists():
            say('building the peer (two minutes of processor the first time)')
            subprocess.run([self.shared / 'peers/build.sh', self.peer.parent, 'prom'], check=True, stdout=sys.stderr)
        if not (self.folder / 'truth.json').exists():
            say(f'generating {self.nodes} nodes, 7 days: {0.0191 * self.nodes:.1f} GB of text')
            self.generate(self.folder, self.nodes, 7)
        if not (self.folder / 'blocks.done').exists():
            say('writing its blocks')
            with open(self.dump) as text:
                subprocess.run([self.peer, 'make', self.blocks], stdin=text, check=True, stdout=subprocess.DEVNULL)
            (self.folder / 'blocks.done').touch()
        self.truth = json.loads((self.folder / 'truth.json').read_text())
        self.end = datetime.datetime.fromisoformat(self.truth['window']['end'].replace('Z', '+00:00')).timestamp()
        self.cut_texts()

    def cut_texts(self):
        """A dump of 30 MB, and one scrape of 1,000 nodes: each series with one sample and no time."""
        self.small, self.scrape = self.folder / 'small.om', self.folder / 'scrape.prom'
        if not self.small.exists():
            with open(self.dump) as text, open(self.small, 'w') as small:
                while small.tell() < 30 * MB and (line := text.readline()).strip() not in ('', '# EOF'):
                    small.write(line)
                small.write('# EOF\n')
        if not self.scrape.exists():
            step = self.folder / 'one-step'
            self.generate(step, 1000, 300 / 86400)
            with open(step / 'dump.om') as text:
                lines = [line.rsplit(' ', 1)[0] for line in text if not line.startswith('#')]
            self.scrape.write_text('\n'.join(lines) + '\n')

    def generate(self, folder, nodes, days):
        subprocess.run([sys.executable, self.shared / 'check/gen_openmetrics.py', '--out', folder, '--nodes', str(nodes),
                        '--days', str(days)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, etiage, command, samples):
        return cpu_of([etiage, *command, samples, self.folder / 'cluster.json', '--prices', self.folder / 'prices.csv', '-o', 'json'])

    def peer_line(self, name, *command):
        lines = map(json.loads, cpu_of([self.peer, 'bench', *command])[3].splitlines())
        return next(line for line in lines if line['bench'] == name)


def own_rate(program, environment, name, field):
    """The best of three rounds, as the peer's."""
    printed = cpu_of([program, f'--benchmark_filter=^{name}$', '--benchmark_repetitions=3', '--benchmark_format=json'],
                     env={**os.environ, **environment})[3]
    return max(b[field] for b in json.loads(printed)['benchmarks'] if b['run_type'] == 'iteration')


class Report:
    def __init__(self):
        self.missed = False
        print(f'{"what":<46} {"here":>14} {"Prometheus":>14} {"ratio":>7} {"floor":>12}')

    def rate(self, what, here, peer, times, unit):
        self.missed |= here < times * peer
        print(f'{what:<46} {here:>9.1f} {unit:<4} {peer:>9.1f} {unit:<4} {here / peer:>6.1f}x {times:>11}x')

    def most(self, what, here, floor, unit, counts=True):
        self.missed |= counts and here > floor
        print(f'{what:<46} {here:>9.2f} {unit:<4} {"":>14} {"":>7} {floor:>7.2f} {unit}')


def first_progress(etiage, fleet):
    """Seconds until something is said on standard error; the rest is not waited for."""
    start = time.monotonic()
    process = subprocess.Popen([etiage, 'scan', fleet.dump, fleet.folder / 'cluster.json', '--progress', '-o', 'json'],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    process.stderr.readline()
    seconds = time.monotonic() - start
    process.kill()
    process.wait()
    return seconds


def compare_dumps(etiage, fleet, report):
    """Every sample of one block (a day) as text: ours, and promtool's. It takes that a minute for 1,000 nodes, so that the
    others are left out; it wants a folder for the log of writes, which a folder of links has."""
    if not shutil.which('promtool'):
        return print('promtool tsdb dump: no promtool on this machine, left out')
    block = min(b.parent for b in fleet.blocks.glob('*/meta.json'))
    samples = json.loads((block / 'meta.json').read_text())['stats']['numSamples'] / MB
    with tempfile.TemporaryDirectory(dir=fleet.folder.parent) as scratch:
        folder = pathlib.Path(scratch) / 'day'
        fleet_promql.links(block, folder / block.name)
        (folder / block.name / 'wal').rmdir()
        (folder / 'wal').mkdir()
        peer = cpu_of(['promtool', 'tsdb', 'dump', folder], stdout=subprocess.DEVNULL)[0]
    here = cpu_of([etiage, 'inspect', '--samples', block], stdout=subprocess.DEVNULL)[0]
    report.rate(f'a day of {samples:.1f} M samples printed (tsdb dump)', samples / here, samples / peer, 1, 'M/s')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('etiage', type=pathlib.Path)
    parser.add_argument('--nodes', type=int, default=int(os.environ.get('ETIAGE_BENCH_NODES', 100)))
    parser.add_argument('--shared', type=pathlib.Path, default=pathlib.Path(os.environ.get('ETIAGE_SHARED', '../shared')))
    parser.add_argument('--work', type=pathlib.Path, default=pathlib.Path(os.environ.get('ETIAGE_BENCH_DIR', 'build/bench/fleet')))
    a = parser.parse_args()
    if not (a.shared / 'peers').exists():
        say(f'no {a.shared}/peers: the comparison is left out')
        return 0
    fleet = Fleet(a.shared.resolve(), a.work.resolve(), a.nodes)
    fleet.make()
    programs, report = a.etiage.absolute().parent, Report()

    for what, text, times in (('dump, labels made', fleet.small, 8), ('exposition, labels made', fleet.scrape, 5)):
        here = own_rate(programs / 'text_reader_bench', {'ETIAGE_BENCH_TEXT': str(text)}, 'read/given', 'bytes_per_second')
        report.rate(what, here / MB, fleet.peer_line('text', 'text', '-labels', text)['mbPerSecond'], times, 'MB/s')
    here = own_rate(programs / 'blocks_bench', {'ETIAGE_BENCH_BLOCKS': str(fleet.blocks)}, 'read/blocks', 'items_per_second')
    peer = fleet.peer_line('blocks/samples', 'blocks', fleet.blocks)['samplesPerSecond']
    report.rate('blocks, every sample', here / MB, peer / MB, 4, 'M/s')

    share, bill = a.nodes / 1000, fleet.truth['totals']['bill']
    for what, samples, floor, clock in (('blocks', fleet.blocks, 4, 2), ('text', fleet.dump, 25, 12.5)):
        cpu, wall, memory, printed = fleet.ask(a.etiage, ['scan'], samples)
        answer = json.loads(printed)
        if abs(answer['bill'] - bill) > 0.01:
            sys.exit(f'the bill from {what} is {answer["bill"]}, and should be {bill}')
        report.most(f'scan of {a.nodes} nodes from {what}, processor', cpu, floor * share, 's')
        report.most(f'scan of {a.nodes} nodes from {what}, clock', wall, clock * share, 's', counts=False)
        report.most(f'scan of {a.nodes} nodes from {what}, memory', memory, 1024, 'MiB')
        for command in ('waste', 'doctor', 'cost --by team,day') if samples == fleet.blocks else ():
            cpu, wall, memory, _ = fleet.ask(a.etiage, command.split(), samples)
            report.most(f'{command} from {what}, processor', cpu, floor * share, 's')
            report.most(f'{command} from {what}, memory', memory, 1024, 'MiB')
    report.most('first word of progress', first_progress(a.etiage, fleet), 2, 's')
    compare_dumps(a.etiage, fleet, report)
    with tempfile.TemporaryDirectory(dir=fleet.folder.parent) as scratch:
        fleet_promql.compare(fleet.blocks, pathlib.Path(scratch), answer, fleet.truth, fleet.end)
    return report.missed


if __name__ == '__main__':
    sys.exit(main())
