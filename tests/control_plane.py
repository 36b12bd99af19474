#!/usr/bin/env python3
"""What `etiage schedule` and `etiage why pod` foresee, beside what Kubernetes itself does.

    control_plane.py --binary B [--programs DIR]

Two parts, each skipped, saying so, where what it needs is absent (exit status 77 where both are):
recorded: the objects of a real cluster; the reason of each pending pod is the one that the cluster noted.
live:     a kube-apiserver and kube-scheduler of ../shared/kube, started on loopback: pods with one best node each are bound
          where they were foreseen, and pods that wait do so for the words foreseen. The programs are those in DIR (or
          ETIAGE_KUBE_PROGRAMS); ../shared/kube/build.sh DIR builds them in a quarter of an hour, as `./run test --all` does.
"""
import argparse
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get('ETIAGE_SHARED', ROOT.parent / 'shared'))
PROGRAMS = ('kubetool', 'etcd', 'kube-apiserver', 'kube-scheduler')
SKIPPED = 77
GPU = 'nvidia.com/gpu'
faults = []


def expect(fine, what):
    if not fine:
        faults.append(what)


def etiage(binary, *words):
    done = subprocess.run([binary, *map(str, words), '-o', 'json'], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f'etiage {" ".join(map(str, words))}: exit {done.returncode}: {done.stderr.strip()}')
    return json.loads(done.stdout)


def noted(pod):
    """The scheduler's words in the condition PodScheduled."""
    for c in pod.get('status', {}).get('conditions', []):
        if c['type'] == 'PodScheduled' and c['status'] == 'False':
            return c.get('message', '')
    return ''


# --- recorded -------------------------------------------------------------------------------------------------------------

def recorded(binary):
    folder = SHARED / 'data/kube/recorded'
    if not folder.exists():
        print('skipped the recorded cluster:', folder, 'is not there')
        return False
    files = [f for f in sorted(folder.glob('list_*.json')) if f.name not in ('list_models.json', 'list_customresourcedefinitions.json')]
    judged = 0
    for pod in json.loads((folder / 'list_pods.json').read_text())['items']:
        name = f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"
        message = noted(pod)
        if not message or 'gates' in message or pod['status'].get('nominatedNodeName'):
            continue  # a gated pod and one that was promised a node are in another state by now
        why = etiage(binary, 'why', 'pod', name, *files)
        expect(why.get('message') == message, f"{name}: the cluster says {message!r}, foreseen {why.get('message')!r}")
        judged += 1
    expect(judged >= 7, f'only {judged} recorded pods wait for a node')
    print(f'recorded: {judged} pods that wait, each in the words of its cluster')
    return True


# --- live -----------------------------------------------------------------------------------------------------------------

class Api:
    def __init__(self, state):
        self.url = (state / 'url').read_text().strip()
        self.token = (state / 'pki/admin.token').read_text().strip()
        self.context = ssl.create_default_context(cafile=str(state / 'pki/ca.crt'))

    def call(self, method, path, body=None, kind='application/json'):
        request = urllib.request.Request(self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
                                         headers={'Authorization': 'Bearer ' + self.token, 'Content-Type': kind})
        try:
            with urllib.request.urlopen(request, context=self.context, timeout=20) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as e:
            raise SystemExit(f'{method} {path}: {e.code} {e.read().decode()[:300]}')

    def create(self, path, body):
        return self.call('POST', path, body)

    def node(self, node):
        status = node.pop('status')
        taints = node['spec'].get('taints', [])
        self.create('/api/v1/nodes', node)
        path = '/api/v1/nodes/' + node['metadata']['name']
        self.call('PATCH', path + '/status', {'status': status}, 'application/merge-patch+json')
        # Admission gives a new node the taint not-ready; nobody else would lift it here.
        self.call('PATCH', path, {'spec': {'taints': taints}}, 'application/merge-patch+json')


