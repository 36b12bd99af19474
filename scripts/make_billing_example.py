#!/usr/bin/env python3
"""Writes examples/billing: what the gateway and the provider of examples/cluster say of the same two days.

access.csv has a row for each hour, team and model; the shares below are of what the engines counted. focus.csv is
FOCUS 1.3 as a provider exports it: a charge for each node and day, and the lines around them.
"""
import csv
import math
import pathlib

OUT = pathlib.Path(__file__).resolve().parent.parent / 'examples' / 'billing'
DAYS = ('2026-10-06', '2026-10-07')

# Model as the gateway names it; input (cached among it), cached and output tokens of two days; teams' shares.
MODELS = [
    ('meta-llama/Llama-3.1-70B-Instruct', 1_088_480_000, 337_400_000, 205_800_000, {'support': .45, 'web': .30, 'mobile-app': .12}),
    ('hosted_vllm/Qwen/Qwen3-32B', 482_140_000, 149_460_000, 103_550_000, {'search-ui': .55, 'agents-lab': .33}),
    ('qwen2.5-coder-32b-instruct', 75_070_000, 23_270_000, 15_660_000, {'devtools': 1.0}),
    ('meta-llama/Llama-3.1-8B-Instruct', 418_890_000, 129_850_000, 99_220_000, {'mobile-app': 1.06}),
    ('gpt-4o', 4_000_000, 0, 800_000, {'support': 1.0}),
]

# Node, instance type, hours a day, what a day was charged, commitment.
NODES = [(f'h100-{i:02}', 'a3-highgpu-8g', 24, 41.30 * 24, 'Used') for i in (1, 2, 3, 4)] + [
    ('h100-05', 'a3-highgpu-8g', 24, 70.79 * 24, ''), ('a100-01', 'a2-ultragpu-4g', 24, 16.22 * 24, ''),
    ('a100-02', 'a2-ultragpu-4g', 24, 16.22 * 24, ''), ('a100-03', 'a2-ultragpu-4g', 24, 16.22 * 24, ''),
    ('l4-01', 'g2-standard-48', 24, 4.0017 * 24, ''), ('l4-02', 'g2-standard-48', 24, 4.0017 * 24, ''),
    ('cpu-01', 'n2-standard-16', 24, 0.7769 * 24, ''), ('bastion', 'e2-small', 24, 0.0184 * 24, '')]


def access_rows():
    weights = [1 + 0.8 * math.sin((h - 9) * math.pi / 12) for h in range(24)]
    for day in DAYS:
        for hour, weight in enumerate(weights):
            for model, prompt, cached, output, teams in MODELS:
                for team, share in teams.items():
                    part = share * weight / sum(weights) / len(DAYS)
                    yield [f'{day}T{hour:02}:30:00Z', team, model] + [round(n * part) for n in (prompt, cached, output)]


FOCUS = ('BilledCost,BillingAccountId,BillingCurrency,BillingPeriodEnd,BillingPeriodStart,ChargeCategory,ChargeDescription,'
         'ChargePeriodEnd,ChargePeriodStart,CommitmentDiscountStatus,ConsumedQuantity,ConsumedUnit,EffectiveCost,ListCost,'
         'ProviderName,ResourceId,ServiceCategory,ServiceName,ServiceProviderName').split(',')


def focus_rows():
    base = {'BillingAccountId': '01AF-33', 'BillingCurrency': 'USD', 'BillingPeriodStart': '2026-10-01T00:00:00Z',
            'BillingPeriodEnd': '2026-11-01T00:00:00Z', 'ProviderName': 'Google Cloud', 'ServiceProviderName': 'Google Cloud'}
    for day in DAYS:
        period = {'ChargePeriodStart': f'{day}T00:00:00Z', 'ChargePeriodEnd': f'2026-10-{int(day[-2:]) + 1:02}T00:00:00Z'}
        for node, kind, hours, cost, commitment in NODES:
            yield base | period | {
                'ChargeCategory': 'Usage', 'ServiceCategory': 'Compute', 'ServiceName': 'Compute Engine', 'BilledCost': 0.0 if commitment else round(cost, 6),
                'EffectiveCost': round(cost, 6), 'ConsumedQuantity': float(hours), 'ConsumedUnit': 'Hours', 'CommitmentDiscountStatus': commitment,
                'ChargeDescription': f'{kind} running in Netherlands', 'ResourceId': f'//compute.googleapis.com/projects/riviere/zones/europe-west4-b/instances/{node}'}
        yield base | period | {'ChargeCategory': 'Usage', 'ServiceCategory': 'Storage', 'ServiceName': 'Cloud Storage', 'BilledCost': 11.4, 'EffectiveCost': 11.4}
        yield base | period | {'ChargeCategory': 'Usage', 'ServiceCategory': 'Compute', 'ServiceName': 'Compute Engine', 'CommitmentDiscountStatus': 'Unused',
                               'BilledCost': 96.0, 'EffectiveCost': 96.0, 'ChargeDescription': 'Commitment fee not covered by usage'}
        yield base | period | {'ChargeCategory': 'Credit', 'ServiceName': 'Compute Engine', 'BilledCost': -25.0, 'EffectiveCost': -25.0}
    yield base | {'ChargePeriodStart': '2026-10-01T00:00:00Z', 'ChargePeriodEnd': '2026-11-01T00:00:00Z', 'ChargeCategory': 'Tax', 'BilledCost': 3100.0, 'EffectiveCost': 3100.0}


def main():
    OUT.mkdir(exist_ok=True)
    with open(OUT / 'access.csv', 'w', newline='') as file:
        out = csv.writer(file, lineterminator='\n')
        out.writerow(['time', 'team', 'model', 'prompt_tokens', 'cached_tokens', 'completion_tokens'])
        out.writerows(access_rows())
    with open(OUT / 'focus.csv', 'w', newline='') as file:
        out = csv.DictWriter(file, FOCUS, lineterminator='\n')
        out.writeheader()
        out.writerows(focus_rows())


if __name__ == '__main__':
    main()
