import { createServer } from 'node:http';
import { addressOf, listening } from '../../src/server/outbound/testing/local-server.ts';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { answerIn, callFor, LAST_WORDS } from '../support/upstreams/scripted-upstream.ts';
import { type Death, formatOf, keyIn, refuse } from './dying-upstream.ts';

/** How a stream that has begun ends: the connection is cut within a frame, the stream just ends, or it reports an error. */
type Break = 'cut' | 'ended' | 'error';

/** The next answer to a call that offers tools. */
export interface Step {
  /** A tool call, a text before a tool call, or the final text. */
  readonly turn: 'tool' | 'preface' | 'last words';
  /** Breaks off in the middle; from then on calls with the same key fail. */
  readonly breaks?: Break;
  readonly death?: Death;
}

const OVERLOADED: Readonly<Record<DialectName, string>> = {
  'openai-chat': 'data: {"error":{"message":"overloaded","type":"server_error","code":"overloaded"}}\n\n',
  'openai-responses':
    'event: error\ndata: {"type":"error","sequence_number":99,"code":"server_error","message":"overloaded","param":null}\n\n',
  'anthropic-messages':
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
  gemini: 'data: {"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}\r\n\r\n',
};

/** The first half of the events, and with `cut` half a frame more. A tool's arguments are in the middle. */
const firstHalf = (events: string, breaks: Break): string => {
  const frames = events.split(/(?<=\n\r?\n)/);
  const whole = Math.floor(frames.length / 2);
  const next = frames[whole] ?? '';
  return frames.slice(0, whole).join('') + (breaks === 'cut' ? next.slice(0, next.length / 2) : '');
};

/**
 * An upstream at the paths of the makers that answers calls with tools by its steps, one after another, whichever key asks. Calls
 * without tools that it knows (titles, warm-ups) are answered beside them.
 */
export const startBreakingUpstream = async (steps: readonly Step[]) => {
  const dead = new Map<string, Death>();
  let done = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      const format = formatOf(path);
      const key = keyIn(request);
      const death = dead.get(key);
      if (format === undefined || death !== undefined) return void refuse(response, death);
      const text = Buffer.concat(parts).toString();
      const isStream = path.includes('stream') || /"stream":\s*true/.test(text);
      const call = callFor(text);
      const step = call === undefined ? undefined : steps[done];
      if (step !== undefined) done += 1;
      const words = step?.turn === 'preface' ? 'Let me look at the files of this folder first.' : LAST_WORDS;
      const turn = step?.turn === 'tool' && call !== undefined ? call : { text: words };
      const { events, whole } = answerIn(format, turn);
      if (step?.breaks === undefined || !isStream) {
        response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
        return void response.end(isStream ? events() : JSON.stringify(whole));
      }
      if (step.death !== undefined) dead.set(key, step.death);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const half = firstHalf(events(), step.breaks);
      if (step.breaks === 'cut') response.write(half, () => setTimeout(() => response.destroy(), 50));
      else response.end(step.breaks === 'error' ? half + OVERLOADED[format] : half);
    });
  });
  await listening(server);
  return {
    url: addressOf(server),
    /** The number of steps answered. */
    done: (): number => done,
    /** Revives all keys and starts the steps again. */
    revive(): void {
      dead.clear();
      done = 0;
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
