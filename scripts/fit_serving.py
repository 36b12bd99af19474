#!/usr/bin/env python3
"""Learns data/serving_coefficients.csv from published measurements, and reports how good it is (docs/sizing-errors.md).

    scripts/fit_serving.py --truth measured_latency.csv [--binary build/release/etiage] [--check]

The measurements stay outside the repository; only what was learnt from them goes in. The physical terms come from the
program itself (`etiage size --rows --terms`), so there is one description of them. Needs numpy and scipy.

Two layers, both in logarithms, for the time per output token (tpot) and the time to the first token (ttft):
  prior       log( sum of coefficient x term ), coefficients positive, one set and a shrunken factor an engine;
  correction  a sum over levels (model, model+engine, ...) of a smooth function of concurrency and lengths, shrunken by
              amplitudes that maximise the marginal likelihood. An unseen key adds nothing.
"""
import argparse
import collections
import csv
import io
import re
import subprocess
import sys

import numpy as np
from scipy.optimize import minimize

LEVELS = ['model', 'model+engine', 'model+card', 'engine+version', 'engine+card+precision', 'model+split', 'model+engine+card+precision',
          'model+engine+card+precision+version', 'model+engine+card+precision+version+split']
GROUP = 'model+engine+card+precision'
BASIS_TYPE = np.array([0] + [1] * 6 + [2] * 5)
TYPE_NAMES = ['one', 'tents', 'slopes']
EIGHTY = 1.2816
# What a term may cost in units of the perfect machine before anything was measured.
GUESS = {
    'tpot': dict(weights=1.15, kv=1.2, compute=1.3, attention=1.5, collective=.6, link=1, layer=2, sequence=.5, step=.3, prefill_compute=1.3,
                 prefill_attention=1.3, prefill_weights=.6, prefill_layer=.5, moe_layer=2, moe_sequence=.5, indexer=6),
    'ttft': dict(compute=1.5, attention=1.5, weights=1, link=1, layer=2, host=2, request=1, queue=.6, queue_host=.3, step_wait=1, pool_wait=.3),
}
ENGINE_SHRINK, BASE_SHRINK = 30.0, 10.0


def rows_of(truth):
    """The aggregated rows of AIConfigurator's table as questions, exact repetitions dropped."""
    seen, out = set(), []
    for x in csv.DictReader(open(truth)):
        if x['mode'] != 'agg':
            continue
        data = int(x['attention_dp_size'] or 1)
        said = re.search(r'silicon_concurrency=(\d+)', x['silicon_data_source'])
        row = dict(model=x['model_path'], card=x['system'], engine=x['backend'] + ('@' + x['backend_version'] if x['backend_version'] else ''),
                   quantization=x['gemm_quant_mode'], tensorParallel=x['tp_size'], pipelineParallel=x['pp_size'], dataParallel=data,
                   expertParallel=x['moe_ep_size'] or 1, input=x['isl'], output=x['osl'],
                   concurrency=int(said[1]) if said else int(float(x['batch_size'])) * data,
                   truthTtft=x['silicon_ttft_ms'], truthTpot=x['silicon_tpot_ms'])
        key = tuple(str(v)[:7] if k.startswith('truth') else v for k, v in row.items())
        if key not in seen:
            seen.add(key)
            out.append(row)
    return out


def answers(binary, rows, terms=True):
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator='\n')
    writer.writeheader()
    writer.writerows(rows)
    run = subprocess.run([binary, 'size', '--rows', '-', '-o', 'csv'] + (['--terms'] if terms else []), input=text.getvalue(), capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(run.stdout)))


class Table:
    def __init__(self, answered):
        self.rows = [r for r in answered if r['fits'] == 'true']
        self.refused = [r for r in answered if r['fits'] != 'true']
        self.keys = {f: np.array([r['key.' + f] for r in self.rows]) for f in ('model', 'engine', 'version', 'card', 'precision', 'split')}
        self.basis = np.array([[float(r[c]) for c in r if c.startswith('basis.')] for r in self.rows])
        self.truth = {'tpot': np.log([float(r['truthTpot']) for r in self.rows]), 'ttft': np.log([float(r['truthTtft']) for r in self.rows])}
        self.terms = {q: np.array([[float(r[f'{q}.{t}']) for t in GUESS[q]] for r in self.rows]) for q in GUESS}
        self.codes = {level: self.code(level) for level in LEVELS}
        cell = ['|'.join(r[c] for c in ('key.model', 'key.engine', 'key.card', 'key.precision', 'key.split', 'input', 'output', 'concurrency')) for r in self.rows]
        self.cell = np.unique(cell, return_inverse=True)[1]

    def name(self, level, i):
        return ''.join(self.keys[f][i] + '|' for f in level.split('+'))

    def code(self, level):
        return np.unique([self.name(level, i) for i in range(len(self.rows))], return_inverse=True)[1]


