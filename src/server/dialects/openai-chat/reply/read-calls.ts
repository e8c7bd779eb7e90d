import type { ChatEvent } from '#core/chat/event.ts';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '#core/json/fields.ts';
import { readArguments } from '../../call-arguments.ts';
import { FREE_TEXT_BEGINS, FREE_TEXT_ENDS, writeFreeText } from '../../openai/tools/free-text.ts';
import { isCustom, readCallSignature } from '../parts/read-parts.ts';
import { readSealed } from '../parts/signature.ts';

type Start = Extract<ChatEvent, { type: 'tool-call-start' }>;

/** A tool call of the answer, by the upstream's index. */
interface Call {
  readonly wireIndex: number;
  readonly id: string;
  /** Its beginning, while only a later piece may name it. */
  nameless: Start | undefined;
}

/** Reads the tool calls of one answer, whole or in pieces. Stores only what separates a new call from the last one. */
export class CallsReader {
  readonly #choice: number;
  readonly #nameCall: (choice: number, index: number) => string;
  readonly #calls: Call[] = [];
  /** Open calls of free-text tools, which are written as JSON with one text field. */
  readonly #freeTexts = new Set<number>();

  /** @param nameCall makes an id for a call without one, unique in the response */
  constructor(choice: number, nameCall: (choice: number, index: number) => string) {
    this.#choice = choice;
    this.#nameCall = nameCall;
  }

  get count(): number {
    return this.#calls.length;
  }

  read(piece: Fields): ChatEvent[] {
    const calls = listOf(piece['tool_calls']).filter(isFields);
    // The legacy format before `tools`: one call, without an id.
    if (calls.length === 0 && isFields(piece['function_call']))
      return this.#readCall({ index: 0, function: piece['function_call'] }, 0, this.#calls.length);
    const { length } = this.#calls;
    return calls.flatMap((call, position) => this.#readCall(call, position, length));
  }

  /** What remains at the end of the answer. */
  end(): ChatEvent[] {
    const events: ChatEvent[] = this.#calls.flatMap((call) => named(call));
    for (const index of this.#freeTexts) events.push(this.#delta(index, FREE_TEXT_ENDS));
    this.#freeTexts.clear();
    return events;
  }

  /** `known`: the calls before this piece. Two named entries of a piece are two calls. */
  #readCall(call: Fields, position: number, known: number): ChatEvent[] {
    const isFreeText = isCustom(call);
    const called = fieldsOf(isFreeText ? call['custom'] : call['function']);
    const id = textOf(call['id']);
    const name = textOf(called['name']);
    const wireIndex =
      typeof call['index'] === 'number' ? call['index'] : this.#indexOf(id ?? name, id, position);
    const current = this.#calls.findLastIndex((one) => one.wireIndex === wireIndex);
    const given = isFreeText ? '' : readArguments(called['arguments']);
    // Some upstreams send every field, even without any call.
    const isNothing = id === undefined && name === undefined && !isFreeText;
    if (current === -1 && isNothing && given === '') return [];
    // Some upstreams give every call the index 0: a new id with a name is a new call.
    const isNamed = id !== undefined && name !== undefined;
    const isNew = current === -1 || (isNamed && (current >= known || this.#calls[current]?.id !== id));
    const index = isNew ? this.#calls.length : current;
    if (isNew) this.#begin(call, { wireIndex, id, name: name ?? '', isFreeText });
    const argumentsText = isFreeText ? this.#readFreeText(index, called['input']) : given;
    const begun = this.#calls[index];
    // Some upstreams name a call in its second piece, before its arguments.
    const mayBeNamed = isNew && name === undefined && typeof call['index'] === 'number';
    if (begun === undefined || (mayBeNamed && argumentsText === '')) return [];
    const events = named(begun, name);
    if (argumentsText !== '') events.push(this.#delta(index, argumentsText));
    return events;
  }

  #begin(
    call: Fields,
    {
      wireIndex,
      id,
      name,
      isFreeText,
    }: Pick<Call, 'wireIndex'> & {
      readonly id: string | undefined;
      readonly name: string;
      readonly isFreeText: boolean;
    },
  ): void {
    const index = this.#calls.length;
    const start: Start = {
      type: 'tool-call-start',
      choice: this.#choice,
      index,
      id: id ?? this.#nameCall(this.#choice, index),
      name,
      ...readSealed(readCallSignature(call)),
      ...(isFreeText && { isFreeText }),
    };
    this.#calls.push({ wireIndex, id: id ?? '', nameless: start });
  }

  #delta(index: number, argumentsText: string): ChatEvent {
    return { type: 'tool-call-delta', choice: this.#choice, index, argumentsText };
  }

  /** Writes a chunk of free text as a chunk of `{"input":"…"}`. */
  #readFreeText(index: number, value: unknown): string {
    const begins = this.#freeTexts.has(index) ? '' : FREE_TEXT_BEGINS;
    this.#freeTexts.add(index);
    return begins + (typeof value === 'string' ? writeFreeText(value) : '');
  }

  /** The position of a call without one. A piece without a name belongs to the last call. */
  #indexOf(named: string | undefined, id: string | undefined, position: number): number {
    if (named === undefined) return this.#calls.at(-1)?.wireIndex ?? position;
    const known = id === undefined ? undefined : this.#calls.find((call) => call.id === id);
    return known?.wireIndex ?? this.#calls.length;
  }
}

/** The beginning of a call that was not reported yet. */
const named = (call: Call, name = ''): ChatEvent[] => {
  const start = call.nameless;
  call.nameless = undefined;
  return start === undefined ? [] : [start.name === '' ? { ...start, name } : start];
};
