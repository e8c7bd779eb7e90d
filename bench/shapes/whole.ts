import { measureWhole, shortBody, WARM_UP_SECONDS, type WholeFigure } from '../load/measure.ts';
import { findPeers, type Peers } from '../subjects/peers.ts';
import type { Section } from '../report.ts';
import { interleaved, type Plan, type Start, sum, tollgate } from './plan.ts';
import { shown, spread } from '../spread.ts';
import { startFloorSubject, startNginxSubject, startPortkeySubject } from '../subjects/subject.ts';

const CALLERS = [1, 10, 64] as const;

const startsOf = (floor: string | undefined, peers: Peers): Readonly<Record<string, Start>> => ({
  nginx: ({ ports }) => startNginxSubject(ports, 'whole'),
  ...(floor === undefined
    ? {}
    : { 'Go floor': ({ ports }: Plan) => startFloorSubject(ports, floor, 'whole') }),
  Tollgate: tollgate,
  Portkey: ({ ports }) => startPortkeySubject(ports),
  ...Object.fromEntries(peers.found.map(({ name, start }) => [name, ({ ports }: Plan) => start(ports)])),
});

/** Whole replies to short prompts, for callers that each wait for their answer. */
export const runWhole = async (plan: Plan): Promise<Section> => {
  const { floor } = plan;
  const peers = await findPeers(plan.ports);
  const starts = startsOf(floor, peers);
  const prefixes = new Map(peers.found.map(({ name, modelPrefix }) => [name, modelPrefix]));
  const of = await interleaved(plan, starts, async (subject, name) => {
    const body = shortBody(prefixes.get(name));
    await measureWhole(subject, WARM_UP_SECONDS, { callers: 64, body });
    const figures: WholeFigure[] = [];
    for (const callers of CALLERS) figures.push(await measureWhole(subject, plan.seconds, { callers, body }));
    return figures;
  });
  const at = (name: string, callers: (typeof CALLERS)[number]) => {
    const figures = of(name).flatMap((round) => round[CALLERS.indexOf(callers)] ?? []);
    return {
      rate: spread(figures.map(({ perSecond }) => perSecond)),
      cpu: spread(figures.map(({ cpuMicrosPerCall }) => cpuMicrosPerCall)),
      failed: sum(figures.map(({ failed }) => failed)),
    };
  };
  const lines = Object.keys(starts).flatMap((name) =>
    CALLERS.map((callers) => {
      const { rate, cpu, failed } = at(name, callers);
      return `| ${name} | ${callers} | ${shown(rate, 0)} | ${shown(cpu)} | ${failed} |`;
    }),
  );
  const cpuGoal = (callers: (typeof CALLERS)[number], most: number) => {
    const { median } = at('Tollgate', callers).cpu;
    return {
      what: `CPU per call, ${callers === 1 ? 'one caller' : `${callers} callers`}`,
      goal: `≤ ${most} µs`,
      figure: `${median.toFixed(0)} µs`,
      met: median <= most,
    };
  };
  const rateGoal = (name: string, least: number) => {
    const ratio = at('Tollgate', 64).rate.median / at(name, 64).rate.median;
    return {
      what: `requests per second of 64 callers, of ${name}`,
      goal: `≥ ${least}`,
      figure: ratio.toFixed(2),
      met: ratio >= least,
    };
  };
  return {
    title: 'Whole replies of 1 KB',
    text: [
      'Callers that each wait for their answer.',
      '',
      '| | Callers | Requests per second | CPU per call, µs | Failed |',
      '| --- | ---: | ---: | ---: | ---: |',
      ...lines,
      ...(floor === undefined ? ['', 'The Go floor is left out: no Go here, or no source given.'] : []),
      ...(peers.leftOut.length === 0 ? [] : ['', `Left out: ${peers.leftOut.join(', ')}.`]),
    ].join('\n'),
    goals: [
      cpuGoal(1, 350),
      cpuGoal(10, 150),
      cpuGoal(64, 100),
      rateGoal('nginx', 0.3),
      rateGoal('Portkey', 8),
      ...(floor === undefined ? [] : [rateGoal('Go floor', 0.9)]),
    ],
  };
};
