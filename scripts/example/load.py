"""How busy each pod is, and what its engine counts; one value a scrape."""
import math
import random

from .cluster import DAY, END, HOUR, STEP

TIMES = range(0, END, STEP)
QUEUES_FROM = .35                    # replicas that are this busy at the day's peak have requests waiting then


def daily(t):
    """0.12 at four in the morning, 1 in the early afternoon."""
    return .56 - .44 * math.cos((t % DAY - 2 * HOUR) / DAY * 2 * math.pi)


def is_up(pod, t):
    """Whether its container serves: loaded, and not down after a restart."""
    down = pod.restart and pod.restart[0] <= t < pod.restart[1]
    return t >= pod.start + pod.loading and (pod.end is None or t < pod.end) and not down


def exists(pod, t):
    return t >= pod.start and (pod.end is None or t < pod.end)


def busy(pod):
    """Share of the time that its devices compute, by scrape."""
    chance = random.Random(f'busy {pod.namespace}/{pod.name}')
    out = []
    for t in TIMES:
        level = pod.load * (1 if pod.steady else daily(t)) * chance.uniform(.9, 1.1)
        out.append(round(min(1, level), 3) if pod.load and is_up(pod, t) else 0)
    return out


def counted(pod, activity):
    """The engine's series: name to one value a scrape, None where there is none."""
    chance = random.Random(f'tokens {pod.namespace}/{pod.name}')
    totals = dict(prompt=0, cached=0, generation=0, prefill=0., decode=0.)
    if pod.start < 0:
        totals = dict(prompt=chance.randrange(10**8, 10**9), cached=chance.randrange(10**7, 10**8), generation=chance.randrange(10**7, 10**8),
                      prefill=float(chance.randrange(10**4, 10**5)), decode=float(chance.randrange(10**5, 10**6)))
    out = {name: [] for name in ('prompt', 'cached', 'generation', 'prefill', 'decode', 'running', 'waiting', 'kv')}
    peak = pod.load * 1.02 if pod.load >= QUEUES_FROM else 1
    for t, u in zip(TIMES, activity):
        if pod.restart and pod.restart[0] <= t < pod.restart[0] + STEP:
            totals = {name: 0 for name in totals}
        prompt, generation = (int(rate * u * STEP * chance.uniform(.95, 1.05)) for rate in pod.tokens)
        totals['prompt'] += prompt
        totals['cached'] += int(prompt * .31)
        totals['generation'] += generation
        totals['prefill'] = round(totals['prefill'] + prompt * .0006, 3)
        totals['decode'] = round(totals['decode'] + generation * .021, 3)
        values = totals | dict(running=round(u * 90), waiting=max(0, round((u - peak * .93) / peak * 120)), kv=round(u * .9, 4))
        for name, series in out.items():
            series.append(values[name] if is_up(pod, t) else None)
    return out
