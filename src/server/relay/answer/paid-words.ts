import type { ChatEvent } from '#core/chat/event.ts';
import { completionTokens, type Usage } from '#core/chat/usage.ts';
import { fieldsOf, listOf, parsedFields } from '#core/json/fields.ts';
import { affordedTokens, usageWithin } from '#core/quota/afford.ts';
import { paidAnswers } from '../bill/price/price-of-call.ts';
import { affordOf } from '../bill/hold/afford-of-call.ts';
import { limitsIfLarge } from '../bill/limits-of-call.ts';
import { chargeOf } from '../bill/meter.ts';
import { unitsOf } from '../bill/settle.ts';
import { callerDialect } from '../request/format.ts';
import type { Answered } from '../stages.ts';

// A whole answer that is longer than its payer could pay: as much of its words as is paid goes out.

/** The part of a text that has at most so many bytes, without half a character at its end. */
export const beginningOf = (text: string, bytes: number): string => {
  const all = Buffer.from(text);
  if (all.length <= bytes) return text;
  let end = Math.max(0, bytes);
  while (end > 0 && ((all[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return all.toString('utf8', 0, end);
};

/** What is paid of an answer. */
interface Paid {
  readonly bytes: number;
  readonly usage: Usage;
}

/**
 * How much of a charged answer is paid; undefined if all of it. An answer that is no longer than what was held for it is:
 * what its prompt cost beyond the estimate is not taken from its words.
 */
const paidOf = (answered: Answered): Paid | undefined => {
  const { live, request, price, heldUnits } = answered;
  const { meter, chargedUnits } = live;
  const { price: dearest, size, style } = affordOf(answered, price);
  const charge = chargeOf(meter, request.facts, limitsIfLarge(answered));
  if (style !== 'whole' || charge.action === 'void') return undefined;
  const cost = (usage: Usage): number => unitsOf(answered, usage);
  const usage = usageWithin(cost, charge.usage, chargedUnits);
  const asHeld = affordedTokens(dearest, { ...size, leastInputTokens: 0 }, heldUnits) * size.choices;
  const share = Math.max(completionTokens(usage), asHeld) / Math.max(1, completionTokens(charge.usage));
  return share >= 1 ? undefined : { bytes: Math.floor(meter.outputBytes * share), usage };
};

/** The answer as it goes out: its beginning if not all of it is paid, as if it had reached its maximum length. */
export const paidWhole = (answered: Answered, bytes: Buffer): Buffer => {
  const { wire, translations, live } = answered;
  if (live.lostUnits === 0) return bytes;
  const paid = paidOf(answered);
  if (paid === undefined) return withPaidPieces(answered, bytes);
  const body = parsedFields(bytes);
  if (body === undefined) return bytes;
  if (!('readWhole' in wire)) return Buffer.from(JSON.stringify(withPaidChoices(body, paid)));
  const events = paidEvents(callerDialect(wire).readWhole(body), paid);
  return Buffer.from(JSON.stringify(callerDialect(wire).writeWhole(events, translations.chatRequest)));
};

/** The words and thoughts that are paid. A call, a picture or sound is of no use in part, and withheld whole. */
const paidEvents = (events: readonly ChatEvent[], { bytes, usage }: Paid): readonly ChatEvent[] => {
  let left = bytes;
  const cut = (text: string): string => {
    const kept = beginningOf(text, left);
    left = kept === text ? left - Buffer.byteLength(kept) : 0;
    return kept;
  };
  return events.flatMap((event): readonly ChatEvent[] => {
    switch (event.type) {
      case 'start':
        return [event];
      case 'text-delta': {
        const { logprobs: _, extras: __, ...plain } = event;
        const text = cut(event.text);
        return text === '' ? [] : [{ ...plain, text }];
      }
      case 'refusal-delta':
      case 'reasoning-delta': {
        const text = cut(event.text);
        return text === '' ? [] : [{ type: event.type, choice: event.choice, text }];
      }
      case 'reasoning-end':
        return left > 0 ? [event] : [];
      case 'finish':
        return [{ type: 'finish', choice: event.choice, reason: 'length' }];
      case 'usage':
        return [{ ...event, usage }];
      default:
        return [];
    }
  });
};

/** The same in the format before chats. */
const withPaidChoices = (body: object, { bytes }: Paid): object => {
  let left = bytes;
  const choices = listOf(fieldsOf(body)['choices']).map((choice) => {
    const { text, ...rest } = fieldsOf(choice);
    const kept = typeof text === 'string' ? beginningOf(text, left) : '';
    left -= Buffer.byteLength(kept);
    return { ...rest, text: kept, logprobs: null, finish_reason: 'length' };
  });
  return { ...body, choices };
};

/**
 * Pictures, and answers with a price per call, of which the upstream made more than were asked for: those that were asked
 * for, and as many more as are paid.
 */
const withPaidPieces = ({ live, request, wire }: Answered, bytes: Buffer): Buffer => {
  const { chargedUnits, lostUnits, meter } = live;
  const asked = paidAnswers(request.facts);
  const made = wire.name === 'openai-images' ? meter.pictures : (meter.ended?.size ?? 0);
  const most = Math.max(asked, Math.floor((made * chargedUnits) / (chargedUnits + lostUnits)));
  const body = made > most ? parsedFields(bytes) : undefined;
  const list = ['data', 'choices', 'candidates'].find((name) => listOf(body?.[name]).length > most);
  if (body === undefined || list === undefined) return bytes;
  return Buffer.from(JSON.stringify({ ...body, [list]: listOf(body[list]).slice(0, most) }));
};
