"""The metrics as `promtool tsdb dump-openmetrics` prints them: no TYPE lines, one series after the other in label order."""
import decimal
import random

from .cluster import MEMORY_MIB, NODE, NODES, PODS, STEP, devices_of, digest, stamp
from .load import TIMES, busy, counted, exists, is_up

DRIVER = '580.105.08'
IP = {p.uid: f'10.8.{i // 250}.{i % 250 + 4}' for i, p in enumerate(PODS)}


def go_number(value):
    """As Go's %g prints it: 1234567 is 1.234567e+06."""
    sign, digits, exponent = decimal.Decimal(repr(value)).normalize().as_tuple()
    magnitude = len(digits) - 1 + exponent
    if value == 0 or -5 < magnitude < 6:
        return format(decimal.Decimal(repr(value)).normalize(), 'f')
    mantissa = str(digits[0]) + ('.' + ''.join(map(str, digits[1:])) if len(digits) > 1 else '')
    return f'{"-" * sign}{mantissa}e{"-" if magnitude < 0 else "+"}{abs(magnitude):02}'


class Dump:
    def __init__(self):
        self.series = []

    def add(self, name, labels, values):
        """`values`: one a scrape, None where there is no sample."""
        samples = [(stamp(t), go_number(v)) for t, v in zip(TIMES, values) if v is not None]
        if samples:
            self.series.append((sorted({**labels, '__name__': name}.items()), samples))

    def lines(self):
        for labels, samples in sorted(self.series):
            name = dict(labels)['__name__']
            inside = ','.join(f'{k}="{v}"' for k, v in labels if k != '__name__')
            for at, value in samples:
                yield f'{name}{{{inside}}} {value} {at}.000\n'
        yield '# EOF\n'


def host_labels(node, device):
    host = {'hostname' if node.labels == 'lower' else 'Hostname': node.name}
    mig = {'GPU_I_ID': str(device.instance), 'GPU_I_PROFILE': device.profile} if device.profile else {}
    return {'UUID': device.uuid, 'gpu': str(device.card), 'device': f'nvidia{device.card}', 'modelName': node.card,
            'DCGM_FI_DRIVER_VERSION': DRIVER, 'job': 'nvidia-dcgm-exporter', **host, **mig}


def pod_labels(node, pod):
    """Where Prometheus does not honour the exporter's labels, they come back as exported_*."""
    if not pod or not pod.labelled:
        return {}
    plain = {'container': pod.container, 'namespace': pod.namespace, 'pod': pod.name}
    if node.labels != 'exported':
        return plain
    exporter = {'container': 'nvidia-dcgm-exporter', 'namespace': 'gpu-operator', 'pod': f'nvidia-dcgm-exporter-{digest(node.name, length=5)}'}
    return exporter | {'exported_' + k: v for k, v in plain.items()}


def signal_value(name, node, device, pod, u, chance):
    full = MEMORY_MIB[node.card]
    if device.profile:
        full = full * int(device.profile.split('.')[1][:-2]) // 80
    # An engine takes what it may use at its start, on every rank; other programs take what they need.
    used = full * 9 // 10 if pod and pod.model else full * 3 // 10 if pod else 4
    return {'DCGM_FI_PROF_SM_ACTIVE': lambda: u,
            'DCGM_FI_PROF_GR_ENGINE_ACTIVE': lambda: round(min(1, u * 1.6), 3),
            'DCGM_FI_DEV_GPU_UTIL': lambda: min(100, round(u * 180)),
            'DCGM_FI_DEV_FB_USED': lambda: used + (chance.randrange(-2, 3) * 16 if u else 0)}[name]()


def device_rows(dump, activity):
    holders = {}
    for pod in PODS:
        for device in pod.devices:
            holders.setdefault(device, []).append(pod)
    for node in NODES:
        for device in devices_of(node):
            pods = holders.get(device, [])
            # A card shared in time has one row for each of its pods (KUBERNETES_VIRTUAL_GPUS), with the card's own value.
            together = [sum(us) for us in zip(*(activity[p.uid] for p in pods))] or [0] * len(TIMES)
            for i, pod in enumerate(pods or [None]):
                vgpu = {'vgpu': str(i)} if node.slices > 1 and pod and pod.labelled else {}
                emit_device(dump, node, device, pod, vgpu, [round(min(1, u), 3) for u in together])


