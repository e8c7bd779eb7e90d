import { measureLatency, measureStreams, measureWhole, type Target, WARM_UP_SECONDS } from './measure.ts';
import type { Quiet } from './quiet.ts';
import type { Section } from './report.ts';
import { shown, spread } from './spread.ts';
import { startNginxSubject, startTollgateSubject, type Ports, type Subject } from './subject.ts';

export interface Plan {
  readonly ports: Ports;
  readonly rounds: number;
  readonly seconds: number;
  readonly profileTo?: string;
  readonly quiet: Quiet;
  /** The Go floor's program, if available. */
  readonly floor: string | undefined;
}

export type Start = (plan: Plan) => Promise<Subject>;

export const tollgate: Start = (plan) =>
  startTollgateSubject(plan.ports, plan.profileTo === undefined ? {} : { profileTo: plan.profileTo });

/** Takes turns within a round, so that other load on the machine affects all of them alike. */
export const interleaved = async <Figure>(
  plan: Plan,
  starts: Readonly<Record<string, Start>>,
  measure: (subject: Subject, name: string) => Promise<Figure>,
): Promise<(name: string) => Figure[]> => {
  const figures = new Map<string, Figure[]>();
  for (let round = 0; round < plan.rounds; round++) {
    for (const [name, start] of Object.entries(starts)) {
      const subject = await start(plan);
      try {
        const figure = await plan.quiet.measure(() => measure(subject, name));
        figures.set(name, [...(figures.get(name) ?? []), figure]);
      } finally {
        await subject.stop();
      }
    }
  }
  return (name) => figures.get(name) ?? [];
};

export const withTollgate = async <Figure>(
  plan: Plan,
  measure: (subject: Subject) => Promise<Figure>,
): Promise<Figure> => {
  const subject = await tollgate(plan);
  try {
    return await measure(subject);
  } finally {
    await subject.stop();
  }
};

interface LatencyRound {
  /** The latency that Tollgate adds for one caller, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** The same at 100 calls a second. */
  readonly busyP99: number;
}

interface LatencyRounds {
  readonly directP50: readonly number[];
  readonly tollgate: readonly LatencyRound[];
  readonly nginx: readonly LatencyRound[];
}

const latencyRounds = async (plan: Plan, tollgate: Target, nginx: Target): Promise<LatencyRounds> => {
  const direct: Target = { url: `http://127.0.0.1:${plan.ports.whole}/v1/chat/completions`, headers: {} };
  const rounds = { directP50: [] as number[], tollgate: [] as LatencyRound[], nginx: [] as LatencyRound[] };
  for (let round = 0; round < plan.rounds; round++) {
    const straight = await measureLatency(direct, 2000, 0);
    const busyStraight = await measureLatency(direct, 1000, 100);
    rounds.directP50.push(straight.p50);
    for (const { name, target } of [
      { name: 'tollgate', target: tollgate },
      { name: 'nginx', target: nginx },
    ] as const) {
      const through = await measureLatency(target, 2000, 0);
      const busyThrough = await measureLatency(target, 1000, 100);
      rounds[name].push({
        p50: through.p50 - straight.p50,
        p99: through.p99 - straight.p99,
        busyP99: busyThrough.p99 - busyStraight.p99,
      });
    }
  }
  return rounds;
};

const addedBy = (rows: readonly LatencyRound[]) => ({
  p50: spread(rows.map((row) => row.p50)),
  p99: spread(rows.map((row) => row.p99)),
  busyP99: spread(rows.map((row) => row.busyP99)),
});

export const runLatency = async (plan: Plan): Promise<Section> => {
  const rounds = await withTollgate(plan, async (subject) => {
    const nginx = await startNginxSubject(plan.ports, 'whole');
    try {
      await measureWhole(subject, WARM_UP_SECONDS);
      return await latencyRounds(plan, subject, nginx);
    } finally {
      await nginx.stop();
    }
  });
  const { p50, p99, busyP99 } = addedBy(rounds.tollgate);
  const nginx = addedBy(rounds.nginx);
  const goal = (what: string, figure: typeof p50, most: number) => ({
    what,
    goal: `≤ ${most} ms`,
    figure: `${figure.median.toFixed(2)} ms`,
    met: figure.median <= most,
  });
  return {
    title: 'Added latency, whole replies of 1 KB',
    text: [
      `Through it less straight to the upstream, which takes ${shown(spread(rounds.directP50), 2)} ms.`,
      '',
      '| Added, ms | Tollgate | nginx |',
      '| --- | ---: | ---: |',
      `| one caller, p50 | ${shown(p50, 2)} | ${shown(nginx.p50, 2)} |`,
      `| one caller, p99 | ${shown(p99, 2)} | ${shown(nginx.p99, 2)} |`,
      `| 100 calls a second, p99 | ${shown(busyP99, 2)} | ${shown(nginx.busyP99, 2)} |`,
    ].join('\n'),
    goals: [
      goal('added latency, one caller, p50', p50, 0.6),
      goal('added latency, one caller, p99', p99, 3),
      goal('added latency, 100 calls a second, p99', busyP99, 5),
    ],
  };
};

const HELD = { model: 'paced-30-1000', streams: 5000, rampMs: 15_000, readBytesPerSecond: 0 };

export const runHeld = async (plan: Plan): Promise<Section> => {
  const figure = await withTollgate(plan, (subject) => measureStreams(subject, HELD));
  const highest = figure.residentMegabytesHighest;
  return {
    title: '5,000 streams held open, one chunk a second each',
    text:
      `Broken: ${figure.dropped}. Resident memory: ${highest.toFixed(0)} MB at its highest, ` +
      `${figure.residentMegabytesBefore.toFixed(0)} MB before.`,
    goals: [
      {
        what: '5,000 streams held, broken',
        goal: '0',
        figure: String(figure.dropped),
        met: figure.dropped === 0,
      },
      {
        what: '5,000 streams held, resident memory',
        goal: '≤ 300 MB',
        figure: `${highest.toFixed(0)} MB`,
        met: highest <= 300,
      },
    ],
  };
};

/** 20 × 2.5 MB a second: 50 MB each take about 20 seconds. */
const SLOW = { model: 'bulk-50', streams: 20, rampMs: 0, readBytesPerSecond: 2_500_000 };
const FLAT_MEGABYTES = 100;

export const runSlowReaders = async (plan: Plan): Promise<Section> => {
  const figure = await withTollgate(plan, (subject) => measureStreams(subject, SLOW));
  const grown = figure.residentMegabytesHighest - figure.residentMegabytesBefore;
  return {
    title: '20 slow readers of 50 MB streams',
    text:
      `${(figure.bytes / 1024 / 1024).toFixed(0)} MB went through; broken: ${figure.dropped}. ` +
      `Resident memory grew by ${grown.toFixed(0)} MB, to ${figure.residentMegabytesHighest.toFixed(0)} MB.`,
    goals: [
      {
        what: '20 slow readers of 50 MB, memory grown',
        goal: `flat (≤ ${FLAT_MEGABYTES} MB)`,
        figure: `${grown.toFixed(0)} MB`,
        met: grown <= FLAT_MEGABYTES && figure.dropped === 0,
      },
    ],
  };
};

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
