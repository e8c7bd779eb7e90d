import { gzipSync } from 'node:zlib';
import type { Script } from '../script.ts';
import type { Call } from '../wire.ts';
import { streamText, whole } from './good-parts.ts';

/** 4 MiB each; gzip continues from one member to the next. */
const BOMB_MEMBERS = 64;
const BOMB_MEMBER_BYTES = 4 * 1024 * 1024;
let bomb: Buffer | undefined;

const body = (call: Call): string => (call.stream ? streamText(call) : JSON.stringify(whole(call)));

const send = (call: Call, encoding: string, bytes: Buffer): void => {
  call.response.writeHead(200, {
    'content-type': call.stream ? 'text/event-stream' : 'application/json',
    'content-encoding': encoding,
  });
  call.response.end(bytes);
};

/** Upstreams that compress against the request, or redirect the gateway. */
export const encodings: Readonly<Record<string, Script>> = {
  gzip: {
    description: 'a good answer, compressed',
    outcome: 'answer',
    run: (call) => send(call, 'gzip', gzipSync(body(call))),
  },
  'gzip-broken': {
    description: 'a compressed answer that is cut off',
    outcome: 'refused',
    run: (call) => {
      const bytes = gzipSync(body(call));
      send(call, 'gzip', bytes.subarray(0, bytes.length / 2));
    },
  },
  'gzip-bomb': {
    description: '256 KB that unpack to 256 MB',
    outcome: 'broken-off',
    run: (call) => {
      if (bomb === undefined) {
        const member = gzipSync(Buffer.alloc(BOMB_MEMBER_BYTES, 'a'));
        bomb = Buffer.concat(Array.from({ length: BOMB_MEMBERS }, () => member));
      }
      send(call, 'gzip', bomb);
    },
  },
  'unknown-encoding': {
    description: 'a coding nobody knows',
    outcome: 'refused',
    run: (call) => send(call, 'rot13', Buffer.from(body(call))),
  },
  'redirect-loopback': {
    description: 'a redirect to the simulator itself, which counts who comes',
    outcome: 'refused',
    run: ({ request, response }) => {
      response.writeHead(307, { location: `http://${request.headers.host ?? 'localhost'}/__simulator/trap` });
      response.end();
    },
  },
};