def fit_prior(terms, y, engines, guess):
    """Multipliers `base` and log factors an engine."""
    names = sorted(set(engines))
    at = np.array([names.index(e) for e in engines])
    n, mu = terms.shape[1], np.log(list(guess.values()))

    def objective(t):
        own = t[n:].reshape(len(names), n)
        part = np.exp(t[:n] + own[at]) * terms
        total = part.sum(1)
        off = np.log(total) - y
        soft = np.sqrt(off * off + .02**2)
        g = (off / soft / total)[:, None] * part
        grad = np.concatenate([g.sum(0) + 2 * BASE_SHRINK * (t[:n] - mu),
                               (np.stack([np.bincount(at, g[:, j], len(names)) for j in range(n)], 1) + 2 * ENGINE_SHRINK * own).ravel()])
        return soft.sum() + BASE_SHRINK * ((t[:n] - mu)**2).sum() + ENGINE_SHRINK * (own**2).sum(), grad

    t = minimize(objective, np.concatenate([mu, np.zeros(n * len(names))]), jac=True, method='L-BFGS-B', options=dict(maxiter=300)).x
    return np.exp(t[:n]), {e: t[n + i * n:n + (i + 1) * n] for i, e in enumerate(names)}


def prior_log(fit, terms, engines):
    base, own = fit
    zero = np.zeros(len(base))
    return np.log((base * np.exp(np.array([own.get(e, zero) for e in engines])) * terms).sum(1))


def kernels(table, rows, columns):
    for level in LEVELS:
        code = table.codes[level]
        same = code[rows][:, None] == code[columns][None, :]
        for t in range(3):
            yield same * (table.basis[rows][:, BASIS_TYPE == t] @ table.basis[columns][:, BASIS_TYPE == t].T)


def fit_amplitudes(table, residual, most=800):
    """Variances a level and basis type, then of the noise, by marginal likelihood on a fixed part of the rows."""
    some = np.sort(np.random.default_rng(0).permutation(len(residual))[:most])
    parts, r = list(kernels(table, some, some)), residual[some]

    def objective(t):
        a = np.exp(t)
        s = sum(x * k for x, k in zip(a, parts))
        s[np.diag_indices(len(r))] += a[-1]
        inverse = np.linalg.inv(s)
        alpha = inverse @ r
        w = inverse - np.outer(alpha, alpha)
        f = .5 * r @ alpha + np.log(np.diag(np.linalg.cholesky(s))).sum() + (.5 * ((t + 5) / 3)**2).sum()
        return f, np.array([.5 * x * np.sum(w * k) for x, k in zip(a, parts)] + [.5 * a[-1] * np.trace(w)]) + (t + 5) / 9

    return np.exp(minimize(objective, np.full(len(parts) + 1, -5.), jac=True, method='L-BFGS-B', options=dict(maxiter=25), bounds=[(-12, 2)] * (len(parts) + 1)).x)


def weights(table, train, residual, a):
    """What each key of each level learnt: {level: {code: (12 weights, rows)}}."""
    s = sum(x * k for x, k in zip(a, kernels(table, train, train)))
    s[np.diag_indices(len(train))] += a[-1]
    alpha = np.linalg.solve(s, residual[train])
    out = {}
    for i, level in enumerate(LEVELS):
        scale = a[3 * i:3 * i + 3][BASIS_TYPE]
        code = table.codes[level][train]
        out[level] = {c: (scale * (alpha[code == c] @ table.basis[train][code == c]), int((code == c).sum())) for c in set(code)}
    return out


def corrected(table, rows, learnt, a):
    """Correction and spread as the program reckons them."""
    noise = a[-1]
    size = np.stack([(table.basis[rows][:, BASIS_TYPE == t]**2).sum(1) for t in range(3)], 1)
    value, variance, known = np.zeros(len(rows)), np.full(len(rows), noise), np.zeros(len(rows), bool)
    for i, level in enumerate(LEVELS):
        spread = size @ a[3 * i:3 * i + 3]
        for j, row in enumerate(rows):
            got = learnt[level].get(table.codes[level][row])
            if got:
                value[j] += got[0] @ table.basis[row]
                spread[j] *= noise / (noise + got[1] * spread[j])
                known[j] |= level == GROUP
        variance += spread
    return value, np.sqrt(variance), known


def quantiles(logs):
    error = np.abs(np.exp(logs) - 1) * 100
    return np.median(error), np.quantile(error, .9)


