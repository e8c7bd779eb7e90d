import type { Script } from '../script.ts';
import { pause, sendJson, startStream, write, type Call } from '../wire.ts';
import {
  doneOf,
  answerWell,
  events,
  textEvent,
  streamText,
  usageEvent,
  whole,
  wholeText,
} from './good-parts.ts';

const MEBIBYTE = 1024 * 1024;

/** Upstreams that send too much, too little at a time, or too slowly. */
export const sizes: Readonly<Record<string, Script>> = {
  'one-byte-chunks': {
    description: 'every byte of a good answer in a packet of its own',
    outcome: 'answer',
    run: (call) => byteByByte(call, 0),
  },
  'slow-bytes': {
    description: 'a byte every N milliseconds (fault-slow-bytes-N, default 50)',
    outcome: 'answer',
    run: (call, ms = 50) => byteByByte(call, ms),
  },
  'endless-stream': {
    description: 'good events without end',
    outcome: 'endless',
    streamOnly: true,
    run: async (call) => {
      startStream(call.response);
      const piece = textEvent(call, ' and so on').repeat(100);
      while (!call.response.destroyed) await write(call.response, piece);
    },
  },
  'endless-event': {
    description: 'one event without end: no line ever ends',
    outcome: 'endless',
    streamOnly: true,
    run: async (call) => {
      startStream(call.response);
      call.response.write('data: {"choices":[{"index":0,"delta":{"content":"');
      const piece = 'a'.repeat(64 * 1024);
      while (!call.response.destroyed) await write(call.response, piece);
    },
  },
  'endless-body': {
    description: 'a whole answer without end',
    outcome: 'refused',
    wholeOnly: true,
    run: async ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"choices":[{"message":{"content":"');
      const piece = 'a'.repeat(64 * 1024);
      while (!response.destroyed) await write(response, piece);
    },
  },
  'big-event': {
    description: 'one event of N MiB (fault-big-event-N, default 8), then usage and the end',
    outcome: 'answer',
    run: async (call, mebibytes = 8) => {
      const content = 'b'.repeat(mebibytes * MEBIBYTE);
      if (!call.stream) return sendJson(call.response, 200, wholeText(call, content));
      startStream(call.response);
      const all = events(call);
      await write(call.response, (all[0] ?? '') + textEvent(call, content));
      call.response.end((all.at(-1) ?? '') + usageEvent(call) + doneOf(call));
    },
  },
  'big-headers': {
    description: 'a response header of 100 KB',
    outcome: 'refused',
    run: (call) => answerWell(call, { 'x-large': 'h'.repeat(100_000) }),
  },
  'many-comments': {
    description: 'ten thousand comments between the events',
    outcome: 'answer',
    streamOnly: true,
    run: async (call) => {
      startStream(call.response);
      for (const text of events(call)) await write(call.response, ': ping\n\n'.repeat(1000) + text);
      call.response.end(usageEvent(call) + doneOf(call));
    },
  },
};

const byteByByte = async (call: Call, ms: number): Promise<void> => {
  const { response } = call;
  const body = Buffer.from(call.stream ? streamText(call) : JSON.stringify(whole(call)));
  if (call.stream) startStream(response);
  else response.writeHead(200, { 'content-type': 'application/json' });
  for (let at = 0; at < body.length && !response.destroyed; at += 1) {
    await write(response, body.subarray(at, at + 1));
    if (ms > 0) await pause(response, ms);
    // A turn of the loop between two writes keeps them in packets of their own.
    else if (at % 8 === 0) await new Promise(setImmediate);
  }
  response.end();
};
