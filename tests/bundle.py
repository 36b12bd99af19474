#!/usr/bin/env python3
"""A bundle has the numbers of what it was made of, row by row, and none of its names.

    bundle.py --binary B [--worlds N] [--prom PEER]     the example cluster as a dump, as answers of the HTTP API and, with the
    peer that makes them (../shared/peers), as blocks; N seeds of each level of the reference worlds, and a generated fleet,
    where they are
"""
import argparse
import base64
import collections
import gzip
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXTS = pathlib.Path(os.environ.get('ETIAGE_SHARED', ROOT.parent / 'shared')) / 'data/metrics'
CHECK = pathlib.Path(os.environ.get('ETIAGE_CHECK', ROOT.parent / 'shared' / 'check'))
QUESTIONS = [['scan'], ['scan', '--idle', 'proportional'], ['cost', '--by', 'namespace,workload,model,team'],
             ['cost', '--by', 'node,pod'], ['cost', '--by', 'hour,card'], ['cost', '--by', 'tenant,model'], ['waste'], ['doctor']]
# Names that are words of Kubernetes, of engines or of the bundle's own README.
EVERYBODYS = {'vllm', 'Tesla-T4', 'gateway', 'Qwen', 'total', 'data', 'edge', 'present', 'main', 'default', 'exporter', 'dcgm-exporter'}
SAID_IN_WORDS = {'provenance', 'next', 'checks', 'priceSource', 'evidence', 'fix', 'id', 'message', 'subjects', 'source'}


def run(binary, *arguments):
    done = subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f'{" ".join(map(str, arguments))}: exit {done.returncode}: {done.stderr.strip()}')
    return done.stdout


def differences(was, now, aliases, path=''):
    """Numbers must be equal, names must be each other's alias, and all in the same order."""
    if isinstance(was, dict) and isinstance(now, dict):
        if len(was) != len(now) or any(n not in (w, aliases.get(w)) for w, n in zip(was, now)):
            yield f'{path}: {list(was)} became {list(now)}'
            return
        for key, alias in zip(was, now):
            if key not in SAID_IN_WORDS:
                yield from differences(was[key], now[alias], aliases, f'{path}.{key}')
    elif isinstance(was, list) and isinstance(now, list):
        if len(was) != len(now):
            yield f'{path}: {len(was)} rows became {len(now)}'
        for i, (a, b) in enumerate(zip(was, now)):
            yield from differences(a, b, aliases, f'{path}[{i}]')
    elif isinstance(was, str):
        alias = aliases.get(was) or '/'.join(aliases.get(step, step) for step in was.split('/'))
        if now not in (alias, was):
            yield f'{path}: {was!r} became {now!r}, not {alias!r}'
    elif was != now:
        yield f'{path}: {was} became {now}'


def found(names, text):
    """Those that stand in the text as words (`prod` is no part of `product`), or in base64."""
    for name in names:
        if len(name) < 3 or name in EVERYBODYS:
            continue
        hidden = base64.b64encode(name.encode()).decode().rstrip('=')[:-1]
        whole = name in text and re.search(rf'(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])', text)
        if whole or (len(hidden) > 8 and hidden in text):
            yield name


def without_samples(text):
    """Each line once, without the value and the time of a sample: what may hold a name."""
    return '\n'.join(sorted({line.rsplit(' ', 2)[0] if line[-1:].isdigit() else line for line in text.splitlines()}))


def check_ids(text):
    """Which checks a report has, and how grave each is: the words differ."""
    return sorted((c['id'], c['severity']) for c in json.loads(text)['checks'] if not c['id'].startswith('input-'))


