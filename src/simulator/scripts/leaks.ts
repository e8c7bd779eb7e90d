import type { Script } from '../script.ts';
import { event, sendError, sendJson, startStream } from '../wire.ts';
import { answerWell, events } from './good-parts.ts';

/** Upstreams that repeat our key and their own address. */
export const leaks: Readonly<Record<string, Script>> = {
  'echo-key-401': {
    description: 'an error that repeats the key it was sent',
    outcome: 'refused',
    run: ({ response, key }) =>
      sendError(response, 401, { message: `Incorrect API key provided: ${key}.`, code: 'invalid_api_key' }),
  },
  'echo-key-400': {
    description: 'an error about the request that repeats the key and the address',
    outcome: 'refused',
    run: ({ request, response, key }) =>
      sendError(response, 400, {
        message: `Bad call with ${key} (Authorization: Bearer ${key}) to http://${request.headers.host ?? ''}${request.url ?? ''}`,
        param: key,
        code: `bad_${key}`,
      }),
  },
  'echo-key-text': {
    description: 'a plain text error with the key in it',
    outcome: 'refused',
    run: ({ response, key }) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`panic: call failed for key=${key}`);
    },
  },
  'echo-key-in-200': {
    description: 'an error under status 200 that repeats the key',
    outcome: 'refused',
    run: ({ response, stream, key }) => {
      const error = { error: { message: `no balance for ${key}`, type: 'billing', code: key } };
      if (!stream) return sendJson(response, 200, error);
      startStream(response);
      response.end(event(error));
    },
  },
  'echo-key-late': {
    description: 'an error in the middle of a stream that repeats the key',
    outcome: 'broken-off',
    streamOnly: true,
    run: (call) => {
      startStream(call.response);
      call.response.end(
        events(call).slice(0, 4).join('') +
          event({ error: { message: `cut off: ${call.key}`, code: call.key } }),
      );
    },
  },
  'echo-key-headers': {
    description: 'a good answer with the key in its headers and a cookie',
    outcome: 'answer',
    run: (call) =>
      answerWell(call, {
        'x-your-key': call.key,
        'set-cookie': `key=${call.key}`,
        'x-request-id': `req_${call.key}`,
      }),
  },
};
