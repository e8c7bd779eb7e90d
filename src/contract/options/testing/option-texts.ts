import { wrongNewName } from '../option.ts';
import { type OptionKey, optionRow, optionText } from '../../options.ts';

/** One sample for each shape of JSON option. A new shape needs a new line. */
const jsonSamples = [
  '{"other":2}',
  '{"default":1,"other":2,"another":3}',
  '{"web_search":2}',
  '{"other":"another"}',
  '["other"]',
  '[{"name":"Other","type":"other"}]',
  '{"other":{"default":0.5}}',
  '{"other":[10,5]}',
  '{"other":{"x-other":"b"}}',
  '{"other":{"idle_timeout_ms":2000}}',
  '{"EUR":[{"from":"2026-01-01","usd":1.1}]}',
  '{"other":"strip"}',
  '{"other":"warn"}',
  '{"other":{"tiers":{"priority":2}}}',
  '{"other":{"deadline_ms":"auto"}}',
  '{"models":{"other":"cheapest"}}',
  '[{"url":"https://other.example/v1","route":"Other"}]',
  '[{"content":"Other","date":"2026-01-01"}]',
  '[{"question":"Other?","answer":"Yes."}]',
  '[{"categoryName":"Other","url":"https://status.other.example","slug":"other"}]',
  '{"default":"BLOCK_NONE"}',
  '{"1":{"percent":10,"model":"other","finding":"other_model"}}',
];

/** A valid text that differs from the option's initial one; texts and addresses are unique. */
export const anotherText = (key: OptionKey): string => {
  const { kind, initial, bounds, choices = [], schema, taken, needsName = '' } = optionRow(key);
  const before = optionText(initial);
  const name = key.toLowerCase().replaceAll(/[^a-z\d]/g, '-');
  switch (kind) {
    case 'flag':
      return String(before !== 'true');
    case 'number':
      return String(bounds?.max) === before ? String(bounds?.min) : String(bounds?.max);
    case 'choice':
      return choices.find((one) => one !== before) ?? '';
    case 'address':
      return `https://${name}.example/path`;
    case 'json': {
      const isTaken = (text: string): boolean => {
        const { success, data } = schema.safeParse(text);
        const isNew = wrongNewName(optionRow(key), data, before) === undefined;
        return success && isNew && taken?.safeParse(data).success !== false;
      };
      const sample = jsonSamples.find((text) => text !== before && text.includes(needsName) && isTaken(text));
      if (sample === undefined) throw new Error(`no sample has the shape of ${key}`);
      return sample;
    }
    case 'text': {
      const text = `${name}.example`;
      // The sender of mails is an address.
      return schema.safeParse(text).success ? text : `other@${text}`;
    }
    case 'long-text':
    case 'lines':
      return `${name}.example\nand a second line`;
  }
};

/** A text the option refuses; undefined if its control can only give valid ones. */
export const wrongText = (key: OptionKey): string | undefined => {
  const { kind, bounds } = optionRow(key);
  if (kind === 'number') return String((bounds?.min ?? 0) - 1);
  if (kind === 'json') return '{"other": ';
  return kind === 'address' ? 'javascript:alert(1)' : undefined;
};
