import type { ChatEvent } from '#core/chat/event.ts';
import type { StreamWriter } from '../../dialect.ts';
import type { Frame } from '../../frame.ts';
import { fieldsOf, textOf, type Fields } from '#core/json/fields.ts';
import { writeFrame } from '../../sse.ts';
import { BlockWriter, type Payload } from './block-writer.ts';
import { parseArguments } from '../parts/write-parts.ts';

/** Events as a stream, ended by its mark. */
export const openWriter = (): StreamWriter => {
  const writer = new BlockWriter();
  return {
    write: (event) => writer.write(event).map(frameOf),
    end: () => writer.end().map(frameOf),
    noteText: () => undefined,
  };
};

const frameOf = (payload: Payload): Frame => writeFrame(JSON.stringify(payload), payload.type);

/** Combines events into one whole response. An error among them becomes the response. */
export const writeWhole = (events: readonly ChatEvent[]): unknown => {
  const writer = new BlockWriter();
  const payloads = [...events.flatMap((event) => writer.write(event)), ...writer.end()];
  const failed = payloads.find(({ type }) => type === 'error');
  if (failed !== undefined) return failed;
  const blocks: Record<string, unknown>[] = [];
  const inputs = new Map<number, string>();
  let message: Fields = {};
  for (const payload of payloads) {
    const index = Number(payload['index']);
    if (payload.type === 'message_start') message = fieldsOf(payload['message']);
    else if (payload.type === 'message_delta')
      message = { ...message, ...fieldsOf(payload['delta']), usage: payload['usage'] };
    else if (payload.type === 'content_block_start') blocks.push({ ...fieldsOf(payload['content_block']) });
    else if (payload.type === 'content_block_delta') {
      const delta = fieldsOf(payload['delta']);
      if (delta['type'] === 'input_json_delta')
        inputs.set(index, (inputs.get(index) ?? '') + (textOf(delta['partial_json']) ?? ''));
      else addTo(blocks[index], delta);
    }
  }
  for (const [index, text] of inputs) {
    const block = blocks[index];
    if (block !== undefined) block['input'] = parseArguments(text);
  }
  return { ...message, content: blocks };
};

const addTo = (block: Record<string, unknown> | undefined, delta: Fields): void => {
  if (block === undefined) return;
  if (delta['type'] === 'citations_delta') {
    const before = Array.isArray(block['citations']) ? (block['citations'] as unknown[]) : [];
    block['citations'] = [...before, delta['citation']];
    return;
  }
  for (const key of ['text', 'thinking', 'signature']) {
    if (typeof delta[key] === 'string') block[key] = (textOf(block[key]) ?? '') + delta[key];
  }
};