class Quantity:
    """One of tpot and ttft: cross-validated, left out by family, and fitted to all."""

    def __init__(self, table, name, token=None):
        self.table, self.name, self.y = table, name, table.truth[name]
        self.terms, self.token = table.terms[name].copy(), token
        everything = np.arange(len(self.y))
        self.fit = fit_prior(self.own_terms(token and token.best), self.y, table.keys['engine'], GUESS[name])
        self.prior = prior_log(self.fit, self.own_terms(token and token.best), table.keys['engine'])
        self.amplitudes = fit_amplitudes(table, self.y - self.prior)
        self.learnt = weights(table, everything, self.y - self.prior, self.amplitudes)
        self.best = self.prior + corrected(table, everything, self.learnt, self.amplitudes)[0]
        self.cross_validate()
        self.leave_families_out()

    def own_terms(self, token_log, rows=slice(None)):
        terms = self.terms[rows].copy()
        if token_log is not None:
            for t in ('step_wait', 'pool_wait'):
                terms[:, list(GUESS[self.name]).index(t)] *= np.exp(token_log[rows])
        return terms

    def cross_validate(self, folds=10):
        n = len(self.y)
        fold = np.random.default_rng(1).integers(0, folds, self.table.cell.max() + 1)[self.table.cell]
        self.cv, self.cv_spread, self.cv_known = np.zeros(n), np.zeros(n), np.zeros(n, bool)
        token = self.token and self.token.cv
        for i in range(folds):
            train, test = np.flatnonzero(fold != i), np.flatnonzero(fold == i)
            terms = self.own_terms(token)
            fit = fit_prior(terms[train], self.y[train], self.table.keys['engine'][train], GUESS[self.name])
            prior = prior_log(fit, terms, self.table.keys['engine'])
            learnt = weights(self.table, train, self.y - prior, self.amplitudes)
            value, spread, known = corrected(self.table, test, learnt, self.amplitudes)
            self.cv[test], self.cv_spread[test], self.cv_known[test] = prior[test] + value, spread, known
        off = np.abs(self.y - self.cv)[self.cv_known] / self.cv_spread[self.cv_known] / EIGHTY
        self.band = np.quantile(off, .8)

    def leave_families_out(self):
        self.out = np.zeros(len(self.y))
        for model in sorted(set(self.table.keys['model'])):
            test = self.table.keys['model'] == model
            terms = self.own_terms(self.token and self.token.out)
            fit = fit_prior(terms[~test], self.y[~test], self.table.keys['engine'][~test], GUESS[self.name])
            self.out[test] = prior_log(fit, terms[test], self.table.keys['engine'][test])
        self.low, self.high = np.quantile(self.y - self.out, [.1, .9])


def write_coefficients(path, table, quantities):
    with open(path, 'w') as f:
        w = csv.writer(f, lineterminator='\n')
        w.writerow(['quantity', 'level', 'key', 'term', 'coefficient', 'rows'])
        for q in quantities:
            base, own = q.fit
            put = lambda level, key, term, value, rows='': w.writerow([q.name, level, key, term, f'{value:.4g}' if isinstance(value, float) else value, rows])
            for t, v in zip(GUESS[q.name], base):
                put('base', '', t, float(v))
            for e in own:
                for t, v in zip(GUESS[q.name], own[e]):
                    put('engine', e, t, float(v))
            put('noise', '', '', float(q.amplitudes[-1]**.5))
            put('band', '', '', float(q.band))
            put('prior_low', '', '', float(q.low))
            put('prior_high', '', '', float(q.high))
            for e, v in sorted(set(zip(table.keys['engine'], table.keys['version']))):
                put('version', e, v, '')
            for i, level in enumerate(LEVELS):
                for t, name in enumerate(TYPE_NAMES):
                    put('amplitude', level, name, float(q.amplitudes[3 * i + t]**.5))
            names = [c[6:] for c in table.rows[0] if c.startswith('basis.')]
            for level in LEVELS:
                first = {c: i for i, c in reversed(list(enumerate(table.codes[level])))}
                for c in sorted(q.learnt[level], key=lambda c: table.name(level, first[c])):
                    values, count = q.learnt[level][c]
                    for t, v in zip(names, values):
                        if t == 'one' or abs(v) >= 2e-3:
                            put(level, table.name(level, first[c]), t, float(v), count)


