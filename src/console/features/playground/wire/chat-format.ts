import { callerFormats } from '../../../lib/text/wire-formats.ts';

export type ChatFormat = keyof typeof callerFormats;

/** Source: specification, playground call. */
export const DEFAULT_FORMAT: ChatFormat = 'openai-chat';

export const isChatFormat = (name: string): name is ChatFormat => Object.hasOwn(callerFormats, name);
