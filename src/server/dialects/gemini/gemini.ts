import type { Dialect } from '../dialect.ts';
import { cutGemini } from '../ends/cut-words.ts';
import { endAtLimit } from '../ends/end-at-limit.ts';
import { geminiNames } from '../name-rules.ts';
import { readError, writeError, writeStreamError } from './error.ts';
import { facts } from './facts.ts';
import { limitOutput } from './request/limit-output.ts';
import { readRequest } from './request/read-request.ts';
import { openReader, readWhole } from './reply/read-reply.ts';
import { tap, tapWhole } from './tap.ts';
import { writeRequest } from './request/write-request.ts';
import { openWriter, writeWhole } from './reply/write-reply.ts';

/**
 * Google's generateContent, for callers and upstreams. The path has the model and whether to stream: the caller's route
 * puts them into the body as `model` and `stream`, and requests to upstreams leave them out.
 */
export const gemini: Dialect = {
  names: geminiNames,
  mostStops: () => 5,
  name: 'gemini',
  facts,
  limitOutput,
  cutWords: cutGemini,
  tap,
  tapWhole,
  readError,
  writeError,
  writeStreamError,
  readRequest,
  writeRequest,
  readWhole,
  writeWhole,
  openReader,
  openWriter,
  endAtLimit: (cut) => endAtLimit(cut, openReader(), openWriter()),
};
