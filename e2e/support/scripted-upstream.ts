import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import {
  type Answer,
  chatAnswer,
  geminiAnswer,
  messagesAnswer,
  responsesAnswer,
  type Turn,
} from './scripted-formats.ts';

const writers: Readonly<Record<DialectName, (turn: Turn) => Answer>> = {
  'openai-chat': chatAnswer,
  'openai-responses': responsesAnswer,
  'anthropic-messages': messagesAnswer,
  gemini: geminiAnswer,
};

/** What the scripted model says after its tool was run. */
export const LAST_WORDS = 'The tool has answered, and all is well.';

/** Marks of a tool's result in the four formats. */
const RESULT = /"tool_call_id"|"function_call_output"|"tool_result"|"functionResponse"/;

/** Tools it knows how to call, and with what. */
const KNOWN_TOOLS: readonly (readonly [RegExp, Readonly<Record<string, unknown>>])[] = [
  [/^get_weather$/, { city: 'Paris' }],
  [/^Bash$/, { command: 'ls', description: 'List files' }],
  [/^exec_command$/, { cmd: 'ls' }],
  [/^shell_command$/, { command: 'ls' }],
  [/^shell$/, { command: ['bash', '-lc', 'ls'] }],
  [/^list_directory$/, { dir_path: '.' }],
];

export interface Asked {
  readonly format: DialectName;
  readonly text: string;
}

/**
 * An upstream of all four formats, `/FORMAT` each, `/FORMAT/stream` for streams: it calls a tool it knows when it is
 * given one, and says its last words once the tool has answered.
 */
export const startScriptedUpstream = async () => {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      const [, format = '', stream] = (request.url ?? '').split('/');
      const text = Buffer.concat(parts).toString();
      const write = writers[format as DialectName];
      asked.push({ format: format as DialectName, text });
      const answer = write(turnFor(text));
      if (stream === 'stream') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(answer.events);
      } else {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer.whole));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    addressOf: (format: DialectName): string => `${url}/${format}`,
    /** What arrived, in order. */
    asked,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const turnFor = (text: string): Turn => {
  if (RESULT.test(text)) return { text: LAST_WORDS };
  const offered = [...text.matchAll(/"name":\s*"([\w-]+)"/g)].map(([, name = '']) => name);
  for (const name of offered) {
    const known = KNOWN_TOOLS.find(([shape]) => shape.test(name));
    if (known !== undefined) return { call: { name, arguments: known[1] } };
  }
  return { text: LAST_WORDS };
};
