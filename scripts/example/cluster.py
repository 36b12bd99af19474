"""What there is: nodes, and the pods on them. Times are seconds from the window's beginning."""
import dataclasses
import datetime
import hashlib

BEGIN = datetime.datetime(2026, 10, 6, tzinfo=datetime.timezone.utc)   # a Tuesday
HOURS, STEP = 48, 300
HOUR, DAY = 3600, 86400
END = HOURS * HOUR


def stamp(t):
    return int(BEGIN.timestamp()) + t


def iso(t):
    return (BEGIN + datetime.timedelta(seconds=t)).strftime('%Y-%m-%dT%H:%M:%SZ')


def digest(*words, length=12):
    """Hex that looks random and is the same on every run."""
    return hashlib.sha256('/'.join(map(str, words)).encode()).hexdigest()[:length]


def uuid_of(*words):
    d = digest(*words, length=32)
    return f'{d[:8]}-{d[8:12]}-4{d[13:16]}-a{d[17:20]}-{d[20:]}'


@dataclasses.dataclass(frozen=True)
class Node:
    name: str
    instance_type: str
    card: str = ''                  # as DCGM's modelName
    cards: int = 0
    cpu: int = 16                   # allocatable cores, GiB
    memory: int = 60
    layouts: tuple = ()             # the MIG profiles created on each card
    slices: int = 1                 # pods that share a card in time
    created: int = -40 * DAY
    tainted: bool = True
    spot: bool = False
    labels: str = 'plain'           # how the exporter's rows name host and pod: plain, exported, lower
    signals: tuple = ('DCGM_FI_PROF_SM_ACTIVE', 'DCGM_FI_DEV_GPU_UTIL', 'DCGM_FI_DEV_FB_USED')


H100, A100, L4 = 'NVIDIA H100 80GB HBM3', 'NVIDIA A100-SXM4-80GB', 'NVIDIA L4'
MIG_SIGNALS = ('DCGM_FI_PROF_SM_ACTIVE', 'DCGM_FI_PROF_GR_ENGINE_ACTIVE', 'DCGM_FI_DEV_FB_USED')
L4_SIGNALS = ('DCGM_FI_DEV_GPU_UTIL', 'DCGM_FI_DEV_FB_USED')      # profiling is off on these
MEMORY_MIB = {H100: 81559, A100: 81920, L4: 23034}


def h100(n, **more):
    return Node(f'h100-{n:02}', 'a3-highgpu-8g', H100, 8, 206, 1830, **more)


def a100(n, **more):
    return Node(f'a100-{n:02}', 'a2-ultragpu-4g', A100, 4, 47, 664, **more)


def l4(n, **more):
    return Node(f'l4-{n:02}', 'g2-standard-48', L4, 4, 47, 184, slices=4, signals=L4_SIGNALS, **more)


NODES = [
    h100(1), h100(2), h100(3), h100(4, labels='exported'), h100(5, tainted=False),
    a100(1, layouts=(('3g.40gb', '3g.40gb'),) * 2 + (('2g.20gb',) * 3 + ('1g.10gb',),) * 2, signals=MIG_SIGNALS),
    a100(2, layouts=(('3g.40gb',), ('3g.40gb', '2g.20gb'), ('7g.80gb',), ('1g.10gb',) * 7), signals=MIG_SIGNALS),
    a100(3), l4(1), l4(2, labels='lower'), l4(3, created=30 * HOUR, spot=True),
    Node('cpu-01', 'n2-standard-16', tainted=False),
]
NODE = {n.name: n for n in NODES}


@dataclasses.dataclass(frozen=True)
class Device:
    node: str
    card: int
    instance: int = -1              # GPU_I_ID; -1: the whole card
    profile: str = ''

    @property
    def uuid(self):
        return 'GPU-' + uuid_of('card', self.node, self.card)


def devices_of(node):
    for card in range(node.cards):
        if not node.layouts:
            yield Device(node.name, card)
        for i, profile in enumerate(node.layouts[card] if node.layouts else ()):
            yield Device(node.name, card, 1 + i if profile != '1g.10gb' else 7 + i, profile)


