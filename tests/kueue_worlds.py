#!/usr/bin/env python3
"""Random worlds for Kueue, one case a line, as the peers' `ask` and oracle.py take them.

    python3 tests/kueue_worlds.py --version 0.19 --seed 1 --count 1000 > cases.jsonl
    PEERS/kueue-0.19 ask < cases.jsonl > answers/kueue/cases.jsonl
    oracle.py kueue --strict --data answers --binary build/release/etiage
"""
import argparse
import datetime
import json
import random

GROUP = 'kueue.x-k8s.io/v1beta2'
NOW = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.timezone.utc)
BLOCK, RACK, HOST = 'cloud.example.com/topology-block', 'cloud.example.com/topology-rack', 'kubernetes.io/hostname'
GATES = {  # off the defaults, now and then
    '0.17': ['SchedulingEquivalenceHashing', 'FairSharingPreemptWithinNominal', 'FairSharingPrioritizeNonBorrowing',
             'PrioritySortingWithinCohort', 'TASBalancedPlacement', 'PartialAdmission', 'TASProfileMixed', 'FlavorFungibility'],
    '0.19': ['SchedulingEquivalenceHashing', 'FairSharingPreemptWithinNominal', 'FairSharingPrioritizeNonBorrowing',
             'PrioritySortingWithinCohort', 'TASBalancedPlacement', 'PartialAdmission', 'TASProfileMixed', 'FlavorFungibility',
             'TASHandleOverlappingFlavors', 'TASRecomputeAssignmentWithinSchedulingCycle'],
}
ON = {'SchedulingEquivalenceHashing': {'0.17': False, '0.19': True}, 'TASBalancedPlacement': {'0.17': False, '0.19': False}}


def stamp(seconds):
    return (NOW + datetime.timedelta(seconds=seconds)).strftime('%Y-%m-%dT%H:%M:%SZ')


