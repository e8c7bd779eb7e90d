/**
 * Has `ws` mask and unmask frames by words. Imported first of all, for its effect: `ws` looks at `node:http` for two functions
 * that only later versions of Node have, once, when it is loaded, and otherwise goes byte by byte (docs/decisions/0052).
 */
import http from 'node:http';
import { xorWithMask } from '#core/outbound/websocket-mask.ts';

/** Writes `source`, masked, to `output` from `offset` on; both may be the same. */
const websocketMask = (
  source: Uint8Array,
  mask: Uint8Array,
  output: Uint8Array,
  offset: number,
  length: number,
): void => {
  output.set(source.subarray(0, length), offset);
  xorWithMask(output.subarray(offset, offset + length), mask);
};

const websocketUnmask = (bytes: Uint8Array, mask: Uint8Array): void => xorWithMask(bytes, mask);

if (!('websocketUnmask' in http)) Object.assign(http, { websocketMask, websocketUnmask });
