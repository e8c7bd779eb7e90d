import type { Egress } from '../../dialects/dialect.ts';
import type { Frame } from '../../dialects/frame.ts';
import { readErrorInside, readUpstreamError } from '../../dialects/openai/error.ts';
import { fieldsOf, isFields, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { tappedEvents, tappedWhole } from '../tapped-events.ts';
import { ConverseReader, readConverse } from './converse-reply.ts';
import { writeConverse } from './converse-request.ts';

const parse = (frame: Frame): Fields | undefined => {
  if (frame.data.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(frame.data.toString());
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Bedrock's own chat (docs.aws.amazon.com/bedrock, Converse and ConverseStream). Its stream says why it ended before it
 * says what was used, and has no other end mark.
 */
export const converse: Egress = {
  name: 'bedrock-converse',
  writeRequest: writeConverse,
  askForUsage: (body) => body,
  tap: (frame) => {
    const event = parse(frame);
    return event === undefined ? undefined : tappedEvents(new ConverseReader().read(frame.event, event));
  },
  tapWhole: (body) => {
    const reply = fieldsOf(body);
    const isReply = reply['output'] !== undefined;
    return isReply || textOf(reply['message']) === undefined
      ? tappedWhole(tappedEvents(readConverse(reply)))
      : { error: readErrorInside(reply) };
  },
  readError: readUpstreamError,
  readWhole: readConverse,
  openReader: () => {
    const reader = new ConverseReader();
    return {
      read: (frame) => {
        const event = parse(frame);
        return event === undefined ? [] : reader.read(frame.event, event);
      },
      end: () => [],
    };
  },
};