def node(name, zone, gpus, taints=(), cordoned=False):
    amounts = {'cpu': '32', 'memory': '128Gi', 'pods': '110', **({GPU: str(gpus)} if gpus else {})}
    return {'apiVersion': 'v1', 'kind': 'Node',
            'metadata': {'name': name, 'labels': {'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone}},
            'spec': {'taints': list(taints), 'unschedulable': cordoned}, 'status': {'capacity': amounts, 'allocatable': amounts}}


def pod(name, cpu='1', memory='1Gi', gpus=0, **spec):
    limits = {GPU: str(gpus)} if gpus else {}
    return {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': name, 'namespace': 'default', 'labels': {'app': name.split('-')[0]}},
            'spec': {'containers': [{'name': 'c', 'image': 'registry.example/app:1', 'resources': {'requests': {'cpu': cpu, 'memory': memory, **limits}, 'limits': limits}}],
                     'terminationGracePeriodSeconds': 0, **spec}}


TOLERATES = {'tolerations': [{'key': GPU, 'operator': 'Exists'}]}
GPU_TAINT = [{'key': GPU, 'value': 'present', 'effect': 'NoSchedule'}]
NODES = [node('a-gpu', 'a', 8, GPU_TAINT), node('b-gpu', 'b', 4, GPU_TAINT), node('c-gpu', 'a', 8, GPU_TAINT, cordoned=True), node('d-cpu', 'b', 0)]


def near(app, key):
    return {'podAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': [{'labelSelector': {'matchLabels': {'app': app}}, 'topologyKey': key}]}}


def apart(app):
    return {'podAntiAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': [{'labelSelector': {'matchLabels': {'app': app}}, 'topologyKey': 'kubernetes.io/hostname'}]}}


# Each has one best node, so that nothing is left to chance.
BOUND = [
    pod('big-0', '8', '32Gi', 6, **TOLERATES), pod('web-0', '2', '4Gi'), pod('mid-0', '4', '16Gi', 3, **TOLERATES),
    pod('one-0', '1', '2Gi', 1, **TOLERATES, affinity=near('big', 'topology.kubernetes.io/zone')),
    pod('solo-0', '1', '1Gi', 1, **TOLERATES, affinity=apart('big')), pod('db-0', '12', '24Gi', 0, nodeSelector={'topology.kubernetes.io/zone': 'b'}),
    pod('claimed-0', resourceClaims=[{'name': 'gpu', 'resourceClaimName': 'one-device'}], **TOLERATES),
]
WAITING = [
    pod('waits-large', gpus=16, **TOLERATES), pod('waits-toleration', gpus=1), pod('waits-memory', memory='4Ti', **TOLERATES),
    pod('waits-label', nodeSelector={'card': 'b200'}), pod('waits-near', affinity=near('nobody', 'kubernetes.io/hostname')),
    pod('waits-apart', cpu='25', affinity=apart('web')), pod('waits-port', hostNetwork=False, nodeSelector={'kubernetes.io/hostname': 'd-cpu'}, cpu='31'),
    pod('waits-patiently', gpus=8, priorityClassName='patient', **TOLERATES),
    pod('waits-device', resourceClaims=[{'name': 'gpu', 'resourceClaimName': 'no-device'}], **TOLERATES),
]


def claim(name, product):
    return {'apiVersion': 'resource.k8s.io/v1', 'kind': 'ResourceClaim', 'metadata': {'name': name, 'namespace': 'default'},
            'spec': {'devices': {'requests': [{'name': 'gpu', 'exactly': {'deviceClassName': 'gpu.example.com', 'selectors': [
                {'cel': {'expression': f'device.attributes["gpu.example.com"].product == "{product}"'}}]}}]}}}


DEVICES = [
    ('/apis/resource.k8s.io/v1/deviceclasses', {'apiVersion': 'resource.k8s.io/v1', 'kind': 'DeviceClass', 'metadata': {'name': 'gpu.example.com'},
                                                'spec': {'selectors': [{'cel': {'expression': 'device.driver == "gpu.example.com"'}}]}}),
    ('/apis/resource.k8s.io/v1/resourceslices', {'apiVersion': 'resource.k8s.io/v1', 'kind': 'ResourceSlice', 'metadata': {'name': 'b-gpu-devices'},
                                                 'spec': {'driver': 'gpu.example.com', 'nodeName': 'b-gpu', 'pool': {'name': 'b-gpu', 'generation': 1, 'resourceSliceCount': 1},
                                                          'devices': [{'name': 'gpu-0', 'attributes': {'product': {'string': 'h100'}}}]}}),
    ('/apis/resource.k8s.io/v1/namespaces/default/resourceclaims', claim('one-device', 'h100')),
    ('/apis/resource.k8s.io/v1/namespaces/default/resourceclaims', claim('no-device', 'b200')),
    ('/apis/scheduling.k8s.io/v1/priorityclasses', {'apiVersion': 'scheduling.k8s.io/v1', 'kind': 'PriorityClass', 'metadata': {'name': 'patient'},
                                                    'value': 1000, 'preemptionPolicy': 'Never'}),
]
LISTS = ['/api/v1/nodes', '/api/v1/pods', '/api/v1/namespaces', '/apis/resource.k8s.io/v1/deviceclasses', '/apis/resource.k8s.io/v1/resourceslices',
         '/apis/resource.k8s.io/v1/resourceclaims', '/apis/scheduling.k8s.io/v1/priorityclasses', '/api/v1/events']


