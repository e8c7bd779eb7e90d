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
