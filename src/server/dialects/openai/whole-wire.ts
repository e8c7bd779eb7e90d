import type { RequestFacts, Wire } from '../dialect.ts';
import { readUpstreamError } from './error.ts';
import { writeError, writeStreamError } from './write-error.ts';

/** Shared by formats like OpenAI's without event streams: the errors, and no frames to read. */
export const wholeWire = {
  tap: () => undefined,
  readError: readUpstreamError,
  writeError,
  writeStreamError,
} as const satisfies Partial<Wire>;

/** The facts of a request for one answer that is neither streamed nor paid for by its length. */
export const wholeFacts = {
  stream: false,
  maxOutputTokens: 0,
  choices: 1,
  wantsStreamUsage: false,
} as const satisfies Partial<RequestFacts>;
