import type { Dialect, Wire } from '../dialect.ts';
import { chatNames } from '../name-rules.ts';
import { readRequest } from './request/read-request.ts';
import { openReader, readWhole } from './reply/read-reply.ts';
import { writeRequest } from './request/write-request.ts';
import { openWriter } from './reply/write-stream.ts';
import { writeWhole } from './reply/write-whole.ts';
import { askForUsage } from '../openai/usage/ask-for-usage.ts';
import { readUpstreamError } from '../openai/error.ts';
import { limitChat } from '../openai/limit-output.ts';
import { tapOf, tapParsed } from '../openai/tap.ts';
import { writeError, writeStreamError } from '../openai/write-error.ts';
import { writeFrame } from '../sse.ts';
import { cutChat } from '../ends/cut-words.ts';
import { endAtLimit } from '../ends/end-at-limit.ts';
import { chatFacts, toolsOf } from './facts.ts';

/** `POST /v1/chat/completions` for bytes that are only repeated. */
export const openaiChatWire: Wire & { readonly name: 'openai-chat' } = {
  name: 'openai-chat',
  facts: chatFacts,
  toolsOf,
  askForUsage,
  limitOutput: limitChat,
  cutWords: cutChat,
  tap: tapOf('delta'),
  tapWhole: (body) => tapParsed(body, 'message'),
  readError: readUpstreamError,
  writeError,
  writeStreamError,
  endMark: writeFrame('[DONE]').raw,
};

/** The OpenAI chat format, for callers and upstreams. */
export const openaiChat: Dialect = {
  names: chatNames,
  mostStops: () => 4,
  ...openaiChatWire,
  readRequest,
  writeRequest,
  readWhole,
  writeWhole,
  openReader,
  openWriter,
  endAtLimit: (cut) => endAtLimit(cut, openReader(), openWriter(), { opensWithText: true }),
};
