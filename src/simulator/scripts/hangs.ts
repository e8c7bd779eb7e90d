import type { Script } from '../script.ts';
import { pause, startStream } from '../wire.ts';
import { doneOf, answerWell, events, whole } from './good-parts.ts';

/** Upstreams that stop sending. */
export const hangs: Readonly<Record<string, Script>> = {
  'hang-before-headers': {
    description: 'takes the request and never answers',
    outcome: 'refused',
    hangs: true,
    run: () => undefined,
  },
  'hang-after-headers': {
    description: 'sends status 200 and headers, then nothing',
    outcome: 'refused',
    hangs: true,
    run: ({ response }) => {
      startStream(response);
      response.flushHeaders();
    },
  },
  'hang-mid-event': {
    description: 'stops in the middle of an event, or of the JSON of a whole answer',
    outcome: 'broken-off',
    hangs: true,
    run: (call) => {
      startStream(call.response);
      const all = events(call);
      if (call.stream) call.response.write(all.slice(0, 4).join('') + (all[4] ?? '').slice(0, 40));
      else call.response.write(JSON.stringify(whole(call)).slice(0, 120));
    },
  },
  'hang-mid-stream': {
    description: 'sends half of its events, then nothing',
    outcome: 'broken-off',
    hangs: true,
    streamOnly: true,
    run: (call) => {
      startStream(call.response);
      call.response.write(events(call).slice(0, 5).join(''));
    },
  },
  'hang-at-end': {
    description: 'sends every event, usage and [DONE], and keeps the connection open',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => {
      startStream(call.response);
      call.response.write(`${events(call).join('')}${doneOf(call)}`);
    },
  },
  silent: {
    description: 'silent for N milliseconds (fault-silent-N, default 1000), then a good answer',
    outcome: 'answer',
    run: async (call, ms = 1000) => {
      await pause(call.response, ms);
      if (!call.response.destroyed) answerWell(call);
    },
  },
};