def dump(api, folder):
    folder.mkdir()
    for path in LISTS:
        (folder / (path.rsplit('/', 1)[1] + '.json')).write_text(json.dumps(api.call('GET', path)))
    return folder


def settled(api, name, bound):
    """The pod once it is bound, or has been refused."""
    for _ in range(150):
        now = api.call('GET', f'/api/v1/namespaces/default/pods/{name}')
        if now['spec'].get('nodeName') or (not bound and noted(now)):
            return now
        time.sleep(0.1)
    return now


def add_all(api):
    for path, body in DEVICES:
        api.create(path, body)
    for n in NODES:
        api.node(json.loads(json.dumps(n)))


def check_bound(binary, api, folder):
    """Where each pod goes is foreseen of the cluster before it comes, in one call for all of them."""
    add_all(api)
    cluster = dump(api, folder / 'before')
    (cluster / 'new.json').write_text(json.dumps({'apiVersion': 'v1', 'kind': 'List', 'items': BOUND}))
    foreseen = {p['name']: p for p in etiage(binary, 'schedule', cluster)['pods']}
    for p in BOUND:
        name = p['metadata']['name']
        expect(len(foreseen[name].get('best', [])) == 1, f"{name} has no single best node: {foreseen[name].get('best')}")
        api.create('/api/v1/namespaces/default/pods', p)
        got = settled(api, name, True)['spec'].get('nodeName')
        expect(got == foreseen[name].get('boundTo'), f"{name}: bound to {got}, foreseen {foreseen[name].get('boundTo')}")
    print(f'live: {len(BOUND)} pods bound where they were foreseen')


def check_waiting(binary, api, folder):
    for p in WAITING:
        api.create('/api/v1/namespaces/default/pods', p)
    words = {p['metadata']['name']: noted(settled(api, p['metadata']['name'], False)) for p in WAITING}
    cluster = dump(api, folder / 'after')
    events = {e['involvedObject']['name']: e['message'] for e in api.call('GET', '/api/v1/events')['items'] if e['reason'] == 'FailedScheduling'}
    for name, message in words.items():
        why = etiage(binary, 'why', 'pod', 'default/' + name, cluster)
        expect(message != '' and why.get('message') == message, f"{name}: the scheduler says {message!r}, foreseen {why.get('message')!r}")
        expect(events.get(name) == message, f'{name}: its event says {events.get(name)!r}')
    print(f'live: {len(words)} pods wait, each in the words of its FailedScheduling event')


def live(binary, programs):
    kube = SHARED / 'kube'
    if not programs or not kube.exists() or not all((pathlib.Path(programs) / p).exists() for p in PROGRAMS):
        print(f'skipped the live control plane: needs {kube} and its programs {", ".join(PROGRAMS)} in --programs DIR')
        return False
    folder = pathlib.Path(tempfile.mkdtemp())
    state = folder / 'state'
    try:
        subprocess.run([kube / 'up.sh', programs, state, '--no-controllers'], check=True)
        api = Api(state)
        check_bound(binary, api, folder)
        check_waiting(binary, api, folder)
    finally:
        subprocess.run([kube / 'down.sh', state], check=False)
        shutil.rmtree(folder, ignore_errors=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--binary', default='build/release/etiage')
    parser.add_argument('--programs', default=os.environ.get('ETIAGE_KUBE_PROGRAMS'))
    a = parser.parse_args()
    binary = pathlib.Path(a.binary).resolve()
    did = [recorded(binary), live(binary, a.programs)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0 if any(did) else SKIPPED


if __name__ == '__main__':
    sys.exit(main())
