// Runs the conformance suite of CEL on `etiage dra match`. The suite is npm's @bufbuild/cel-spec, installed into a folder that git ignores; where npm or the network is absent, this
// says so and passes. Each test becomes a selector: its bindings are bound around it, its result is compared in CEL itself, value and type.
//   node tests/cel_spec.mjs --binary build/dev/etiage [--dump]
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const PACKAGE = '@bufbuild/cel-spec@0.6.1';
const argument = (name) => { const i = process.argv.indexOf(name); return i < 0 ? undefined : process.argv[i + 1]; };
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'build', 'cel-spec');

// What selectors do not have, and why.
const ABSENT = [
  [/^(proto2|proto3|proto2_ext|enums|unknowns|wrappers|type_deduction)\//, 'protobuf messages and enums; tests of deduced types alone'],
  [/^(math_ext|encoders_ext|network_ext|block_ext)\//, 'an extension that Kubernetes does not load'],
  [/TestAllTypes|google\.protobuf\.(?!Duration|Timestamp)|GlobalEnum|NestedEnum/, 'protobuf messages'],
  [/\bmath\.|base64\.|proto\.(get|has)Ext/, 'an extension that Kubernetes does not load'],
  [/\.reverse\(\)/, 'a later version of the strings library'],
];

// Where cel-go, as the releases of Kubernetes have it, answers otherwise than the suite, and we as it does (compared with k8s.io/dynamic-resource-allocation 1.37).
const OTHERWISE = [
  [/^string_ext\/format\//, 'the first version of string.format, which Kubernetes loads'],
  [/^string_ext\/value_errors\/(last)?indexof_out_of_range$/, 'cel-go: -1 beyond the end'],
  [/^fields\/map_fields\/map_bad_key_type_(or_true|and_false)$/, 'cel-go: a constant key of a bad type fails before evaluation'],
  [/^fields\/qualified_identifier_resolution\/map_value_repeat_key$/, 'cel-go: the last of equal keys counts'],
  [/^optionals\/optionals\/(map_null_entry_no_such_key|map_present_key_invalid_field)$/, 'cel-go: optional field of what has none is none'],
  [/^timestamps\/duration_converters\/get_milliseconds$/, 'cel-go: all milliseconds of the duration'],
];

function literal(v) {
  const [kind, x] = Object.entries(v)[0];
  switch (kind) {
    case 'int64Value': return x === '-9223372036854775808' ? '(-9223372036854775808)' : `(${x})`;
    case 'uint64Value': return `${x}u`;
    case 'doubleValue': return typeof x === 'string' ? `double(${JSON.stringify(x)})` : Object.is(x, -0) ? '-0.0' : `(${x}${String(x).includes('e') ? '' : 'e0'})`.replace('e+', 'e');
    case 'stringValue': return JSON.stringify(x).replace(/[\u007f-\uffff]/g, (c) => c);
    case 'bytesValue': return `b"${[...Buffer.from(x, 'base64')].map((b) => '\\x' + b.toString(16).padStart(2, '0')).join('')}"`;
    case 'boolValue': return String(x);
    case 'nullValue': return 'null';
    case 'typeValue': return ['timestamp', 'duration'].includes(x) ? `google.protobuf.${x}` : x;
    case 'listValue': return `[${(x.values ?? []).map((y) => `dyn(${literal(y)})`).join(', ')}]`;
    case 'mapValue': return `{${(x.entries ?? []).map((e) => `dyn(${literal(e.key)}): dyn(${literal(e.value)})`).join(', ')}}`;
    case 'objectValue':
      if (x['@type']?.endsWith('google.protobuf.Duration')) return `duration(${JSON.stringify(x.value)})`;
      if (x['@type']?.endsWith('google.protobuf.Timestamp')) return `timestamp(${JSON.stringify(x.value)})`;
  }
  throw new Error('protobuf messages');
}

// The selector that is true where the test passes, or why there is none.
function selector(path, t) {
  for (const [pattern, why] of ABSENT) if (pattern.test(path) || pattern.test(t.expr) || pattern.test(JSON.stringify(t.bindings ?? {}))) return {why};
  if (t.disableCheck) return {why: 'the check switched off'};
  if (Object.keys(t.bindings ?? {}).some((name) => ['true', 'false', 'null'].includes(name))) return {why: 'a variable named as a literal'};
  if (t.container) return {why: 'a container for names'};
  if (t.disableMacros) return {why: 'macros switched off'};
  if (t.checkOnly || t.typedResult) return {why: 'a deduced type alone'};
  if (t.unknown || t.anyUnknowns) return {why: 'unknown values'};
  try {
    let expression = t.expr;
    const fails = t.evalError !== undefined || t.anyEvalErrors !== undefined;
    const bound = Object.entries(t.bindings ?? {});
    if (bound.some(([name]) => name.includes('.'))) return {why: 'variables with dots in their name'};
    const wanted = t.value ?? {boolValue: true};
    if (fails) expression = `dyn(${expression}) == "anything"`;
    else if (wanted.doubleValue === 'NaN') expression = `cel.bind(spec_r, dyn(${expression}), type(spec_r) == double && spec_r != spec_r)`;
    else if (wanted.typeValue) expression = `dyn(${expression}) == ${literal(wanted)}`;
    else expression = `[dyn(${expression})].all(spec_r, spec_r == ${literal(wanted)} && type(spec_r) == type(${literal(wanted)}))`;
    for (const [name, b] of bound) expression = `cel.bind(${name}, ${t.typeEnv?.length && !JSON.stringify(t.typeEnv).includes('dyn') ? literal(b.value) : `dyn(${literal(b.value)})`}, ${expression})`;
    return {expression, wanted: fails ? 'error' : 'true'};
  } catch (e) { return {why: e.message}; }
}

function install() {
  const module = join(folder, 'node_modules/@bufbuild/cel-spec/dist/esm/testdata/conformance.js');
  if (existsSync(module)) return module;
  mkdirSync(folder, {recursive: true});
  const done = spawnSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', PACKAGE], {stdio: 'ignore', timeout: 120000});
  return done.status === 0 && existsSync(module) ? module : undefined;
}

const module = argument('--module') ?? install();
if (!module) { console.log('skipped: npm or its registry cannot be reached, so the suite is not here'); process.exit(0); }
const {tests: suite} = await import(pathToFileURL(module));
const cases = [], absent = new Map();
(function walk(group, path) {
  for (const {original} of group.tests ?? []) {
    const s = selector(`${path}/`, original);
    if (s.why) absent.set(s.why, (absent.get(s.why) ?? 0) + 1);
    else cases.push({id: `${path}/${original.name}`, ...s});
  }
  for (const inner of group.suites ?? []) walk(inner, path ? `${path}/${inner.name}` : inner.name);
})(suite, '');
if (process.argv.includes('--dump')) { for (const c of cases) console.log(JSON.stringify(c)); process.exit(0); }

const work = mkdtempSync(join(tmpdir(), 'cel-spec-'));
const slice = {apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: {name: 's'}, spec: {driver: 'd', nodeName: 'n', pool: {name: 'p', generation: 1, resourceSliceCount: 1}, devices: [{name: 'd0'}]}};
writeFileSync(join(work, 'slice.json'), JSON.stringify(slice));
let passed = 0, excused = 0;
for (const c of cases) {
  writeFileSync(join(work, 'e.cel'), c.expression);
  const run = spawnSync(argument('--binary') ?? 'build/dev/etiage', ['dra', 'match', '--expr-file', join(work, 'e.cel'), join(work, 'slice.json'), '-o', 'json'], {encoding: 'utf8'});
  let got;
  try { const a = JSON.parse(run.stdout); got = a.compileError ? 'error' : String(a.devices[0].result); c.message = a.compileError ?? a.devices[0].message; } catch { got = `exit ${run.status}`; }
  const other = got === c.wanted ? undefined : OTHERWISE.find(([id]) => id.test(c.id))?.[1] ?? (c.message?.includes("expected type '") ? 'Kubernetes refuses lists and maps of mixed types' : undefined);
  if (got === c.wanted) ++passed;
  else if (other) { absent.set(other, (absent.get(other) ?? 0) + 1); ++excused; }
  else console.log(`${c.id}: wanted ${c.wanted}, got ${got} ${c.message ?? ''}\n  ${c.expression}`);
}
console.log(`CEL conformance: ${passed} of ${cases.length - excused} applicable tests pass`);
for (const [why, n] of [...absent].sort()) console.log(`  not applicable: ${n} (${why})`);
process.exit(passed + excused === cases.length ? 0 : 1);
