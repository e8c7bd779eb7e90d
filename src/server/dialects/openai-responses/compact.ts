import type { Tapped, Wire } from '../dialect.ts';
import { responsesFacts } from './facts.ts';
import { tapWhole } from './tap.ts';
import { writeStreamError } from './reply/write-stream.ts';
import { wholeWire } from '../openai/whole-wire.ts';

/**
 * `POST /v1/responses/compact`: compacts a conversation into a form that only its upstream can read. It is never converted
 * and never streamed.
 */
export const responsesCompact: Wire & { readonly name: 'openai-responses-compact' } = {
  name: 'openai-responses-compact',
  ...wholeWire,
  facts: (body) => ({ ...responsesFacts(body), stream: false }),
  tapWhole: (body): Tapped => tapWhole(body),
  writeStreamError,
};
