import { asJson, asList, type Json } from '../wire.ts';
import { firstOf, isText, objectsIn, type Rule, shown } from './rule.ts';

/** The formats whose makers sign reasoning. */
type Sealing = 'anthropic-messages' | 'gemini' | 'openai-responses';

const BEGINS = 'sealed by the simulator of ';

/** A signature of the simulated maker of a format: bytes in base64, as for all makers. */
export const sealOf = (format: Sealing, about: string): string =>
  Buffer.from(`${BEGINS}${format}: ${about}`).toString('base64');

/** Whether the simulated maker of this format made a signature. */
const isOwn = (format: Sealing, seal: unknown): boolean =>
  isText(seal) && Buffer.from(seal, 'base64').toString().startsWith(`${BEGINS}${format}: `);

/** Placeholders for a signature, for turns of other models (ai.google.dev, thought signatures, FAQ). */
const NO_SIGNATURES: ReadonlySet<unknown> = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
]);

const wrongBlock = (block: Json, where: string): string | undefined => {
  const { type, signature, data } = block;
  if (type === 'thinking' && !isOwn('anthropic-messages', signature))
    return `${where}: Invalid \`signature\` in \`thinking\` block`;
  return type === 'redacted_thinking' && !isOwn('anthropic-messages', data)
    ? `${where}: Invalid \`data\` in \`redacted_thinking\` block`
    : undefined;
};

const wrongPart = (part: Json): string | undefined => {
  const seal = part['thoughtSignature'] ?? part['thought_signature'];
  return seal === undefined || NO_SIGNATURES.has(seal) || isOwn('gemini', seal)
    ? undefined
    : 'Thought signature is not valid.';
};

const wrongItem = (item: Json): string | undefined => {
  const { type, encrypted_content: seal } = item;
  return type !== 'reasoning' || seal === undefined || seal === null || isOwn('openai-responses', seal)
    ? undefined
    : `The encrypted content for item ${shown(item['id'])} could not be verified.`;
};

/** A maker accepts only its own signatures. Only for requests to the simulator, which knows its own. */
export const sealRules: Readonly<Record<string, Rule>> = {
  'anthropic-messages': {
    source: 'claude-code#10627, anthropic-sdk-python#1598: "Invalid `signature` in `thinking` block"',
    broken: (body) =>
      firstOf(objectsIn(body['messages']), ({ content }, at) =>
        firstOf(objectsIn(content), (block, of) => wrongBlock(block, `messages.${at}.content.${of}`)),
      ),
  },
  gemini: {
    source: 'ai.google.dev/gemini-api/docs/thought-signatures',
    broken: (body) =>
      firstOf(objectsIn(body['contents']), ({ parts }) => firstOf(objectsIn(parts), wrongPart)),
  },
  'openai-responses': {
    source: 'codex#8145: "The encrypted content … could not be verified."',
    broken: (body) => firstOf(asList(body['input']).map(asJson), wrongItem),
  },
};