def emit_device(dump, node, device, pod, vgpu, us):
    for name in node.signals:
        chance = random.Random(f'{name} {device}')
        values = [signal_value(name, node, device, pod if pod and exists(pod, t) else None, u, chance) for t, u in zip(TIMES, us)]
        held = [v if pod and exists(pod, t) else None for t, v in zip(TIMES, values)]
        free = [v if not (pod and exists(pod, t)) and t >= node.created else None for t, v in zip(TIMES, values)]
        dump.add(name, host_labels(node, device) | pod_labels(node, pod) | vgpu, held)
        dump.add(name, host_labels(node, device), free)


NEW = {'prompt': 'vllm:prompt_tokens_total', 'cached': 'vllm:prompt_tokens_cached_total', 'generation': 'vllm:generation_tokens_total',
       'prefill': 'vllm:request_prefill_time_seconds_sum', 'decode': 'vllm:request_decode_time_seconds_sum',
       'running': 'vllm:num_requests_running', 'waiting': 'vllm:num_requests_waiting', 'kv': 'vllm:kv_cache_usage_perc'}
OLD = {'kv': 'vllm:gpu_cache_usage_perc'}


def engine_rows(dump, activity):
    for pod in PODS:
        if not pod.engine:
            continue
        labels = {'container': 'vllm', 'engine': '0', 'instance': f'{IP[pod.uid]}:8000', 'job': 'vllm', 'model_name': pod.model,
                  'namespace': pod.namespace, 'pod': pod.name}
        for key, values in counted(pod, activity[pod.uid]).items():
            dump.add(NEW[key], labels, values)
            if pod.engine == 'vllm-both' and key in OLD:
                dump.add(OLD[key], labels, values)


def state_rows(dump):
    for pod in PODS:
        ids = {'namespace': pod.namespace, 'pod': pod.name, 'uid': pod.uid, 'job': 'kube-state-metrics'}
        kind, owner = pod.owner
        owner = ('ReplicaSet', pod.name.rsplit('-', 1)[0]) if kind == 'Deployment' else (kind, owner)
        info = ids | {'node': pod.node, 'host_ip': f'10.0.0.{list(NODE).index(pod.node) + 10}', 'pod_ip': IP[pod.uid],
                      'created_by_kind': owner[0], 'created_by_name': owner[1]}
        there = [1 if t >= pod.start else None for t in TIMES]
        dump.add('kube_pod_info', info, there)
        dump.add('kube_pod_status_ready', ids | {'condition': 'true'}, [v and int(is_up(pod, t)) for t, v in zip(TIMES, there)])
        restarts = [v and int(bool(pod.restart and t >= pod.restart[0])) for t, v in zip(TIMES, there)]
        dump.add('kube_pod_container_status_restarts_total', ids | {'container': pod.container}, restarts)
        if pod.end is not None:
            dump.add('kube_pod_completion_time', ids, [stamp(pod.end) if t >= pod.end else None for t in TIMES])


def container_rows(dump, activity):
    for pod in PODS:
        chance = random.Random(f'cpu {pod.uid}')
        labels = {'container': pod.container, 'namespace': pod.namespace, 'pod': pod.name, 'node': pod.node, 'job': 'kubelet',
                  'image': pod.image}
        seconds, used, memory = chance.randrange(10**4, 10**6) if pod.start < 0 else 0, [], []
        resident = int(pod.memory * 2**30 * chance.uniform(.35, .8)) // 2**20 * 2**20
        for t, u in zip(TIMES, activity[pod.uid]):
            if pod.restart and pod.restart[0] <= t < pod.restart[0] + STEP:
                seconds = 0
            seconds += round(pod.cpu * (.04 + .5 * u) * STEP, 1)
            alive = exists(pod, t)
            used.append(round(seconds, 1) if alive else None)
            memory.append(resident + chance.randrange(0, 64) * 2**20 if alive else None)
        dump.add('container_cpu_usage_seconds_total', labels | {'cpu': 'total'}, used)
        dump.add('container_memory_working_set_bytes', labels, memory)


def write(out):
    activity = {pod.uid: busy(pod) for pod in PODS}
    dump = Dump()
    device_rows(dump, activity)
    engine_rows(dump, activity)
    state_rows(dump)
    container_rows(dump, activity)
    for line in dump.lines():
        out.write(line)
