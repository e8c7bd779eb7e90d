import { measureStreams, type StreamsAsked, type StreamsFigure } from '../load/measure.ts';
import type { Goal, Section } from '../report.ts';
import { interleaved, type Plan, type Start, sum, tollgate } from './plan.ts';
import { shown, type Spread, spread } from '../spread.ts';
import { startFloorSubject, startNginxSubject, type Subject } from '../subjects/subject.ts';

export const PACED: StreamsAsked = {
  model: 'paced-100-20',
  streams: 200,
  rampMs: 500,
  readBytesPerSecond: 0,
};
/** The number of concurrent streams, and the goal for the cost of a chunk, relative to nginx. */
const COUNTS = [
  { streams: 32, most: 2.5 },
  { streams: 200, most: 1.8 },
  { streams: 500, most: 1.5 },
] as const;
/** The number of streams that begin at once; their first tokens are timed. */
const BEGINNING = [200, 500] as const;
/** The goal for the time added to the first token, relative to the Go floor. */
const FIRST_TOKEN_MOST = 2;

/** Streams served before measuring: until its code is compiled, a chunk costs twice as much as later. */
const WARM_UP_STREAM_RUNS = 4;
const MEASURED_STREAM_RUNS = 2;

/** Starts a server and warms it up with some streams. */
const warmUp = async (subject: Subject, asked: StreamsAsked): Promise<void> => {
  for (let run = 0; run < WARM_UP_STREAM_RUNS; run++) await measureStreams(subject, asked);
};

const measureSome = async (subject: Subject, asked: StreamsAsked): Promise<StreamsFigure> => {
  const figures: StreamsFigure[] = [];
  for (let run = 0; run < MEASURED_STREAM_RUNS; run++) figures.push(await measureStreams(subject, asked));
  const [first] = figures;
  if (first === undefined) throw new Error('nothing was measured');
  return {
    ...first,
    dropped: sum(figures.map(({ dropped }) => dropped)),
    cpuMicrosPerChunk: sum(figures.map(({ cpuMicrosPerChunk }) => cpuMicrosPerChunk)) / figures.length,
    firstP99Ms: spread(figures.map(({ firstP99Ms }) => firstP99Ms ?? Infinity)).median,
  };
};

/** The cost of a chunk at a warm server. */
export const measureWarmStreams = async (subject: Subject, asked: StreamsAsked): Promise<StreamsFigure> => {
  await warmUp(subject, asked);
  return measureSome(subject, asked);
};

interface StreamsRound {
  readonly paced: readonly StreamsFigure[];
  /** Milliseconds added to the p99 of first tokens, by the number of streams that begin at once. */
  readonly firstsMs: readonly number[];
}

const measureRound = async (plan: Plan, subject: Subject): Promise<StreamsRound> => {
  await warmUp(subject, PACED);
  const paced: StreamsFigure[] = [];
  for (const { streams } of COUNTS) paced.push(await measureSome(subject, { ...PACED, streams }));
  const straight = { ...subject, url: `http://127.0.0.1:${plan.ports.stream}/v1/chat/completions` };
  const firstsMs: number[] = [];
  for (const streams of BEGINNING) {
    const asked = { ...PACED, streams, rampMs: 0 };
    const through = await measureSome(subject, asked);
    const direct = await measureSome(straight, asked);
    firstsMs.push((through.firstP99Ms ?? Infinity) - (direct.firstP99Ms ?? 0));
  }
  return { paced, firstsMs };
};

/** Streams whose caller and upstream speak the same format: bytes are passed on. */
export const runStreams = async (plan: Plan): Promise<Section> => {
  const { floor } = plan;
  const starts: Record<string, Start> = {
    nginx: ({ ports }) => startNginxSubject(ports, 'stream'),
    ...(floor === undefined
      ? {}
      : { 'Go floor': ({ ports }: Plan) => startFloorSubject(ports, floor, 'stream') }),
    Tollgate: tollgate,
  };
  const of = await interleaved(plan, starts, (subject) => measureRound(plan, subject));
  const cpu = (name: string, at: number): Spread =>
    spread(of(name).flatMap(({ paced }) => paced[at]?.cpuMicrosPerChunk ?? []));
  const first = (name: string, at: number): Spread =>
    spread(of(name).flatMap(({ firstsMs }) => firstsMs[at] ?? []));
  const broken = (name: string): number =>
    sum(of(name).flatMap(({ paced }) => paced.map(({ dropped }) => dropped)));
  const names = Object.keys(starts);
  const heads = [
    ...COUNTS.map(({ streams }) => `CPU per chunk of ${streams}, µs`),
    ...BEGINNING.map((streams) => `First token of ${streams}, ms`),
  ];
  return {
    title: 'Streams: 100 chunks each, 20 ms apart',
    text: [
      'Processor time per chunk, the beginning and the end of each call included, for streams that begin within half a',
      'second. First tokens: the p99 of how long they take while all begin at the same moment, less the same straight to',
      'the upstream. Portkey is left out: its release fails every stream on this Node.',
      '',
      `| | ${heads.join(' | ')} | Broken |`,
      `| --- |${' ---: |'.repeat(heads.length + 1)}`,
      ...names.map((name) => {
        const figures = [
          ...COUNTS.map((_, at) => shown(cpu(name, at))),
          ...BEGINNING.map((_, at) => shown(first(name, at))),
          String(broken(name)),
        ];
        return `| ${name} | ${figures.join(' | ')} |`;
      }),
    ].join('\n'),
    goals: [
      ...COUNTS.map(({ streams, most }, at) =>
        ratioGoal(
          `CPU per chunk of ${streams} streams, of nginx`,
          most,
          cpu('Tollgate', at),
          cpu('nginx', at),
        ),
      ),
      ...(floor === undefined
        ? []
        : BEGINNING.map((streams, at) =>
            ratioGoal(
              `first token added, p99, ${streams} streams begin, of the Go floor`,
              FIRST_TOKEN_MOST,
              first('Tollgate', at),
              first('Go floor', at),
            ),
          )),
    ],
  };
};

/** The added time can be less than the noise between two measurements; then there is no ratio. */
const ratioGoal = (what: string, most: number, ours: Spread, theirs: Spread): Goal => {
  if (theirs.median <= 0) return { what, goal: `≤ ${most}`, figure: 'less than noise', met: undefined };
  const ratio = ours.median / theirs.median;
  return { what, goal: `≤ ${most}`, figure: ratio.toFixed(2), met: ratio <= most };
};
