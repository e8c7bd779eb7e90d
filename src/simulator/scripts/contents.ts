import type { Script } from '../script.ts';
import { DONE, event, sendJson, startStream, type Call } from '../wire.ts';
import { doneOf, events, hasOwnEnd, streamText, usageEvent, whole } from './good-parts.ts';

const ERROR = {
  error: {
    message: 'The server had an error while processing your request',
    type: 'server_error',
    param: null,
    code: null,
  },
};

const send = (call: Call, text: string, type = 'text/event-stream'): void => {
  call.response.writeHead(200, { 'content-type': type });
  call.response.end(text);
};

/** Upstreams whose answers contradict their status or are written in unusual ways. */
export const contents: Readonly<Record<string, Script>> = {
  'html-200': {
    description: 'a web page with status 200',
    outcome: 'refused',
    run: (call) =>
      send(call, '<!doctype html><title>Please sign in</title><h1>Sign in</h1>', 'text/html; charset=utf-8'),
  },
  'html-as-stream': {
    description: 'a web page that says it is an event stream',
    outcome: 'refused',
    run: (call) => send(call, '<!doctype html>\n<title>Please sign in</title>\n\n<h1>Sign in</h1>\n'),
  },
  'error-event-first': {
    description: 'status 200, then an error as the first event (or as the whole body)',
    outcome: 'refused',
    run: (call) => {
      if (!call.stream) return sendJson(call.response, 200, ERROR);
      send(call, event(ERROR));
    },
  },
  'error-after-role': {
    description: 'status 200, the opening event without content, then an error',
    outcome: 'refused',
    streamOnly: true,
    run: (call) => send(call, (events(call)[0] ?? '') + event(ERROR)),
  },
  'error-event-late': {
    description: 'an error in the middle of the answer',
    outcome: 'broken-off',
    streamOnly: true,
    run: (call) => send(call, events(call).slice(0, 5).join('') + event(ERROR)),
  },
  'named-error-event': {
    description: 'an error under an event name of its own',
    outcome: 'refused',
    streamOnly: true,
    run: (call) => send(call, `event: error\n${event({ message: 'overloaded', code: 529 })}`),
  },
  'empty-stream': {
    description: 'status 200 and an end, without an event (or a byte)',
    outcome: 'refused',
    run: (call) => send(call, ''),
  },
  'empty-object': {
    description: 'status 200 and an object without a field',
    outcome: 'refused',
    run: (call) => sendJson(call.response, 200, {}),
  },
  'empty-list': {
    description: 'status 200 and an empty list',
    outcome: 'refused',
    run: (call) => sendJson(call.response, 200, []),
  },
  'no-choices': {
    description: 'status 200 and an answer without a choice',
    outcome: 'refused',
    run: (call) => sendJson(call.response, 200, { id: 'c', object: 'chat.completion', choices: [] }),
  },
  'only-done': {
    description: 'nothing but the end mark',
    outcome: 'refused',
    streamOnly: true,
    run: (call) => send(call, doneOf(call)),
  },
  'only-comments': {
    description: 'nothing but comments, then the end',
    outcome: 'refused',
    streamOnly: true,
    run: (call) => send(call, ': ping\n\n: ping\n\n'),
  },
  'not-json': {
    description: 'events (or a body) that are not JSON',
    outcome: 'refused',
    run: (call) =>
      call.stream
        ? send(call, 'data: {"choices":[{"delta":\n\ndata: oops\n\n')
        : send(call, '{"choices":[', 'application/json'),
  },
  'json-for-stream': {
    description: 'a whole answer where a stream was asked for',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => sendJson(call.response, 200, whole(call)),
  },
  'stream-for-json': {
    description: 'a stream where a whole answer was asked for',
    outcome: 'answer',
    wholeOnly: true,
    run: (call) => send(call, streamText(call)),
  },
  'wrong-content-type': {
    description: 'a good answer labelled as plain text',
    outcome: 'answer',
    run: (call) => send(call, call.stream ? streamText(call) : JSON.stringify(whole(call)), 'text/plain'),
  },
  'no-content-type': {
    description: 'a good answer without a label',
    outcome: 'answer',
    run: (call) => {
      call.response.writeHead(200);
      call.response.end(call.stream ? streamText(call) : JSON.stringify(whole(call)));
    },
  },
  'no-done': {
    description: 'a good stream without [DONE]',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => send(call, events(call).join('') + usageEvent(call)),
  },
  'no-finish': {
    description: 'a stream that ends with [DONE] but never says why it stopped',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => send(call, events(call).slice(0, -1).join('') + usageEvent(call) + doneOf(call)),
  },
  crlf: {
    description: 'lines that end in CR LF',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => send(call, streamText(call).replaceAll('\n', '\r\n')),
  },
  'cr-only': {
    description: 'lines that end in CR alone',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => send(call, streamText(call).replaceAll('\n', '\r')),
  },
  bom: {
    description: 'a byte order mark before the first event',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => send(call, `\uFEFF${streamText(call)}`),
  },
  'no-space': {
    description: '`data:` without a space after it',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => send(call, streamText(call).replaceAll('data: ', 'data:')),
  },
  'multi-line-data': {
    description: 'each event over several data lines',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => send(call, streamText(call).replaceAll('"choices":', '\ndata: "choices":')),
  },
  'no-last-blank-line': {
    description: 'the stream ends in the middle of its last line end; usage is in that event',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => send(call, events(call).join('') + usageEvent(call).trimEnd()),
  },
  ping: {
    description: 'comments before and between the events',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => send(call, `: ping\n\n${events(call).join(': ping\n\n')}${usageEvent(call)}${DONE}`),
  },
  'after-done': {
    description: 'more events after the end mark',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => {
      startStream(call.response);
      call.response.end(streamText(call) + streamText(call));
    },
  },
  'garbage-after-done': {
    description: 'bytes that are no event after the end mark',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => {
      startStream(call.response);
      call.response.write(streamText(call));
      call.response.end(Buffer.from([0, 255, 254, 10, 10, 123, 34]));
    },
  },
  'cut-last-event': {
    description: 'the stream ends in the middle of the event that ends the answer',
    outcome: 'broken-off',
    streamOnly: true,
    run: (call) => {
      const all = events(call);
      const last = hasOwnEnd(call) ? usageEvent(call) : (all.pop() ?? '');
      send(call, all.join('') + last.slice(0, Math.floor(last.length * 0.6)));
    },
  },
};
