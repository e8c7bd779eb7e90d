import { measureLatency, measureWhole, type Target, WARM_UP_SECONDS } from '../load/measure.ts';
import type { Section } from '../report.ts';
import { shown, spread } from '../spread.ts';
import { startNginxSubject } from '../subjects/subject.ts';
import { type Plan, withTollgate } from './plan.ts';

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
