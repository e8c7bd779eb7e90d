import type { Dialect } from '../dialect.ts';
import { cutMessages } from '../ends/cut-words.ts';
import { endAtLimit } from '../ends/end-at-limit.ts';
import { messagesNames } from '../name-rules.ts';
import { writeFrame } from '../sse.ts';
import { readError, writeError, writeStreamError } from './error.ts';
import { messagesFacts } from './facts.ts';
import { openReader, readWhole } from './reply/read-reply.ts';
import { closeBlock, limitOutput } from './request/limit-output.ts';
import { readRequest } from './request/read-request.ts';
import { tap, tapWhole } from './tap.ts';
import { openWriter, writeWhole } from './reply/write-reply.ts';
import { writeRequest } from './request/write-request.ts';

/** The Anthropic Messages format, for callers and upstreams. */
export const anthropicMessages: Dialect = {
  refusesBlankStops: true,
  names: messagesNames,
  name: 'anthropic-messages',
  facts: messagesFacts,
  // Its streams always end with usage.
  limitOutput,
  cutWords: cutMessages,
  tap,
  tapWhole,
  readError,
  writeError,
  writeStreamError,
  endMark: writeFrame('{"type":"message_stop"}', 'message_stop').raw,
  readRequest,
  writeRequest,
  readWhole,
  writeWhole,
  openReader,
  openWriter,
  endAtLimit: (cut) => [...closeBlock(cut), ...endAtLimit(cut, openReader(), openWriter())],
};
