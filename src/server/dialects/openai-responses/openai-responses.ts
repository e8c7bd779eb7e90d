import type { Dialect, Wire } from '../dialect.ts';
import { responsesNames } from '../name-rules.ts';
import { cutResponses } from '../ends/cut-words.ts';
import { openReader, readWhole } from './reply/read-reply.ts';
import { readRequest } from './request/read-request.ts';
import { ShownItems } from './reply/shown-items.ts';
import { writeRequest } from './request/write-request.ts';
import { endAtLimit, openWriter, writeWhole, writeStreamError } from './reply/write-stream.ts';
import { readUpstreamError } from '../openai/error.ts';
import { limitNumbers } from '../openai/limit-output.ts';
import { writeError } from '../openai/write-error.ts';
import { responsesFacts } from './facts.ts';
import { tapFrame, tapWhole } from './tap.ts';

/** `POST /v1/responses` for bytes that are only repeated. The last event always reports usage. */
export const openaiResponsesWire: Wire & { readonly name: 'openai-responses' } = {
  name: 'openai-responses',
  facts: responsesFacts,
  limitOutput: (body, tokens, ifUnsaid) =>
    limitNumbers(body, tokens, ifUnsaid === 'set' ? ['max_output_tokens'] : []),
  cutWords: cutResponses,
  tap: tapFrame,
  tapWhole,
  readError: readUpstreamError,
  writeError,
  writeStreamError,
};

/** The OpenAI Responses format, for callers and upstreams. */
export const openaiResponses: Dialect = {
  names: responsesNames,
  ...openaiResponsesWire,
  readRequest,
  writeRequest,
  readWhole,
  writeWhole,
  openReader,
  openWriter,
  endAtLimit,
  openShown: () => new ShownItems(),
  hasNoStops: true,
};
