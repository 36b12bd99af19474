"""The objects as `kubectl get ... -o json` prints them, taken at the window's end."""
from .cluster import DAY, END, NODES, PENDING, PODS, TEAMS, devices_of, digest, iso, uuid_of
from .dump import IP

GROUP = {'Deployment': 'apps/v1', 'ReplicaSet': 'apps/v1', 'StatefulSet': 'apps/v1', 'DaemonSet': 'apps/v1', 'Job': 'batch/v1',
         'LeaderWorkerSet': 'leaderworkerset.x-k8s.io/v1'}


def meta(kind, name, namespace='', created=-60 * DAY, **more):
    scope = {'namespace': namespace} if namespace else {}
    return {'name': name, **scope, 'uid': uuid_of(kind, namespace, name), 'creationTimestamp': iso(created), **more}


def owned_by(kind, namespace, name):
    return [{'apiVersion': GROUP[kind], 'kind': kind, 'name': name, 'uid': uuid_of(kind, namespace, name), 'controller': True, 'blockOwnerDeletion': True}]


def gpu_resource(device):
    return f'nvidia.com/mig-{device.profile}' if device.profile else 'nvidia.com/gpu'


def node(n):
    devices = list(devices_of(n))
    resources = {'cpu': str(n.cpu), 'memory': f'{n.memory}Gi', 'pods': '110', 'ephemeral-storage': '900Gi'}
    for device in devices:
        resources[gpu_resource(device)] = str(int(resources.get(gpu_resource(device), 0)) + n.slices)
    labels = {'kubernetes.io/arch': 'amd64', 'kubernetes.io/hostname': n.name, 'kubernetes.io/os': 'linux',
              'node.kubernetes.io/instance-type': n.instance_type, 'topology.kubernetes.io/region': 'europe-west4',
              'topology.kubernetes.io/zone': 'europe-west4-b'}
    if n.spot:
        labels['cloud.google.com/gke-spot'] = 'true'
    if n.cards:
        labels |= {'nvidia.com/gpu.present': 'true', 'nvidia.com/gpu.count': str(n.cards), 'nvidia.com/gpu.replicas': str(n.slices),
                   'nvidia.com/gpu.product': n.card.replace(' ', '-') + ('-SHARED' if n.slices > 1 else ''),
                   'nvidia.com/mig.capable': str(n.card != 'NVIDIA L4').lower()}
        if n.slices > 1:
            labels['nvidia.com/gpu.sharing-strategy'] = 'time-slicing'
    if n.layouts:
        labels |= {'nvidia.com/mig.strategy': 'mixed', 'nvidia.com/mig.config.state': 'success'}
        labels |= {f'{key}.count': count for key, count in resources.items() if '/mig-' in key}
    taints = [{'key': 'nvidia.com/gpu', 'value': 'present', 'effect': 'NoSchedule'}] if n.cards and n.tainted else []
    return {'apiVersion': 'v1', 'kind': 'Node', 'metadata': meta('Node', n.name, created=n.created, labels=labels),
            'spec': {'providerID': f'gce://riviere/europe-west4-b/{n.name}'} | ({'taints': taints} if taints else {}),
            'status': {'capacity': resources, 'allocatable': resources, 'nodeInfo': {'architecture': 'amd64', 'kubeletVersion': 'v1.36.1'},
                       'conditions': [{'type': 'Ready', 'status': 'True', 'lastTransitionTime': iso(n.created)}]}}


def containers(pod):
    requests = {'cpu': f'{round(pod.cpu * 1000)}m', 'memory': f'{round(pod.memory * 1024)}Mi'}
    gpus = {}
    for device in pod.devices:
        gpus[gpu_resource(device)] = str(int(gpus.get(gpu_resource(device), 0)) + 1)
    container = {'name': pod.container, 'image': pod.image, 'resources': {'requests': requests | gpus, 'limits': gpus}}
    return [container | ({'args': list(pod.command)} if pod.command else {})]


def conditions(pod):
    condition = lambda kind, ok, since: {'type': kind, 'status': 'True' if ok else 'False', 'lastTransitionTime': iso(since)}
    done = pod.end is not None
    ready = pod.end if done else pod.restart[1] if pod.restart else pod.start + pod.loading
    return [condition('PodScheduled', True, pod.start), condition('Initialized', True, pod.start),
            condition('ContainersReady', not done, ready), condition('Ready', not done, ready)]


def container_status(pod):
    started = iso(pod.restart[0] if pod.restart else pod.start)
    out = {'name': pod.container, 'image': pod.image, 'ready': pod.end is None, 'started': pod.end is None, 'restartCount': int(bool(pod.restart))}
    if pod.restart:
        out['lastState'] = {'terminated': {'exitCode': 137, 'reason': 'OOMKilled', 'startedAt': iso(pod.start), 'finishedAt': started}}
    done = {'terminated': {'exitCode': 0, 'reason': 'Completed', 'startedAt': started, 'finishedAt': iso(pod.end)}} if pod.end is not None else None
    return out | {'state': done or {'running': {'startedAt': started}}}


