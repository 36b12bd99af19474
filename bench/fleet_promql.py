"""The questions that `scan` answers, put to a real Prometheus over the same blocks as a person would write them.

The server of the machine (`prometheus`; Debian 12 has 2.42) stands on a folder of links to the blocks, which it may not
compact, on a free port of the loopback. Each query is asked once, at the end of the seven days, without a rule or a cache.
What is asked for is known by namespace from the generator's truth; the error is that of the worst namespace.
"""
import json, os, pathlib, shutil, socket, subprocess, time, urllib.error, urllib.parse, urllib.request

STEP = 300  # seconds between the fleet's samples: a count of samples is a time only for who knows it

# What is wanted, its name in the truth, the query. Held: the rows that name a pod, since the fleet has no
# kube_pod_container_resource_requests; with them it is sum by (namespace) (requested_gpus), of pods that run. Busy: the
# sum over time of SM_ACTIVE, not the average of averages. Tokens: increase() sees resets, but goes beyond the samples at
# both ends. GPU_UTIL is what most dashboards take for busy.
BY_NAMESPACE = [
    ('card-hours held', 'gpuHours',
     f'sum by (namespace) (count_over_time(DCGM_FI_PROF_SM_ACTIVE{{namespace!=""}}[7d])) * {STEP} / 3600'),
    ('card-hours busy', 'busyGpuHours',
     f'sum by (namespace) (sum_over_time(DCGM_FI_PROF_SM_ACTIVE{{namespace!=""}}[7d])) * {STEP} / 3600'),
    ('card-hours busy by GPU_UTIL', 'busyGpuHours',
     f'sum by (namespace) (sum_over_time(DCGM_FI_DEV_GPU_UTIL{{namespace!=""}}[7d])) / 100 * {STEP} / 3600'),
    ('prompt tokens', 'promptTokens', 'sum by (namespace) (increase(vllm:prompt_tokens_total[7d]))'),
    ('output tokens', 'generationTokens', 'sum by (namespace) (increase(vllm:generation_tokens_total[7d]))'),
]


def bill_query(nodes):
    """No exporter tells prices, so they stand in the query: the node's, divided by its eight cards."""
    hourly = {n['card']: n['hourly'] for n in nodes}
    cards = [f'sum(count_over_time(DCGM_FI_PROF_SM_ACTIVE{{modelName="{card}"}}[7d])) * {price} / 8'
             for card, price in sorted(hourly.items())]
    return f'({" + ".join(cards)}) * {STEP} / 3600'


def links(blocks, folder):
    """The blocks as a data directory with an empty log of writes, which they are never written through."""
    for file in blocks.rglob('*'):
        to = folder / file.relative_to(blocks)
        if not file.is_dir():
            to.parent.mkdir(parents=True, exist_ok=True)
            os.link(file, to)
    (folder / 'wal').mkdir(parents=True)
    return folder


def by_namespace(rows, field):
    out = {}
    for row in rows:
        out[row['namespace']] = out.get(row['namespace'], 0) + field(row)
    return out


def worst(got, truth):
    """The error of the namespace that is farthest off, of its truth."""
    return max(abs(got.get(name, 0) - value) / value for name, value in truth.items())


class Server:
    """Prometheus over a folder, for as long as the `with`."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            self.address = f'127.0.0.1:{free.getsockname()[1]}'
        config = self.folder / 'prometheus.yml'
        config.write_text('global: {}\n')
        self.process = subprocess.Popen(
            ['prometheus', f'--config.file={config}', f'--storage.tsdb.path={self.folder}',
             '--storage.tsdb.retention.time=100y', '--storage.tsdb.min-block-duration=2h', '--storage.tsdb.max-block-duration=2h',
             f'--web.listen-address={self.address}', '--query.max-samples=1000000000', '--query.timeout=10m'],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                with urllib.request.urlopen(f'http://{self.address}/-/ready', timeout=5):
                    return self
            except (urllib.error.URLError, OSError):
                if self.process.poll() is not None:
                    raise SystemExit('prometheus does not start over the blocks')
                time.sleep(0.1)
        raise SystemExit('prometheus is not ready after a minute')

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def cpu(self):
        fields = pathlib.Path(f'/proc/{self.process.pid}/stat').read_text().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def most_memory(self):
        """In MiB."""
        status = pathlib.Path(f'/proc/{self.process.pid}/status').read_text()
        return int(status.split('VmHWM:')[1].split()[0]) / 1024

    def ask(self, query, at):
        """The values by namespace (one without is under ''), seconds of processor and of the clock."""
        cpu, start = self.cpu(), time.monotonic()
        form = urllib.parse.urlencode({'query': query, 'time': at, 'timeout': '10m'}).encode()
        with urllib.request.urlopen(f'http://{self.address}/api/v1/query', form, timeout=700) as answer:
            result = json.load(answer)['data']['result']
        values = {r['metric'].get('namespace', ''): float(r['value'][1]) for r in result}
        return values, self.cpu() - cpu, time.monotonic() - start


def ours_by_namespace(scan, field):
    if field == 'gpuHours':
        return by_namespace(scan['models'], lambda m: m['gpuHours'])
    kind = {'promptTokens': 'input', 'generationTokens': 'output'}[field]
    return by_namespace(scan['models'], lambda m: m['tokens'][kind])


def our_error(scan, truth, field):
    if field != 'busyGpuHours':
        return worst(ours_by_namespace(scan, field), by_namespace(truth['models'], lambda m: m[field]))
    # Busy hours stand with the devices, so they are compared in sum.
    hours = sum(d['busy'] * d['heldHours'] for d in scan['devices'] if d['busy'] is not None)
    return worst({'': hours}, {'': sum(m[field] for m in truth['models'])})


def compare(blocks, scratch, scan, truth, window_end):
    """Prints a line for each query; `scan` is our answer over the same blocks."""
    if not shutil.which('prometheus'):
        print('PromQL: no prometheus on this machine, left out')
        return
    print(f'{"the same by PromQL":<46} {"processor":>9}   {"clock":>7}   {"its error":>10} {"our error":>10}')
    line = '{:<46} {:>7.2f} s {:>7.2f} s {:>10.5%} {:>10.5%}'.format
    cpu_sum = clock_sum = 0
    with Server(links(blocks, scratch / 'promql')) as server:
        for what, field, query in BY_NAMESPACE:
            got, cpu, clock = server.ask(query, window_end)
            cpu_sum, clock_sum = cpu_sum + cpu, clock_sum + clock
            error = worst(got, by_namespace(truth['models'], lambda m: m[field]))
            print(line(what, cpu, clock, error, our_error(scan, truth, field)))
        got, cpu, clock = server.ask(bill_query(truth['nodes']), window_end)
        bill = truth['totals']['bill']
        print(line('bill', cpu, clock, worst(got, {'': bill}), worst({'': scan['bill']}, {'': bill})))
        print(f'{"all six":<46} {cpu_sum + cpu:>7.2f} s {clock_sum + clock:>7.2f} s  '
              f'most memory {server.most_memory():.0f} MiB')
