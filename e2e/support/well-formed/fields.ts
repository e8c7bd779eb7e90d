import fc from 'fast-check';

export type Fields = Readonly<Record<string, unknown>>;

/** Some of the fields, mostly few. */
export const optionally = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Fields> =>
  fc
    .tuple(
      ...Object.entries(fields).map(([name, value]) =>
        fc.oneof(
          { weight: 3, arbitrary: fc.constant<Fields>({}) },
          { weight: 1, arbitrary: value.map((given): Fields => ({ [name]: given })) },
        ),
      ),
    )
    .map((given) => Object.assign({}, ...given) as Fields);

/** The choices that a format leaves open for the same conversation. */
export interface Manner {
  /** Where its instructions are. */
  readonly place: 'first' | 'amid' | 'last';
  /** The model speaks first. */
  readonly isGreeted: boolean;
  /** Results come in another order than their calls. */
  readonly isReversed: boolean;
}

export const manners: fc.Arbitrary<Manner> = fc.record({
  place: fc.constantFrom('first', 'amid', 'last'),
  isGreeted: fc.boolean(),
  isReversed: fc.boolean(),
});

/**
 * Instructions and messages in this manner; instructions never come between calls and their results.
 * @param answers whether a message is a result
 */
export const inOrder = (
  { place, isGreeted }: Manner,
  instructions: readonly Fields[],
  messages: readonly Fields[],
  answers: (message: Fields) => boolean,
): readonly Fields[] => {
  const told = isGreeted && messages.length > 2 ? messages.slice(1) : messages;
  const second = told[1];
  const at =
    place === 'amid' && second !== undefined && !answers(second) ? 1 : place === 'last' ? Infinity : 0;
  return told.toSpliced(at, 0, ...instructions);
};
