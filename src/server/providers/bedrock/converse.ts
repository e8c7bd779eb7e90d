import type { Egress } from '../../dialects/dialect.ts';
import { readErrorInside, readUpstreamError } from '../../dialects/openai/error.ts';
import { fieldsOf, parsedFields, textOf } from '#core/json/fields.ts';
import { tappedEvents, tappedWhole } from '../shared/reply/tapped-events.ts';
import { ConverseReader, readConverse } from './converse-reply.ts';
import { writeConverse } from './converse-request.ts';

/**
 * Bedrock's own chat format (docs.aws.amazon.com/bedrock, Converse and ConverseStream). In a stream the stop reason comes
 * before the usage, and there is no other end mark.
 */
export const converse: Egress = {
  name: 'bedrock-converse',
  writeRequest: writeConverse,
  tap: (frame) => {
    const event = parsedFields(frame.data);
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
        const event = parsedFields(frame.data);
        return event === undefined ? [] : reader.read(frame.event, event);
      },
      end: () => [],
    };
  },
};
