import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { builtConsole, builtServer, buildWhereOld } from '../scripts/build-where-old.ts';
import { Quiet } from './quiet.ts';
import { runPrompts } from './shapes/prompts.ts';
import { runWhole } from './shapes/whole.ts';
import { runHeld, runSlowReaders } from './shapes/held.ts';
import { runLatency } from './shapes/latency.ts';
import type { Plan } from './shapes/plan.ts';
import { buildFloor } from './subjects/subject.ts';
import { runConverted } from './shapes/converted.ts';
import { runStart } from './shapes/start.ts';
import { runStreams } from './shapes/streams.ts';
import { startWholeUpstream } from './subjects/nginx.ts';
import { listens, startPinned, until } from './subjects/pinned.ts';
import { pageOf, type Section } from './report.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    /** Only these shapes. */
    only: { type: 'string', default: 'whole,prompts,streams,converted,latency,held,slow,start' },
    /** Keeps every round, even if other programs use the cores. */
    noisy: { type: 'boolean', default: false },
    /** Does not write docs/performance.md. */
    dry: { type: 'boolean', default: false },
    /** Writes a profile of Tollgate's processor time to this folder, which slows it down. */
    profile: { type: 'string' },
  },
});

for (const program of ['taskset', 'nginx', 'wrk']) {
  if (spawnSync('which', [program]).status !== 0) {
    console.error(`${program} is needed: apt-get install nginx-light wrk util-linux`);
    process.exit(1);
  }
}
if (!existsSync(`${import.meta.dirname}/node_modules`)) {
  const { status } = spawnSync('npm', ['ci'], { cwd: import.meta.dirname, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
await buildWhereOld(builtConsole);
await buildWhereOld(builtServer);

const ports = { whole: 18_081, stream: 18_082, subject: 18_083 };
const plan: Plan = {
  ports,
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  quiet: new Quiet(!values.noisy),
  floor: await buildFloor(),
  ...(values.profile === undefined ? {} : { profileTo: values.profile }),
};

const whole = await startWholeUpstream(ports.whole);
const stream = startPinned(1, 'node', [
  `${import.meta.dirname}/subjects/stream-upstream.ts`,
  String(ports.stream),
]);
await until('the start of the upstream', () => listens(ports.stream));

const shapes: Record<string, (plan: Plan) => Promise<Section>> = {
  whole: runWhole,
  prompts: runPrompts,
  streams: runStreams,
  converted: runConverted,
  latency: runLatency,
  held: runHeld,
  slow: runSlowReaders,
  start: runStart,
};
const sections: Section[] = [];
try {
  for (const name of values.only.split(',')) {
    const run = shapes[name];
    if (run === undefined) throw new Error(`no shape is named ${name}`);
    const section = await run(plan);
    sections.push(section);
    console.log(`${section.text}\n`);
  }
} finally {
  await Promise.all([whole.stop(), stream.stop()]);
}
console.log(String(plan.quiet));
if (!values.dry) {
  await mkdir('docs', { recursive: true });
  await writeFile('docs/performance.md', pageOf(sections, plan.rounds, String(plan.quiet)));
}