def check(binary, paths, folder, invoice=None):
    archive, names = folder / 'bundle.tar.gz', folder / 'names.json'
    beside = ['--invoice', invoice] if invoice else []
    run(binary, 'bundle', *paths, *beside, '-o', archive, '--map', names)
    aliases = json.loads(names.read_text())
    with tarfile.open(archive) as tar:
        text = '\n'.join(m.name + '\n' + without_samples(tar.extractfile(m).read().decode()) for m in tar)
        members = tar.getnames()
    faults = [f'the bundle holds {name!r}' for name in found(aliases, text)]
    if invoice:
        copy = [f'{archive}/{m}' for m in members if m.endswith('invoice.csv')]
        was = json.loads(run(binary, 'scan', *paths, '--invoice', invoice, '-o', 'json'))['invoice']
        now = json.loads(run(binary, 'scan', archive, '--invoice', *copy, '-o', 'json'))['invoice']
        faults += [f'invoice: {d}' for d in differences(was, now, aliases)]
    was, now = (check_ids(run(binary, 'doctor', *p, '-o', 'json')) for p in (paths, [archive]))
    faults += [f'doctor: {set(was) ^ set(now)}'] if was != now else []
    for question in QUESTIONS:
        if question[0] not in run(binary, 'help'):
            continue
        was, now = (json.loads(run(binary, *question, *p, '-o', 'json')) for p in (paths, [archive]))
        faults += [f'{" ".join(question)}: {d}' for d in differences(was, now, aliases)]
    return faults


def gateway_log(path):
    """What three teams asked of two models of the example cluster, one of them under a gateway's name."""
    rows = ['start_time,team_id,team_alias,api_key,model_group,model,prompt_tokens,cached_tokens,completion_tokens,request_id']
    for i in range(2000):
        asked = ('chat-large', 'hosted_vllm/meta-llama/Llama-3.1-70B-Instruct') if i % 3 else ('', 'Qwen/Qwen3-32B')
        rows.append(f'2026-10-06T{i % 24:02}:00:{i % 60:02}.5Z,team-{i % 3},Acme {i % 3},sk-{i % 7},{",".join(asked)},{900 + i},{i % 5 * 100},{50 + i},req-{i}')
    path.write_text('\n'.join(rows) + '\n')
    return path


RULES = """groups:
- name: acme gpu money
  rules:
  - {record: acme:node_price, expr: 'sum by (node) (acme_node_price)'}
  - {alert: Riviere is idle, expr: 'avg by (exported_pod) (DCGM_FI_PROF_SM_ACTIVE{namespace="legacy"}) < 0.1'}
  - {alert: token price, expr: '(sum(rate(node_hourly_cost[5m])) / 3600) / (sum(rate(vllm_generation_tokens_total[5m])) / 1e6)'}
"""


def rules(folder):
    (folder / 'rules.yaml').write_text(RULES)
    return folder / 'rules.yaml'


def series(dump):
    """Of an OpenMetrics dump: the samples of each series, in order of time."""
    out = collections.defaultdict(list)
    with gzip.open(dump, 'rt') as lines:
        for line in lines:
            if not line.startswith('#'):
                head, value, time = line.rsplit(' ', 2)
                out[head].append((float(time), value))
    return {head: sorted(samples) for head, samples in out.items()}


def labels_of(head):
    name, _, rest = head.partition('{')
    out = {'__name__': name}
    for pair in filter(None, rest.rstrip('}').split('",')):
        key, _, value = pair.partition('="')
        out[key] = value.rstrip('"')
    return out


def api_answer(dump, path):
    """As Prometheus answers a range query."""
    rows = [{'metric': labels_of(head), 'values': [[t, v] for t, v in samples]} for head, samples in series(dump).items()]
    path.write_text(json.dumps({'status': 'success', 'data': {'resultType': 'matrix', 'result': rows}}))
    return path


def blocks(dump, folder, prom):
    text = ''.join(f'{head} {value} {time:.3f}\n' for head, samples in series(dump).items() for time, value in samples)
    subprocess.run([prom, 'make', folder], input=text + '# EOF\n', text=True, check=True, capture_output=True)
    return folder


def generated(folder):
    """A small fleet, where its generator is and has what it needs."""
    out = folder / 'fleet'
    made = subprocess.run([sys.executable, CHECK / 'gen_openmetrics.py', '--out', out, '--nodes', '3', '--days', '0.2'],
                          capture_output=True)
    return [out / f for f in ('dump.om', 'cluster.json', 'prices.csv')] if made.returncode == 0 else []


