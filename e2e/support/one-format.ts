import type { DialectName } from '../../src/server/core/chat/request.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import type { Upstream } from '../../src/server/relay/ports.ts';

/** The four chat formats. */
export const formats = Object.keys(chatDialects) as DialectName[];

/** A channel type of a rig whose upstream speaks this format and nothing else. */
export const typeOfFormat = (format: DialectName): number => formats.indexOf(format) + 1;

/**
 * The upstream of such a type. Its address is the channel's, with `/stream` at its end for streams: one of the formats
 * says that nowhere in the body.
 */
export const oneFormatUpstream = (type: number): Upstream | undefined => {
  const format = formats[type - 1];
  if (format === undefined) return undefined;
  return {
    dialect: chatDialects[format],
    operations: ['chat'],
    address: ({ baseUrl }, { stream }) => ({ url: baseUrl + (stream ? '/stream' : ''), headers: {} }),
  };
};
