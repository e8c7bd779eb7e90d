import fc from 'fast-check';

/** The number of surrogates; alone they are not characters. */
const HALVES = 0x800;
const FIRST_HALF = 0xd800;

const anyOfAll = fc
  .integer({ min: 0, max: 0x10_ffff - HALVES })
  .map((at) => String.fromCodePoint(at < FIRST_HALF ? at : at + HALVES));

/**
 * Any Unicode character, often the first or last of those with the same number of UTF-8 bytes. The library's own list
 * of characters takes seconds to build on a busy machine.
 */
export const anyCharacter = fc.oneof(
  { weight: 3, arbitrary: anyOfAll },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\0',
      'a',
      '"',
      '\\',
      '\x7f',
      '\x80',
      '\u07ff',
      '\u0800',
      '\uffff',
      '\u{10000}',
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)) },
);
