import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { cpuMicros, highestDuring, outputOf, residentMegabytes } from '../subjects/pinned.ts';
import type { Subject } from '../subjects/subject.ts';

/** The target of the load: a subject, or the upstream itself. */
export type Target = Pick<Subject, 'url' | 'headers'>;

/** Until a server is warm. Node's compilers need some 150,000 calls: after 5 s a call cost a fifth more than after 15. */
export const WARM_UP_SECONDS = 15;

export interface WholeFigure {
  readonly perSecond: number;
  readonly cpuMicrosPerCall: number;
  readonly failed: number;
}

/** Closed loop: each caller waits for its answer before it sends the next call. */
export interface WholeLoad {
  readonly callers: number;
  /** The body of a call, in two parts: before and after the number of the call. */
  readonly body: readonly [string, string];
}

/** `modelPrefix` is the prefix that a gateway requires before the model's name. */
export const shortBody = (modelPrefix = ''): readonly [string, string] => [
  `{"model":"${modelPrefix}bench-whole","messages":[{"role":"user","content":"Say something short about gates."}]}`,
  '',
];
export const SHORT_BODY = shortBody();
const SHORT: WholeLoad = { callers: 64, body: SHORT_BODY };

/** Measures the cost of whole replies; by default 64 callers with short prompts. */
export const measureWhole = async (
  subject: Subject,
  seconds: number,
  load: WholeLoad = SHORT,
): Promise<WholeFigure> => {
  const script = join(await mkdtemp(join(tmpdir(), 'tollgate-wrk-')), 'post.lua');
  await writeFile(script, wrkScript(subject.headers, load.body));
  const before = cpuMicros(subject.pid);
  const output = await outputOf(1, 'wrk', [
    '-t1',
    `-c${load.callers}`,
    `-d${seconds}s`,
    '-s',
    script,
    subject.url,
  ]);
  const cpu = cpuMicros(subject.pid) - before;
  const read = /FIGURES (\d+) (\d+) (\d+)/.exec(output);
  if (read === null) throw new Error(`wrk printed no figures:\n${output}`);
  const calls = Number(read[1]);
  return {
    perSecond: calls / (Number(read[2]) / 1e6),
    cpuMicrosPerCall: cpu / calls,
    failed: Number(read[3]),
  };
};

const wrkScript = (
  headers: Readonly<Record<string, string>>,
  [head, tail]: readonly [string, string],
): string => `
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
  .join('\n')}
local head, tail = [====[${head}]====], [====[${tail}]====]
local turn = 0
${tail === '' ? 'wrk.body = head' : 'request = function() turn = turn + 1 return wrk.format(nil, nil, nil, head .. turn .. tail) end'}
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("FIGURES %d %d %d\\n", summary.requests, summary.duration, e.connect + e.read + e.write + e.status + e.timeout))
end
`;

const streamsRead = z.object({
  /** The p99 of the time to the first event; null if a stream had no event. */
  firstP99Ms: z.number().nullable(),
  dropped: z.number(),
  chunks: z.number(),
  bytes: z.number(),
});
export type StreamsRead = z.infer<typeof streamsRead>;

export interface StreamsAsked {
  readonly model: string;
  readonly streams: number;
  readonly rampMs: number;
  readonly readBytesPerSecond: number;
}

const readStreams = async (target: Target, asked: StreamsAsked): Promise<StreamsRead> => {
  const { url, headers } = target;
  const script = `${import.meta.dirname}/load-streams.ts`;
  const output = await outputOf(1, 'node', [script, JSON.stringify({ url, headers, ...asked })]);
  return streamsRead.parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''));
};

export interface StreamsFigure extends StreamsRead {
  readonly cpuMicrosPerChunk: number;
  readonly residentMegabytesBefore: number;
  readonly residentMegabytesHighest: number;
}

/** Many streams at once: the cost of a chunk, the number of broken streams, and the memory used. */
export const measureStreams = async (subject: Subject, asked: StreamsAsked): Promise<StreamsFigure> => {
  const residentMegabytesBefore = residentMegabytes(subject.pid);
  const before = cpuMicros(subject.pid);
  const { result, highest } = await highestDuring(
    () => residentMegabytes(subject.pid),
    readStreams(subject, asked),
  );
  const cpuMicrosPerChunk = (cpuMicros(subject.pid) - before) / Math.max(1, result.chunks);
  return { ...result, cpuMicrosPerChunk, residentMegabytesBefore, residentMegabytesHighest: highest };
};

const latencyRead = z.object({ p50: z.number(), p99: z.number() });
export type LatencyFigure = z.infer<typeof latencyRead>;

/** The latency of whole calls in milliseconds; `perSecond` 0 sends one after the other. */
export const measureLatency = async (
  target: Target,
  calls: number,
  perSecond: number,
): Promise<LatencyFigure> => {
  const { url, headers } = target;
  const script = `${import.meta.dirname}/load-latency.ts`;
  const output = await outputOf(1, 'node', [script, JSON.stringify({ url, headers, calls, perSecond })]);
  return latencyRead.parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''));
};
