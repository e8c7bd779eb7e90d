import type { Wire } from '../dialect.ts';
import { askForUsage } from '../openai/ask-for-usage.ts';
import { readUpstreamError } from '../openai/error.ts';
import { tapOf, tapParsed } from '../openai/tap.ts';
import { writeError, writeStreamError } from '../openai/write-error.ts';
import { writeFrame } from '../sse.ts';
import { chatFacts } from './facts.ts';

/** `POST /v1/chat/completions`, as far as its bytes are only repeated. */
export const openaiChatWire: Wire & { readonly name: 'openai-chat' } = {
  name: 'openai-chat',
  facts: chatFacts,
  askForUsage,
  tap: tapOf('delta'),
  tapWhole: (body) => tapParsed(body, 'message'),
  readError: readUpstreamError,
  writeError,
  writeStreamError,
  endMark: writeFrame('[DONE]').raw,
};