@dataclasses.dataclass(frozen=True)
class Pod:
    name: str
    namespace: str
    owner: tuple                    # (kind, name)
    node: str
    devices: tuple = ()
    cpu: float = 1                  # cores and GiB requested
    memory: float = 2
    start: int = -9 * DAY
    end: int = None                 # finished
    loading: int = 0                # from its start until it is ready
    restart: tuple = None           # (killed, ready again)
    load: float = 0                 # busy share at the day's peak
    steady: bool = False            # the same by day and night
    model: str = ''
    tokens: tuple = (0, 0)          # prompt and generated tokens a second when fully busy
    engine: str = ''                # vllm: new names; vllm-both: the old ones beside them
    command: tuple = ()
    image: str = 'registry.example/app:1.4.2'
    labelled: bool = True           # the exporter's rows name it

    @property
    def uid(self):
        return uuid_of('pod', self.namespace, self.name)

    @property
    def container(self):
        return 'vllm' if self.engine else self.owner[1]


TEAMS = {'chat': 'assistant', 'search': 'search', 'research': 'research', 'training': 'research', 'data': 'platform',
         'edge': 'mobile', 'notebooks': 'research', 'moderation': 'trust', 'assist': 'devtools', 'ocr': 'documents',
         'agents': 'agents', 'vision': 'documents', 'legacy': None, 'monitoring': 'platform', 'gpu-operator': 'platform',
         'kube-system': 'platform'}


def vllm(namespace, name, node, cards, model, tokens, load, engine='vllm', profile='', kind='Deployment', pod=None, **more):
    """A replica of a model; `cards` are indices, or (card, instance) of MIG."""
    devices = tuple(Device(node, c) if isinstance(c, int) else Device(node, *c, profile) for c in cards)
    pod = pod or f'{name}-{digest(namespace, name, length=10)}-{digest(node, cards, length=5)}'
    return Pod(pod, namespace, (kind, name), node, devices, model=model, tokens=tokens, load=load, engine=engine,
               command=('--model', model, '--tensor-parallel-size', str(len(cards))), image='vllm/vllm-openai:v0.21.0', **more)


def app(namespace, name, node, devices=(), kind='Deployment', index=0, **more):
    pod = f'{name}-{index}' if kind == 'StatefulSet' else f'{name}-{digest(namespace, name, node, index, length=5)}'
    if kind == 'Deployment':
        pod = f'{name}-{digest(namespace, name, length=10)}-{digest(node, index, length=5)}'
    return Pod(pod, namespace, (kind, name), node, tuple(Device(node, *d) if isinstance(d, tuple) else Device(node, d) for d in devices), **more)