def report(path, table, quantities):
    total = len(table.rows) + len(table.refused)
    lines = ['# How wrong the times of `etiage size` are', '', 'Generated by `scripts/fit_serving.py`; not edited by hand. Measurements: the aggregated rows of',
             'AIConfigurator\'s published sample (' + f'{total} after exact repetitions were dropped), outside this repository.', '',
             f'Answered: {len(table.rows)} ({100 * len(table.rows) / total:.1f} %). Refused, because the configuration as labelled cannot start: {len(table.refused)}.', '',
             '*Calibrated*: ten folds by configuration cell. *Family never seen*: each model\'s rows predicted from all other models. Band: the share of truths',
             'between low and high, and the median of high / low.', '', '| quantity | case | rows | median error | 90th percentile | inside the band | width |', '|---|---|---|---|---|---|---|']
    for q in quantities:
        known = q.cv_known
        half = EIGHTY * q.band * q.cv_spread[known]
        off = (q.y - q.cv)[known]
        m, p = quantiles((q.cv - q.y)[known])
        lines.append(f'| {q.name} | calibrated | {known.sum()} | {m:.1f} % | {p:.1f} % | {100 * np.mean(np.abs(off) <= half):.0f} % | {np.median(np.exp(2 * half)):.2f} |')
        m, p = quantiles(q.out - q.y)
        off = q.y - q.out
        lines.append(f'| {q.name} | family never seen | {len(off)} | {m:.1f} % | {p:.1f} % | {100 * np.mean((off >= q.low) & (off <= q.high)):.0f} % | {np.exp(q.high - q.low):.2f} |')
    for field in ('card', 'model', 'engine', 'precision'):
        lines += ['', f'## By {field}', '', f'| {field} | rows | tpot calibrated | tpot unseen | ttft calibrated | ttft unseen |', '|---|---|---|---|---|---|']
        for key in sorted(set(table.keys[field])):
            here = table.keys[field] == key
            cells = ['{:.1f} / {:.1f} %'.format(*quantiles(x[here])) for q in quantities for x in (q.cv - q.y, q.out - q.y)]
            lines.append(f'| {key} | {here.sum()} | ' + ' | '.join(cells) + ' |')
    lines += ['', 'Two figures a cell: median and 90th percentile of |predicted / measured - 1|.', '']
    open(path, 'w').write('\n'.join(lines))
    print('\n'.join(lines[10:16]))


def check(binary, table, quantities):
    """The built-in table must answer as this fit reckons; returns whether it does."""
    rows = [{k: r[k] for k in r if not k.startswith(('key.', 'basis.', 'tpot.', 'ttft.'))} for r in table.rows]
    drop = ('fits', 'reason', 'ttftMs', 'ttftMsLow', 'ttftMsHigh', 'tpotMs', 'tpotMsLow', 'tpotMsHigh', 'outputTokensPerSecond', 'basis')
    got = answers(binary, [{k: v for k, v in r.items() if k not in drop} for r in rows], terms=False)
    same = True
    for q in quantities:
        program = np.log([float(r[q.name + 'Ms']) for r in got])
        inside = np.mean([float(r[q.name + 'MsLow']) <= t <= float(r[q.name + 'MsHigh']) for r, t in zip(got, np.exp(q.y))])
        apart = np.abs(np.exp(program - q.best) - 1) * 100
        m, p = quantiles(program - q.y)
        same &= bool(np.median(apart) < .5 and apart.max() < 5)
        print(f'{q.name}: program and this fit lie {np.median(apart):.2f} % apart (median), {apart.max():.2f} % at most; in sample off by {m:.1f} % '
              f'(median), {p:.1f} % (p90), {100 * inside:.0f} % inside the band, {sum(r["basis"] == "calibrated" for r in got)} of {len(got)} calibrated')
    print('the built-in coefficients are those of this fit' if same else 'the built-in coefficients are NOT those of this fit: run without --check, and build')
    return same


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--truth', required=True, help='measured_latency.csv')
    p.add_argument('--binary', default='build/release/etiage')
    p.add_argument('--coefficients', default='data/serving_coefficients.csv')
    p.add_argument('--report', default='docs/sizing-errors.md')
    p.add_argument('--check', action='store_true', help='write nothing: compare the program, as built, with a new fit and with the measurements')
    args = p.parse_args()
    table = Table(answers(args.binary, rows_of(args.truth)))
    print(f'{len(table.rows)} rows, {len(table.refused)} refused:', collections.Counter(r['reason'][:70] for r in table.refused).most_common(5), file=sys.stderr)
    token = Quantity(table, 'tpot')
    first = Quantity(table, 'ttft', token)
    if args.check:
        sys.exit(0 if check(args.binary, table, [token, first]) else 1)
    write_coefficients(args.coefficients, table, [token, first])
    report(args.report, table, [token, first])


if __name__ == '__main__':
    main()
