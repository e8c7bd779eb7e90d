import { createServer } from 'node:http';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { PLAIN_STREAM } from './plain-answer.ts';

/** The period that `shareOf` looks at. */
const LATELY_MS = 2000;
/** Of fewer calls a share says nothing: none of two is no sign that a channel is left alone. */
const ENOUGH_CALLS = 20;

/** An OpenAI upstream that answers each stream, or hangs. */
export interface HangingUpstream {
  readonly url: string;
  /** The model and time of each call. */
  readonly calls: { readonly model: string; readonly atMs: number }[];
  /** Models that hang; `*` for all of them. */
  readonly hangs: Set<string>;
  close(): void;
}

/** @param answersAfterMs answer calls that were received before the hang began after this time; later ones hang */
export const startHangingUpstream = async (answersAfterMs = 0): Promise<HangingUpstream> => {
  const calls: HangingUpstream['calls'] = [];
  const hangs = new Set<string>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => {
      const model = /"model":"([^"]+)"/.exec(text)?.[1] ?? '';
      calls.push({ model, atMs: performance.now() });
      if (hangs.has('*') || hangs.has(model)) return;
      const answer = (): void => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(PLAIN_STREAM);
      };
      if (answersAfterMs === 0) answer();
      else setTimeout(answer, answersAfterMs);
    });
  });
  const url = await listening(server);
  return {
    url,
    calls,
    hangs,
    close(): void {
      hangUp(server);
    },
  };
};

/** A call that reached an upstream. */
interface Reached {
  readonly atMs: number;
}

/** The share of recent calls that these are; NaN, which no expectation accepts, where too few were made lately to say it. */
export const recentShare = (these: readonly Reached[], all: readonly Reached[]): number => {
  const sinceMs = performance.now() - LATELY_MS;
  const recent = (calls: readonly Reached[]): number => calls.filter(({ atMs }) => atMs >= sinceMs).length;
  const sum = recent(all);
  return sum < ENOUGH_CALLS ? NaN : recent(these) / sum;
};

/** The share of recent calls, of a model where one is named, that reached this upstream; NaN where they are too few. */
export const shareOf = (one: HangingUpstream, all: readonly HangingUpstream[], model?: string): number => {
  const counted = ({ calls }: HangingUpstream) =>
    calls.filter((call) => model === undefined || call.model === model);
  return recentShare(counted(one), all.flatMap(counted));
};
