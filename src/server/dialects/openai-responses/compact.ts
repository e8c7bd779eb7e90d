import type { Tapped, Wire } from '../dialect.ts';
import { readUpstreamError } from '../openai/error.ts';
import { writeError } from '../openai/write-error.ts';
import { responsesFacts } from './facts.ts';
import { tapWhole } from './tap.ts';
import { writeStreamError } from './write-stream.ts';

/**
 * `POST /v1/responses/compact`: compacts a conversation into a form that only its upstream can read. It is never converted
 * and never streamed.
 */
export const responsesCompact: Wire & { readonly name: 'openai-responses-compact' } = {
  name: 'openai-responses-compact',
  facts: (body) => ({ ...responsesFacts(body), stream: false }),
  askForUsage: (body) => body,
  tap: () => undefined,
  tapWhole: (body): Tapped => tapWhole(body),
  readError: readUpstreamError,
  writeError,
  writeStreamError,
};