class World:
    def __init__(self, rng, rare, version):
        self.r, self.rare, self.version, self.objects, self.tags = rng, rare, version, [], []
        self.tas = rng.random() < 0.25
        self.fair = rng.random() < 0.35
        self.afs = rng.random() < 0.12
        self.resources = rng.choice([['cpu'], ['cpu', 'nvidia.com/gpu'], ['nvidia.com/gpu'], ['cpu', 'memory', 'nvidia.com/gpu']])
        self.flavors = ['on-demand', 'spot', 'reserved'][:rng.choices([1, 2, 3], [5, 3, 1])[0]]
        self.dense = rng.random() < 0.5  # many equal times
        self.excluded = []

    def chance(self, p):
        return self.r.random() < p

    def add(self, kind, name, spec=None, namespace=None, **more):
        meta = {'name': name, **({'namespace': namespace} if namespace else {}), **more.pop('meta', {})}
        o = {'apiVersion': more.pop('api', GROUP), 'kind': kind, 'metadata': meta, **({'spec': spec} if spec is not None else {}), **more}
        self.objects.append(o)
        return o

    def make(self):
        for ns in ('default', 'research'):
            self.add('Namespace', ns, api='v1', meta={'labels': {'kubernetes.io/metadata.name': ns, 'dep': ns}})
        if self.tas:
            self.topology()
        self.make_flavors()
        self.cohorts()
        self.queues()
        self.workloads()
        self.vary()
        return self

    def of(self, kind):
        return [o for o in self.objects if o['kind'] == kind]

    def seldom(self, p):
        return self.rare.random() < p

    def vary(self):
        """What few clusters have, drawn apart from the rest so that a world is otherwise the same without it."""
        for p, name in ((0.15, 'checks'), (0.2, 'history'), (0.12, 'pods'), (0.1, 'cover_pods'), (0.1, 'reclaimable'), (0.06, 'exclude')):
            if self.seldom(p):
                self.tags.append(name)
                getattr(self, name)()
        if self.tas and self.seldom(0.25):
            self.tags.append('balanced')
        if self.tas and self.seldom(0.3):
            self.tags.append('slices')
            self.slices()
        if not self.tas and self.seldom(0.1):
            self.tags.append('partial')
            for w in self.of('Workload'):
                for p in w['spec']['podSets'][:1]:  # Kueue takes one reducible pod set a workload
                    if 'status' not in w and not any('minCount' in q for q in w['spec']['podSets']):
                        p['count'] += self.rare.randint(0, 6)
                        p['minCount'] = self.rare.randint(1, p['count'])

    def checks(self):
        """Admission checks, of all flavors or of some, with workloads in every state of them."""
        names = ['policy', 'prov'][:self.rare.randint(1, 2)]
        for name in names:
            self.add('AdmissionCheck', name, {'controllerName': f'example.com/{name}'}, status={'conditions': [
                {'type': 'Active', 'status': 'False' if self.seldom(0.06) else 'True', 'reason': 'Active', 'message': '', 'lastTransitionTime': stamp(-9000)}]})
        of_queue = {}
        for q in self.of('ClusterQueue'):
            if self.seldom(0.6):
                rules = [{'name': n, **({'onFlavors': [self.rare.choice(self.flavors)]} if self.seldom(0.4) else {})} for n in names if self.seldom(0.8)]
                q['spec']['admissionChecksStrategy'] = {'admissionChecks': rules}
                of_queue[q['metadata']['name']] = [rule['name'] for rule in rules]
        local = {(o['metadata']['namespace'], o['metadata']['name']): o['spec']['clusterQueue'] for o in self.of('LocalQueue')}
        for w in self.of('Workload'):
            known = of_queue.get(local.get((w['metadata']['namespace'], w['spec']['queueName'])), [])
            states = ['Ready', 'Ready', 'Ready', 'Pending'] if 'status' in w else ['Pending', 'Ready', 'Retry', 'Rejected']
            if known and self.seldom(0.9 if 'status' in w else 0.3):
                given = [{'name': n, 'state': self.rare.choice(states), 'message': '', 'lastTransitionTime': stamp(-60)} for n in known]
                w.setdefault('status', {})['admissionChecks'] = given
                if any(g['state'] != 'Ready' for g in given) and 'conditions' in w['status']:
                    w['status']['conditions'] = w['status']['conditions'][:1]

    def history(self):
        """Workloads that were evicted, back off, or were switched off."""
        for w in self.of('Workload'):
            if 'admission' in w.get('status', {}) or self.seldom(0.5):
                continue
            if self.seldom(0.06):
                w['spec']['active'] = False
                continue
            why = self.rare.choice(['Preempted', 'Preempted', 'PodsReadyTimeout', 'AdmissionCheck', 'ClusterQueueStopped', 'InactiveWorkload'])
            when = stamp(-self.rare.randint(1, 900))
            note = lambda kind, status, reason: {'type': kind, 'status': status, 'reason': reason, 'message': 'before', 'lastTransitionTime': when}
            state = w.setdefault('status', {})
            state['conditions'] = [note('QuotaReserved', 'False', 'Pending'), note('Evicted', 'True', why)]
            if why == 'Preempted':
                state['conditions'].append(note('Preempted', 'True', self.rare.choice(
                    ['InClusterQueue', 'InCohortReclamation', 'InCohortFairSharing', 'InCohortReclaimWhileBorrowing'])))
                state['conditions'].append(note('Requeued', 'True', 'Preempted'))
            elif why in ('PodsReadyTimeout', 'AdmissionCheck'):
                state['conditions'].append(note('Requeued', 'False', why))
                state['requeueState'] = {'count': self.rare.randint(1, 4), 'requeueAt': stamp(self.rare.choice([-30, 0, 2, 4, 600]))}
            elif self.seldom(0.5):
                state['conditions'].append(note('Requeued', 'False', why))

    def pods(self):
        """Pods whose requests are more than those of their containers."""
        for w in self.of('Workload'):
            for p in w['spec']['podSets']:
                spec = p['template']['spec']
                requests = spec['containers'][0]['resources']['requests']
                if 'admission' in w.get('status', {}) or not requests or self.seldom(0.4):
                    continue
                kind = self.rare.choice(['overhead', 'init', 'sidecar', 'limits', 'two'])
                one = {self.rare.choice(sorted(requests)): '1'}
                if kind == 'overhead':
                    spec['overhead'] = one
                elif kind in ('init', 'sidecar'):
                    spec['initContainers'] = [{'name': 'i', 'resources': {'requests': {r: '7' for r in one}}},
                                              {'name': 's', 'resources': {'requests': one}}]
                    if kind == 'sidecar':
                        spec['initContainers'][self.rare.randint(0, 1)]['restartPolicy'] = 'Always'
                elif kind == 'two':
                    spec['containers'].append({'name': 'd', 'resources': {'requests': one}})

    def cover_pods(self):
        """Quota for the number of pods."""
        for q in self.of('ClusterQueue'):
            if self.seldom(0.7):
                g = self.rare.choice(q['spec']['resourceGroups'])
                g['coveredResources'] = g['coveredResources'] + ['pods']
                for f in g['flavors']:
                    f['resources'].append({'name': 'pods', 'nominalQuota': str(self.rare.randint(0, 12))})

    def reclaimable(self):
        for w in self.of('Workload'):
            p = w['spec']['podSets'][-1]
            if 'minCount' not in p and self.seldom(0.4):
                w.setdefault('status', {})['reclaimablePods'] = [{'name': p['name'], 'count': self.rare.randint(0, p['count'])}]

    def exclude(self):
        self.excluded = [self.rare.choice(['nvidia.com/', 'cpu', 'memory', 'ephemeral-'])]

    def slices(self):
        """Larger groups of pods in slices: what balanced placement is for."""
        for w in self.of('Workload'):
            for p in w['spec']['podSets']:
                request = p.get('topologyRequest', {})
                if 'status' in w or request.get('podSetGroupName') or self.seldom(0.3):
                    continue
                size = self.rare.choice([1, 2, 2, 3, 4])
                p['count'] = size * self.rare.randint(1, 5)
                level = self.rare.choice(self.levels)
                p['topologyRequest'] = {self.rare.choice(['preferred', 'preferred', 'required']): level}
                if self.seldom(0.7):
                    p['topologyRequest'].update(podSetSliceSize=size, podSetSliceRequiredTopology=self.rare.choice(
                        self.levels[self.levels.index(level):]))

    def topology(self):
        self.levels = self.r.choice([[BLOCK, RACK, HOST], [BLOCK, RACK], [RACK, HOST], [HOST], [BLOCK, RACK, HOST]])
        self.add('Topology', 'default', {'levels': [{'nodeLabel': l} for l in self.levels]})
        self.nodes, n = [], 0
        for b in range(self.r.randint(1, 2)):
            for k in range(self.r.randint(1, 3)):
                for _ in range(self.r.randint(1, 3)):
                    n += 1
                    name = f'n{n:02}'
                    labels = {BLOCK: f'b{b + 1}', RACK: f'r{k + 1}' if self.chance(0.5) else f'b{b + 1}r{k + 1}', HOST: name,
                              'cloud.example.com/node-group': 'tas'}
                    spec = {}
                    if self.chance(0.06):
                        spec['unschedulable'] = True
                    if self.chance(0.08):
                        spec['taints'] = [{'key': 'maintenance', 'value': 'true', 'effect': 'NoSchedule'}]
                    amount = {'cpu': str(self.r.randint(2, 8)), 'nvidia.com/gpu': str(self.r.choice([2, 4, 8, 3])), 'memory': f'{self.r.randint(4, 32)}Gi',
                              'pods': self.r.choice(['110', '110', '110', '3'])}
                    self.add('Node', name, spec or None, api='v1', meta={'labels': labels}, status={
                        'allocatable': amount, 'conditions': [{'type': 'Ready', 'status': 'False' if self.chance(0.05) else 'True'}]})
                    self.nodes.append((name, [labels[l] for l in self.levels]))
        if self.chance(0.25):
            name, _ = self.r.choice(self.nodes)
            self.add('Pod', 'other', {'nodeName': name, 'containers': [{'name': 'c', 'resources': {'requests': {'cpu': '1'}}}]}, 'default',
                     api='v1', status={'phase': 'Running'})

    def make_flavors(self):
        labelled = self.chance(0.4)
        for f in self.flavors:
            spec = {}
            if self.tas and (f == 'on-demand' or self.chance(0.5)):
                spec = {'nodeLabels': {'cloud.example.com/node-group': 'tas'}, 'topologyName': 'default'}
            elif labelled:
                spec['nodeLabels'] = {'instance-type': f, **({'zone': self.r.choice('ab')} if self.chance(0.4) else {})}
            if not self.tas and self.chance(0.15):
                spec['nodeTaints'] = [{'key': f, 'value': 'true', 'effect': self.r.choice(['NoSchedule', 'NoExecute', 'PreferNoSchedule'])}]
                if self.chance(0.2):
                    spec['tolerations'] = [{'key': f, 'operator': 'Exists'}]
            self.add('ResourceFlavor', f, spec)

    def amount(self, resource, top):
        n = self.r.randint(0, top) if self.chance(0.9) else 0
        return f'{n}Gi' if resource == 'memory' else f'{n * 1000 + self.r.choice([0, 0, 500])}m' if resource == 'cpu' and self.chance(0.3) else str(n)

    def groups(self, parent, top, cohort=False):
        out, rest = [], list(self.resources)
        split = len(rest) > 1 and len(self.flavors) > 1 and self.chance(0.3)
        parts = [(rest, self.flavors)] if not split else [(rest[:1], self.flavors[:1]), (rest[1:], self.flavors[1:])]
        for covered, flavors in parts:
            if cohort and self.chance(0.3):
                continue
            flavors = self.r.sample(flavors, self.r.randint(1, len(flavors))) if self.chance(0.3) else list(flavors)
            group = {'coveredResources': covered, 'flavors': []}
            for f in flavors:
                cells = []
                for res in covered:
                    q = {'name': res, 'nominalQuota': self.amount(res, top)}
                    if parent and self.chance(0.35):
                        q['borrowingLimit'] = self.amount(res, top)
                    if parent and self.chance(0.3):
                        q['lendingLimit'] = q['nominalQuota'] if self.chance(0.2) else f"{self.r.randint(0, 2)}"
                        if self.quantity(q['lendingLimit']) > self.quantity(q['nominalQuota']):
                            q['lendingLimit'] = '0'
                    cells.append(q)
                group['flavors'].append({'name': f, 'resources': cells})
            out.append(group)
        return out

    @staticmethod
    def quantity(text):
        return int(text[:-2]) * 2**30 if text.endswith('Gi') else int(text[:-1]) / 1000 if text.endswith('m') else int(text)

    def weight(self):
        return {'weight': self.r.choice(['0', '1', '2', '500m', '3'])}

    def cohorts(self):
        kind = self.r.choices(['none', 'flat', 'tree'], [1, 3, 3])[0]
        self.parents = {'none': [], 'flat': ['org'], 'tree': ['root', 'mid-a', 'mid-b', 'low-a', 'low-b']}[kind]
        tree = {'mid-a': 'root', 'mid-b': 'root', 'low-a': 'mid-a', 'low-b': self.r.choice(['mid-b', 'mid-a', 'low-a'])}
        if kind == 'flat' and self.chance(0.8):
            return
        for name in self.parents:
            parent = tree.get(name)
            spec = {**({'parentName': parent} if parent else {})}
            if self.chance(0.35):
                groups = self.groups(parent, 8, cohort=True)
                if groups:
                    spec['resourceGroups'] = groups
            if self.fair and self.chance(0.4):
                spec['fairSharing'] = self.weight()
            self.add('Cohort', name, spec)

    def queues(self):
        self.locals, self.by_local = [], {}
        for i in range(self.r.choices([1, 2, 3, 4, 6], [2, 4, 4, 3, 1])[0]):
            name = f"team-{'abcdef'[i]}"
            cohort = self.r.choice(self.parents) if self.parents and self.chance(0.95) else None
            reclaim = self.r.choice(['Never', 'LowerPriority', 'Any', 'Any'])
            policy = {'reclaimWithinCohort': reclaim, 'withinClusterQueue': self.r.choice(['Never', 'LowerPriority', 'LowerOrNewerEqualPriority'])}
            if reclaim != 'Never' and self.chance(0.35):
                policy['borrowWithinCohort'] = {'policy': 'LowerPriority', **({'maxPriorityThreshold': self.r.choice([0, 50, 100])} if self.chance(0.5) else {})}
            fungibility = {'whenCanBorrow': self.r.choice(['MayStopSearch', 'MayStopSearch', 'TryNextFlavor']),
                           'whenCanPreempt': self.r.choice(['TryNextFlavor', 'TryNextFlavor', 'MayStopSearch'])}
            if set(fungibility.values()) == {'TryNextFlavor'} and self.chance(0.4):
                fungibility['preference'] = self.r.choice(['BorrowingOverPreemption', 'PreemptionOverBorrowing'])
            spec = {'namespaceSelector': {}, 'queueingStrategy': 'StrictFIFO' if self.chance(0.15) else 'BestEffortFIFO', 'preemption': policy,
                    'flavorFungibility': fungibility, 'resourceGroups': self.groups(cohort, 12)}
            if self.chance(0.02):
                spec['namespaceSelector'] = {'matchLabels': {'dep': 'research'}}
            if cohort:
                spec['cohortName'] = cohort
            if self.fair and self.chance(0.6):
                spec['fairSharing'] = self.weight()
            if self.afs and self.chance(0.7):
                spec['admissionScope'] = {'admissionMode': 'UsageBasedAdmissionFairSharing'}
            if self.chance(0.01):
                spec['stopPolicy'] = self.r.choice(['Hold', 'HoldAndDrain'])
            self.add('ClusterQueue', name, spec)
            for k in range(2 if self.afs or self.chance(0.15) else 1):
                local = f"lq-{'abcdef'[i]}{k or ''}"
                ns = 'research' if self.chance(0.15) else 'default'
                lspec = {'clusterQueue': name}
                if self.afs and self.chance(0.4):
                    lspec['fairSharing'] = self.weight()
                if self.chance(0.01):
                    lspec['stopPolicy'] = self.r.choice(['Hold', 'HoldAndDrain'])
                self.add('LocalQueue', local, lspec, ns)
                self.locals.append((ns, local, spec, name))

    def template(self, covered):
        requests = {res: (f'{self.r.randint(0, 6)}Gi' if res == 'memory' else self.r.choice(['500m', '1', '2', '3', '5']) if res == 'cpu'
                          else str(self.r.choice([1, 1, 2, 4]))) for res in covered if self.chance(0.9)}
        if self.chance(0.01):
            requests['ephemeral-storage'] = '1Gi'
        spec = {'containers': [{'name': 'c', 'resources': {'requests': requests}}]}
        if self.chance(0.06):
            spec['nodeSelector'] = self.r.choice([{'instance-type': self.r.choice(self.flavors + ['other'])}, {'disk': 'ssd'}, {'zone': 'a'}])
        if self.chance(0.05):
            op = self.r.choice(['In', 'NotIn', 'Exists', 'DoesNotExist'])
            e = {'key': self.r.choice(['instance-type', 'zone']), 'operator': op}
            if 'In' in op:
                e['values'] = [self.r.choice(self.flavors + ['a', 'other'])]
            spec['affinity'] = {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': {'nodeSelectorTerms': [{'matchExpressions': [e]}]}}}
        if self.chance(0.2):
            f = self.r.choice(self.flavors + ['maintenance'])
            spec['tolerations'] = [{'key': f, 'operator': 'Exists'} if self.chance(0.6) else
                                   {'key': f, 'operator': 'Equal', 'value': self.r.choice(['true', 'false']), 'effect': 'NoSchedule'}]
        return {'spec': spec}

    def topology_request(self, count):
        level = self.r.choice(self.levels)
        kind = self.r.choice(['required', 'preferred', 'unconstrained', 'slice', None])
        if kind == 'slice':
            sizes = [s for s in (1, 2, 3, 4) if count % s == 0]
            out = {self.r.choice(['required', 'preferred']): level, 'podSetSliceSize': self.r.choice(sizes)}
            out['podSetSliceRequiredTopology'] = self.r.choice(self.levels[self.levels.index(level):])
            return out
        return {kind: True if kind == 'unconstrained' else level} if kind else None

    def workloads(self):
        n = self.r.choice([4, 6, 8, 12, 16])
        for i in range(n):
            ns, local, queue, queue_name = self.r.choice(self.locals)
            covered = [res for g in queue['resourceGroups'] for res in g['coveredResources']]
            names = ['main'] if self.chance(0.8) else ['leader', 'workers']
            sets = []
            for name in names:
                p = {'name': name, 'count': 1 if name == 'leader' else self.r.randint(1, 5), 'template': self.template(covered)}
                if self.tas:
                    request = self.topology_request(p['count'])
                    if request:
                        p['topologyRequest'] = request
                sets.append(p)
            if self.tas and len(sets) == 2 and self.chance(0.3):
                same = {self.r.choice(['required', 'preferred']): self.r.choice(self.levels), 'podSetGroupName': 'g'}
                sets[0]['topologyRequest'], sets[1]['topologyRequest'] = dict(same), dict(same)
            if not self.tas and self.chance(0.12):
                p = sets[-1]
                p['minCount'] = self.r.randint(1, p['count'])
            spec = {'queueName': local, 'priority': self.r.choice([0, 0, 50, 100, 100, 200]), 'podSets': sets}
            admitted = i < n * 0.55 and self.chance(0.75)
            when = -self.r.choice([10, 20, 30, 600]) if self.dense else -self.r.randint(1, 3600)
            meta = {'uid': f'{self.r.getrandbits(32):08x}', 'creationTimestamp': stamp(when - (3600 if admitted else 0))}
            w = self.add('Workload', f'w{i + 1:02}', spec, ns, meta=meta)
            if admitted:
                w['status'] = self.admission(sets, queue, queue_name, -self.r.randint(1, 3000))

    def admission(self, sets, queue, queue_name, when):
        out = []
        for p in sets:
            flavors, usage = {}, {}
            requests = p['template']['spec']['containers'][0]['resources']['requests']
            for g in queue['resourceGroups']:
                f = self.r.choice(g['flavors'])['name']
                for res in g['coveredResources']:
                    if res in requests:
                        flavors[res] = f
                        q = self.quantity(requests[res]) * p['count']
                        usage[res] = f'{int(q) // 2**30}Gi' if res == 'memory' else f'{int(q * 1000)}m'
            a = {'name': p['name'], 'count': p['count'], 'flavors': flavors, 'resourceUsage': usage}
            topological = {o['metadata']['name'] for o in self.objects if o['kind'] == 'ResourceFlavor' and 'topologyName' in o['spec']}
            if self.tas and set(flavors.values()) & topological:
                _, values = self.r.choice(self.nodes)
                levels = self.levels
                if levels[-1] == HOST:
                    levels, values = [HOST], values[-1:]
                a['topologyAssignment'] = {'levels': levels, 'slices': [{'domainCount': 1, 'podCounts': {'universal': p['count']},
                                                                        'valuesPerLevel': [{'universal': v} for v in values]}]}
            out.append(a)
        conditions = [{'type': t, 'status': 'True', 'reason': t, 'lastTransitionTime': stamp(when)} for t in ('QuotaReserved', 'Admitted')]
        return {'admission': {'clusterQueue': queue_name, 'podSetAssignments': out}, 'conditions': conditions}

    def case(self, name):
        out = {'id': name, 'kueueVersion': self.version, 'tags': ['random'] + [t for t in ('tas', 'fair', 'afs') if getattr(self, t)] + self.tags,
               'now': stamp(0), 'cycles': 20, 'objects': self.objects}
        if self.chance(0.12):
            gate = self.r.choice(GATES[self.version])
            out['featureGates'] = {gate: not ON.get(gate, {}).get(self.version, True)}
            out['tags'].append('gates')
        if 'balanced' in self.tags:
            out.setdefault('featureGates', {})['TASBalancedPlacement'] = True
        if self.excluded:
            out['configuration'] = {'resources': {'excludeResourcePrefixes': self.excluded}}
        if self.fair:
            both = ['LessThanOrEqualToFinalShare', 'LessThanInitialShare']
            out.setdefault('configuration', {})['fairSharing'] = {'enable': True, 'preemptionStrategies': self.r.choice([both, both[:1], both[1:]])}
        if self.afs:
            afs = {'usageHalfLifeTime': self.r.choice(['1m0s', '10m0s', '1h0m0s']), 'usageSamplingInterval': self.r.choice(['1m0s', '5m0s'])}
            if self.chance(0.4):
                afs['resourceWeights'] = {'cpu': 1, 'memory': 0, 'nvidia.com/gpu': 5}
            out.setdefault('configuration', {})['admissionFairSharing'] = afs
        return out


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('--version', choices=sorted(GATES), required=True)
    a.add_argument('--seed', type=int, default=1)
    a.add_argument('--count', type=int, default=1000)
    a = a.parse_args()
    for i in range(a.seed, a.seed + a.count):
        rng, rare = random.Random(f'{a.version} {i}'), random.Random(f'{a.version} {i} rare')
        print(json.dumps(World(rng, rare, a.version).make().case(f'x{a.version[2:]}-{i:05}'), separators=(',', ':')))


if __name__ == '__main__':
    main()