def pod_object(pod):
    kind, owner = pod.owner
    labels = {'app': owner}
    if kind == 'LeaderWorkerSet':
        labels |= {'leaderworkerset.sigs.k8s.io/name': owner, 'leaderworkerset.sigs.k8s.io/group-index': '0',
                   'leaderworkerset.sigs.k8s.io/worker-index': '1' if pod.name.endswith('-0-1') else '0'}
    parent = ('ReplicaSet', pod.name.rsplit('-', 1)[0]) if kind == 'Deployment' else (kind, owner)
    spec = {'containers': containers(pod), 'restartPolicy': 'Never' if kind == 'Job' else 'Always', 'serviceAccountName': 'default'}
    if pod.devices or kind == 'DaemonSet':
        spec['tolerations'] = [{'key': 'nvidia.com/gpu', 'operator': 'Exists', 'effect': 'NoSchedule'}]
    body = meta('Pod', pod.name, pod.namespace, pod.start, labels=labels, ownerReferences=owned_by(parent[0], pod.namespace, parent[1]))
    body['uid'] = pod.uid
    return {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': body, 'spec': spec | {'nodeName': pod.node},
            'status': {'phase': 'Running' if pod.end is None else 'Succeeded', 'podIP': IP[pod.uid], 'startTime': iso(pod.start),
                       'conditions': conditions(pod), 'containerStatuses': [container_status(pod)]}}


def pending_pod():
    """Waits for eight whole cards of one node."""
    pod, gpus = PENDING, {'nvidia.com/gpu': '8'}
    requests = {'cpu': f'{pod.cpu}', 'memory': f'{pod.memory}Gi'} | gpus
    return {'apiVersion': 'v1', 'kind': 'Pod',
            'metadata': meta('Pod', pod.name, pod.namespace, pod.start, labels={'app': pod.owner[1]}, ownerReferences=owned_by(pod.owner[0], pod.namespace, pod.owner[1])),
            'spec': {'containers': [{'name': 'eval', 'image': pod.image, 'resources': {'requests': requests, 'limits': gpus}}], 'restartPolicy': 'Never',
                     'tolerations': [{'key': 'nvidia.com/gpu', 'operator': 'Exists', 'effect': 'NoSchedule'}]},
            'status': {'phase': 'Pending', 'conditions': [{'type': 'PodScheduled', 'status': 'False', 'reason': 'Unschedulable', 'lastTransitionTime': iso(pod.start),
                       'message': '0/12 nodes are available: 1 Insufficient cpu, 12 Insufficient nvidia.com/gpu.'}]}}


def owners():
    seen = {}
    for pod in [*PODS, PENDING]:
        seen.setdefault((pod.owner[0], pod.namespace, pod.owner[1]), []).append(pod)
    for (kind, namespace, name), pods in sorted(seen.items()):
        created = min(p.start for p in pods)
        body = {'apiVersion': GROUP[kind], 'kind': kind, 'metadata': meta(kind, name, namespace, created, labels={'app': name})}
        if kind in ('Deployment', 'StatefulSet'):
            body['spec'] = {'replicas': len(pods), 'selector': {'matchLabels': {'app': name}}}
        if kind == 'LeaderWorkerSet':
            body['spec'] = {'replicas': 1, 'leaderWorkerTemplate': {'size': 2}}
        yield body
        if kind == 'Deployment':
            yield {'apiVersion': 'apps/v1', 'kind': 'ReplicaSet',
                   'metadata': meta('ReplicaSet', pods[0].name.rsplit('-', 1)[0], namespace, created, labels={'app': name}, ownerReferences=owned_by(kind, namespace, name))}


def autoscaler():
    """Scales on a signal that is high whenever any request runs: a classic mistake."""
    return {'apiVersion': 'autoscaling/v2', 'kind': 'HorizontalPodAutoscaler', 'metadata': meta('HorizontalPodAutoscaler', 'llama-70b', 'chat'),
            'spec': {'scaleTargetRef': {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'llama-70b'}, 'minReplicas': 2, 'maxReplicas': 4,
                     'metrics': [{'type': 'Pods', 'pods': {'metric': {'name': 'DCGM_FI_DEV_GPU_UTIL'}, 'target': {'type': 'AverageValue', 'averageValue': '95'}}}]}}


def everything():
    namespaces = [{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': meta('Namespace', name, labels={'kubernetes.io/metadata.name': name} | ({'team': team} if team else {}))}
                  for name, team in TEAMS.items()]
    return {'apiVersion': 'v1', 'kind': 'List', 'metadata': {'resourceVersion': ''},
            'items': [*map(node, NODES), *namespaces, *owners(), *map(pod_object, PODS), pending_pod(), autoscaler()]}
