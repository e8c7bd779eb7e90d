import type { Wire } from '../dialect.ts';
import { readUpstreamError } from '../openai/error.ts';
import { writeError } from '../openai/write-error.ts';
import { responsesFacts } from './facts.ts';
import { tapFrame, tapWhole } from './tap.ts';
import { writeStreamError } from './write-stream.ts';

/** `POST /v1/responses`, as far as its bytes are only repeated. Usage comes unasked with the last event. */
export const openaiResponsesWire: Wire & { readonly name: 'openai-responses' } = {
  name: 'openai-responses',
  facts: responsesFacts,
  askForUsage: (body) => body,
  tap: tapFrame,
  tapWhole,
  readError: readUpstreamError,
  writeError,
  writeStreamError,
};
