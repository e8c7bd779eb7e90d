import type { Dialect } from '../dialect.ts';
import { responsesNames } from '../name-rules.ts';
import { openReader, readWhole } from './read-reply.ts';
import { readRequest } from './read-request.ts';
import { openaiResponsesWire } from './wire.ts';
import { writeRequest } from './write-request.ts';
import { openWriter, writeWhole } from './write-stream.ts';

/** The OpenAI Responses format, spoken from both sides. */
export const openaiResponses: Dialect = {
  names: responsesNames,
  ...openaiResponsesWire,
  readRequest,
  writeRequest,
  readWhole,
  writeWhole,
  openReader,
  openWriter,
  hasNoStops: true,
};