def model_pods():
    llama, qwen, big = 'meta-llama/Llama-3.1-70B-Instruct', 'Qwen/Qwen3-32B', 'Qwen/Qwen3-235B-A22B-FP8'
    whole = dict(cpu=48, memory=400)
    slice_ = dict(cpu=4, memory=40)
    lws = dict(kind='LeaderWorkerSet', cpu=160, memory=1400)
    yield vllm('chat', 'llama-70b', 'h100-01', range(0, 4), llama, (9000, 1700), .46, **whole)
    yield vllm('chat', 'llama-70b', 'h100-01', range(4, 8), llama, (9000, 1700), .43, **whole)
    yield vllm('chat', 'llama-70b', 'h100-02', range(0, 4), llama, (9000, 1700), .39, start=8 * HOUR, loading=540, **whole)
    yield vllm('search', 'qwen3-32b', 'h100-02', (4, 5), qwen, (7000, 1500), .24, cpu=24, memory=200)
    yield vllm('search', 'qwen3-32b', 'h100-02', (6, 7), qwen, (7000, 1500), .22, cpu=24, memory=200, restart=(27 * HOUR, 27 * HOUR + 600))
    yield vllm('research', 'qwen3-235b', 'h100-03', range(8), big, (21000, 3900), .14, pod='qwen3-235b-0', **lws)
    yield vllm('research', 'qwen3-235b', 'h100-04', range(8), big, (0, 0), .14, pod='qwen3-235b-0-1', engine='', **lws)
    for card, instance in ((0, 1), (0, 2), (1, 1)):
        yield vllm('edge', 'llama-8b', 'a100-01', ((card, instance),), 'meta-llama/Llama-3.1-8B-Instruct', (3800, 900), .38, profile='3g.40gb', **slice_)
    for card, instance in ((2, 1), (2, 2), (2, 3), (3, 1)):
        yield vllm('moderation', 'guard-1b', 'a100-01', ((card, instance),), 'meta-llama/Llama-Guard-3-1B', (5200, 40), .17, profile='2g.20gb', cpu=2, memory=16)
    yield vllm('assist', 'coder-7b', 'a100-02', ((1, 1),), 'Qwen/Qwen2.5-Coder-7B-Instruct', (3600, 700), .2, profile='3g.40gb', **slice_)
    yield vllm('assist', 'coder-32b', 'a100-02', ((2, 1),), 'Qwen/Qwen2.5-Coder-32B-Instruct', (2500, 520), .31, profile='7g.80gb', **slice_)
    yield vllm('agents', 'qwen3-32b', 'a100-03', (0,), qwen, (2600, 560), .35, cpu=8, memory=80)
    yield vllm('agents', 'qwen3-32b', 'a100-03', (1,), qwen, (2600, 560), .33, engine='vllm-both', cpu=8, memory=80)
    yield vllm('legacy', 'mistral-7b', 'a100-03', (2,), 'mistralai/Mistral-7B-Instruct-v0.2', (5000, 1100), 0, cpu=8, memory=40, start=-120 * DAY)


def other_pods():
    yield app('notebooks', 'jupyter-anna', 'a100-01', ((1, 2, '3g.40gb'),), kind='StatefulSet', cpu=2, memory=16, load=.01)
    yield app('notebooks', 'jupyter-ben', 'a100-02', ((0, 1, '3g.40gb'),), kind='StatefulSet', cpu=2, memory=16)
    yield app('assist', 'embedder', 'a100-02', ((1, 2, '2g.20gb'),), cpu=2, memory=8, load=.12)
    for i in range(3):
        yield app('ocr', 'ocr', 'a100-02', ((3, 7 + i, '1g.10gb'),), index=i, cpu=2, memory=8, load=.22, labelled=i != 2)
    yield app('training', 'lora-eu', 'h100-05', range(4), kind='Job', cpu=96, memory=700, start=6 * HOUR, end=44 * HOUR, load=.88, steady=True)
    for i in range(3):
        yield app('data', 'etl', 'h100-05', kind='Deployment', index=i, cpu=36.6, memory=120, start=10 * HOUR)
    for i in range(4):
        yield app('search', 'bge-m3', 'l4-01', (i // 2,), kind='StatefulSet', index=i, cpu=4, memory=12, load=.5)
    for i in range(3):
        yield app('search', 'reranker', 'l4-01', (2,), index=i, cpu=3, memory=8, load=.3)
    for i in range(2):
        yield app('vision', 'clip', 'l4-02', (i,), index=i, cpu=4, memory=12, load=.26, labelled=False)
    for i in (4, 5):
        yield app('search', 'bge-m3', 'l4-03', (i - 4,), kind='StatefulSet', index=i, cpu=4, memory=12, load=.45, start=30 * HOUR + 300, loading=300)
    yield app('kube-system', 'gateway', 'cpu-01', cpu=4, memory=8)
    yield app('monitoring', 'prometheus', 'cpu-01', kind='StatefulSet', cpu=4, memory=24)
    yield app('monitoring', 'kube-state-metrics', 'cpu-01', cpu=.2, memory=.5)
    for node in NODES:
        if node.cards:
            yield app('gpu-operator', 'nvidia-dcgm-exporter', node.name, kind='DaemonSet', cpu=.2, memory=.5, start=max(-9 * DAY, node.created))


PODS = [*model_pods(), *other_pods()]
PENDING = app('research', 'qwen3-235b-eval', '', kind='Job', cpu=160, memory=1400, start=20 * HOUR)
