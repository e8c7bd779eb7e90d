import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { endpoints } from './api/endpoints.ts';
import { isOptionKey, optionRow, optionTable } from './options.ts';

afterEach(() => void vi.restoreAllMocks());

/** The names of the fields that a body may have. */
const fieldsOf = (schema: z.core.$ZodType): string[] => {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape as object);
  if (schema instanceof z.ZodPipe) return [...fieldsOf(schema.in), ...fieldsOf(schema.out)];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(fieldsOf);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fieldsOf(schema.def.innerType);
  return [];
};

const withBodies = endpoints.flatMap(({ method, path, body }) =>
  body === undefined ? [] : [{ call: `${method} ${path}`, body, fields: [...new Set(fieldsOf(body))] }],
);

test('a text that is too long is not read as JSON to say so, in no field of no call', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const long = `{"a":"b"${' '.repeat(1_000_000)}}`;
  const read = new Set<string>();
  for (const { call, body, fields } of withBodies)
    for (const field of fields) {
      body.safeParse({ [field]: long });
      if (parse.mock.calls.some(([text]) => text.length > 100_000)) read.add(`${call} ${field}`);
      parse.mockClear();
    }
  expect([...read]).toEqual([]);
  expect(withBodies.flatMap(({ fields }) => fields).length).toBeGreaterThan(100);
});

test('the table of an option is no longer than what is read in a few milliseconds, prices in some', () => {
  const most = Object.keys(optionTable)
    .filter(isOptionKey)
    .map(optionRow)
    .filter(({ kind }) => kind === 'json')
    .map(({ takenMaxLength = Infinity }) => takenMaxLength);
  expect(Math.max(...most)).toBe(512 * 1024);
  expect(most.filter((length) => length > 64 * 1024).length).toBeLessThan(15);
});