OTHERS = {
    'TPU': ('google.com/tpu', 'duty_cycle{accelerator_id="1234-4",make="cloud-tpu",model="tpu7x",namespace="acme",pod="ranker-0"}', '75'),
    'GKE': ('google.com/tpu', 'kubernetes_io:container_accelerator_duty_cycle{accelerator_id="1234-4",make="cloud-tpu",model="tpu7x",namespace_name="acme",pod_name="ranker-0"}', '20'),
    'Intel': ('gpu.intel.com/i915', 'xpum_engine_ratio{dev_name="Intel(R) Data Center GPU Max 1100",kube_namespace="acme",kube_pod="ranker-0",node="rack-9",uuid="00000000-0000-0029-0000-002f0bda8086"}', '0.4'),
    'Gaudi': ('habana.ai/gaudi', 'habanalabs_utilization{UUID="01P4-HL2080A0",exported_namespace="acme",exported_pod="ranker-0",node="rack-9"}', '30'),
    'AMD': ('amd.com/gpu', 'gpu_gfx_activity{card_model="102-G30211-0C",card_series="AMD Instinct MI300X OAM",gpu_id="2",gpu_uuid="ccff74a1",hostname="rack-9",namespace="acme",pod="ranker-0"}', '40'),
    'nvidia-smi': ('nvidia.com/gpu', 'nvidia_smi_utilization_gpu_ratio{uuid="7a2e92f2-be71-d37e-a744-541600ffc722",name="NVIDIA L4",hostname="rack-9",namespace="acme",pod="ranker-0"}', '0.9'),
}


def other_exporters(folder):
    """An hour of a node with a card of each vendor, as its own exporter tells it."""
    for vendor, (resource, series, value) in OTHERS.items():
        dump, objects = folder / f'{vendor}.om', folder / f'{vendor}.json'
        dump.write_text(''.join(f'{series} {value} {1791763200 + 60 * minute}\n' for minute in range(60)) + '# EOF\n')
        has = {resource: '1', 'cpu': '8', 'memory': '32Gi'}
        node = {'kind': 'Node', 'apiVersion': 'v1', 'metadata': {'name': 'rack-9', 'creationTimestamp': '2026-10-01T00:00:00Z'},
                'status': {'capacity': has, 'allocatable': has}}
        pod = {'kind': 'Pod', 'apiVersion': 'v1', 'metadata': {'name': 'ranker-0', 'namespace': 'acme'},
               'spec': {'nodeName': 'rack-9', 'containers': [{'name': 'main', 'resources': {'requests': {resource: '1'}}}]},
               'status': {'phase': 'Running', 'startTime': '2026-10-01T00:00:00Z'}}
        objects.write_text(json.dumps({'kind': 'List', 'apiVersion': 'v1', 'items': [node, pod]}))
        yield vendor, [dump, objects]


def texts_of_tools(binary):
    """What nvidia-smi and kubectl print, where there are such texts and the ledger reads them."""
    for path in sorted(TEXTS.glob('n*')) if TEXTS.is_dir() else ():
        if not path.name.endswith('.source') and not subprocess.run([binary, 'scan', path], capture_output=True).returncode:
            yield path.name, [path]


def inputs(worlds, folder, prom):
    example = ROOT / 'examples' / 'cluster'
    others = [example / 'objects.json', example / 'prices.yaml', gateway_log(folder / 'spend.csv'), rules(folder)]
    yield 'a dump', [example, *others[2:]]
    yield 'answers of the API', [*others, api_answer(example / 'metrics.om.gz', folder / 'answer.json')]
    if prom:
        yield 'blocks', [*others, blocks(example / 'metrics.om.gz', folder / 'blocks', prom)]
    if fleet := generated(folder):
        yield 'a fleet', fleet
    for level in range(1, 7):
        for seed in range(1, worlds + 1) if (CHECK / 'worlds.py').exists() else ():
            out = folder / f'world-{seed}-{level}'
            subprocess.run([sys.executable, CHECK / 'worlds.py', 'make', '--seed', str(seed), '--level', str(level),
                            '--out', out], check=True, capture_output=True)
            yield out.name, [out / f for f in ('objects.json', 'dump.om', 'prices.csv')]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--binary', required=True)
    parser.add_argument('--worlds', type=int, default=1)
    parser.add_argument('--prom', help='the program of ../shared/peers that makes blocks')
    a = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, paths in itertools.chain(inputs(a.worlds, pathlib.Path(scratch), a.prom), other_exporters(pathlib.Path(scratch)),
                                           texts_of_tools(a.binary)):
            invoice = ROOT / 'examples/billing/focus.csv' if name == 'a dump' else None
            faults = check(a.binary, paths, pathlib.Path(scratch), invoice)
            for fault in faults[:5]:
                print(f'{name}: {fault}')
            bad += bool(faults)
            print(f'{name}: {"differs" if faults else "same numbers, no name"}')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
