import type { Dialect } from '../dialect.ts';
import { chatNames } from '../name-rules.ts';
import { readRequest } from './read-request.ts';
import { openReader, readWhole } from './read-reply.ts';
import { openaiChatWire } from './wire.ts';
import { writeRequest } from './write-request.ts';
import { openWriter } from './write-stream.ts';
import { writeWhole } from './write-whole.ts';

/** The OpenAI chat format, spoken from both sides. */
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
};
