import type { ChatEvent } from './event.ts';
import type { ChatRequest, ContentPart, Message, ToolChoice } from './request.ts';
import { shortHash } from './short-hash.ts';

/** The characters a name may contain, and its maximum length. */
export interface NameRule {
  /** Matches a complete valid name. */
  readonly fits: RegExp;
  /** Matches the characters that are not allowed. */
  readonly odd: RegExp;
}

/** An upstream format's rules for tool names and call ids. */
export interface NameRules {
  readonly tools: NameRule;
  readonly calls: NameRule;
}

const LONGEST = 64;
const HASH_LENGTH = 12;

/**
 * Makes a name valid. A changed name gets a hash of the original, so that no two become the same; the result is stable.
 */
const fittedName = (name: string, { fits, odd }: NameRule): string => {
  if (fits.test(name)) return name;
  const clean = name.replaceAll(odd, '_').slice(0, LONGEST - HASH_LENGTH - 1);
  const fitted = `${clean}_${shortHash(name).slice(0, HASH_LENGTH)}`;
  return fits.test(fitted) ? fitted : `_${fitted.slice(1)}`;
};

/** Marks an id that was escaped and can be decoded. */
const ESCAPED = /^odd_((?:[A-Za-z0-9-]|_[0-9a-f]{2})+)$/;

/**
 * Makes a call id valid. Invalid characters are escaped, so that `originalCallId` can decode it; an id that is too long
 * becomes a hash.
 */
export const fittedCallId = (id: string, { fits }: NameRule): string => {
  if (fits.test(id) && !ESCAPED.test(id)) return id;
  const escaped = `odd_${[...Buffer.from(id)].map(escapedByte).join('')}`;
  return fits.test(escaped) ? escaped : `call_${shortHash(id)}`;
};

const escapedByte = (byte: number): string => {
  const letter = String.fromCharCode(byte);
  return /[A-Za-z0-9-]/.test(letter) ? letter : `_${byte.toString(16).padStart(2, '0')}`;
};

const originalCallId = (id: string): string => {
  const [, escaped] = ESCAPED.exec(id) ?? [];
  if (escaped === undefined) return id;
  const bytes = escaped.replaceAll(/_([0-9a-f]{2})|-|[A-Za-z0-9]/g, (part, hex?: string) =>
    String.fromCharCode(hex === undefined ? part.charCodeAt(0) : Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
};

/** Makes the names of tools, tool choice and calls valid; returns the same object if all are. */
export const withFittedNames = (request: ChatRequest, rules: NameRules): ChatRequest => {
  const toolName = (name: string): string => fittedName(name, rules.tools);
  const callId = (id: string): string => (id === '' ? id : fittedCallId(originalCallId(id), rules.calls));
  const { tools, toolChoice } = request;
  const messages = request.messages.map((message) => fittedMessage(message, toolName, callId));
  const isSame =
    messages.every((message, at) => message === request.messages[at]) &&
    (tools ?? []).every(({ name }) => toolName(name) === name);
  if (isSame) return request;
  return {
    ...request,
    messages,
    ...(tools !== undefined && { tools: tools.map((tool) => ({ ...tool, name: toolName(tool.name) })) }),
    ...(toolChoice !== undefined && { toolChoice: fittedChoice(toolChoice, toolName) }),
  };
};

const fittedChoice = (choice: ToolChoice, toolName: (name: string) => string): ToolChoice => {
  if (typeof choice === 'string') return choice;
  return 'name' in choice
    ? { name: toolName(choice.name) }
    : { ...choice, allowed: choice.allowed.map((name) => toolName(name)) };
};

const fittedMessage = (
  message: Message,
  toolName: (name: string) => string,
  callId: (id: string) => string,
): Message => {
  const fit = (part: ContentPart): ContentPart => {
    if (part.type === 'tool-call') {
      const [id, name] = [callId(part.id), toolName(part.name)];
      return id === part.id && name === part.name ? part : { ...part, id, name };
    }
    if (part.type !== 'tool-result') return part;
    const id = callId(part.callId);
    const name = part.name === undefined ? undefined : toolName(part.name);
    if (id === part.callId && name === part.name) return part;
    return { ...part, callId: id, ...(name !== undefined && { name }) };
  };
  const content = message.content.map(fit);
  return content.every((part, at) => part === message.content[at]) ? message : { ...message, content };
};

/**
 * Gives a call of the response the tool name the caller used, before `rules` changed it, and an id that is valid under
 * the caller's own rules.
 */
export const asCallerNames = (
  event: ChatEvent,
  asked: Pick<ChatRequest, 'tools'> | undefined,
  { rules, callers }: { readonly rules: NameRules; readonly callers: NameRules },
): ChatEvent => {
  if (event.type !== 'tool-call-start') return event;
  const names = (asked?.tools ?? []).map(({ name }) => name);
  const isKnown = names.includes(event.name);
  const name = isKnown ? event.name : names.find((own) => fittedName(own, rules.tools) === event.name);
  const id = event.id === '' ? event.id : fittedCallId(event.id, callers.calls);
  return { ...event, id, name: name ?? event.name };
};
