import { startTollgate } from '../../e2e/support/tollgate.ts';
import { measureWhole } from '../load/measure.ts';
import { cpuMicros, pause, residentMegabytes } from '../subjects/pinned.ts';
import type { Goal, Section } from '../report.ts';
import { type Plan, tollgate } from './plan.ts';
import { shown, type Spread, spread } from '../spread.ts';
import { builtFile } from '../subjects/subject.ts';

const SETTLED_MS = 3000;
const MOST_START_MS = 500;
const MOST_IDLE_MEGABYTES = 120;
const MOST_LOADED_MEGABYTES = 200;
/** After this time memory no longer grows. */
const LOAD_SECONDS = 15;

interface StartFigure {
  readonly startMs: number;
  readonly cpuMs: number;
  readonly idleMegabytes: number;
  readonly loadedMegabytes: number;
}

/** The time from the start of the program until it answers, with Node's compile cache filled. */
const started = async (): Promise<Omit<StartFigure, 'loadedMegabytes'>> => {
  const beganMs = performance.now();
  const server = await startTollgate({ file: builtFile, launcher: ['taskset', '-c', '0'] });
  const startMs = performance.now() - beganMs;
  const cpuMs = cpuMicros(server.program.pid) / 1000;
  await pause(SETTLED_MS);
  const idleMegabytes = residentMegabytes(server.program.pid);
  await server.stop();
  return { startMs, cpuMs, idleMegabytes };
};

const loadedMegabytes = async (plan: Plan): Promise<number> => {
  const subject = await tollgate(plan);
  try {
    await measureWhole(subject, LOAD_SECONDS);
    await pause(SETTLED_MS);
    return residentMegabytes(subject.pid);
  } finally {
    await subject.stop();
  }
};

/** The time of a start, and the memory used after it and after load from 64 callers. */
export const runStart = async (plan: Plan): Promise<Section> => {
  // The first start fills the compile cache.
  await started();
  const figures: StartFigure[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const start = await plan.quiet.measure(started);
    figures.push({ ...start, loadedMegabytes: await loadedMegabytes(plan) });
  }
  const of = (name: keyof StartFigure): Spread => spread(figures.map((figure) => figure[name]));
  const goal = (what: string, figure: Spread, most: number, unit: string): Goal => ({
    what,
    goal: `≤ ${most} ${unit}`,
    figure: `${figure.median.toFixed(0)} ${unit}`,
    met: figure.median <= most,
  });
  return {
    title: 'Start and memory',
    text: [
      `Resident memory ${SETTLED_MS / 1000} seconds after the start, and as long after ${LOAD_SECONDS} seconds of 64 callers.`,
      '',
      '| | |',
      '| --- | ---: |',
      `| start until it answers, ms | ${shown(of('startMs'), 0)} |`,
      `| processor time of that, ms | ${shown(of('cpuMs'), 0)} |`,
      `| memory after the start, MB | ${shown(of('idleMegabytes'), 0)} |`,
      `| memory after load, MB | ${shown(of('loadedMegabytes'), 0)} |`,
    ].join('\n'),
    goals: [
      goal('start until it answers', of('startMs'), MOST_START_MS, 'ms'),
      goal('memory after the start', of('idleMegabytes'), MOST_IDLE_MEGABYTES, 'MB'),
      goal('memory after load', of('loadedMegabytes'), MOST_LOADED_MEGABYTES, 'MB'),
    ],
  };
};
