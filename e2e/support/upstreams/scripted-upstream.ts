import type { DialectName } from '../../../src/server/core/chat/request.ts';
import { type FormatCall, startFormatUpstream } from './format-upstream.ts';
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

/** The text of the scripted model after the tool result. */
export const LAST_WORDS = 'The tool has answered, and all is well.';

/** Its answer to requests for a JSON object with a place and its temperature. */
export const OBJECT = { place: 'Paris', degrees: 21 };

/** How a tool result is recognised in the four formats. */
const RESULT = /"tool_call_id"|"function_call_output"|"tool_result"|"functionResponse"/;

/** The tools it knows, with the arguments of its calls. */
const KNOWN_TOOLS: readonly (readonly [RegExp, Readonly<Record<string, unknown>>])[] = [
  [/^get_weather$/, { city: 'Paris' }],
  [/^Bash$/, { command: 'ls', description: 'List files' }],
  [/^bash$/, { command: 'ls', description: 'List files' }],
  [/^exec_command$/, { cmd: 'ls' }],
  [/^shell_command$/, { command: 'ls' }],
  [/^shell$/, { command: ['bash', '-lc', 'ls'] }],
  [/^list_directory$/, { dir_path: '.' }],
];

export type Asked = Pick<FormatCall, 'format' | 'text'>;

/** An upstream of all four formats: calls the first offered tool that it knows, and answers with a text after its result. */
export const startScriptedUpstream = async () => {
  const asked: Asked[] = [];
  const upstream = await startFormatUpstream(({ format, stream, text }) => {
    asked.push({ format, text });
    const { events, whole } = answerIn(format, turnFor(text));
    return stream ? events() : whole;
  });
  /** `asked`: the requests received, in order. */
  return { ...upstream, asked };
};

/** One step as an answer in a format. */
export const answerIn = (format: DialectName, turn: Turn): Answer => writers[format](turn);

/**
 * A call of the first tool a request offers that is known; undefined if there is none.
 *
 * @public The tests of client programs use it, which the search for unused exports does not read.
 */
export const callFor = (text: string): Turn | undefined => {
  const offered = [...text.matchAll(/"name":\s*"([\w-]+)"/g)].map(([, name = '']) => name);
  for (const name of offered) {
    const known = KNOWN_TOOLS.find(([shape]) => shape.test(name));
    if (known !== undefined) return { call: { name, arguments: known[1] } };
  }
  return undefined;
};

const turnFor = (text: string): Turn => {
  if (RESULT.test(text)) return { text: LAST_WORDS };
  return callFor(text) ?? { text: /"degrees"/.test(text) ? JSON.stringify(OBJECT) : LAST_WORDS };
};
