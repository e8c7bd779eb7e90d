import { describe, expect, test } from 'vitest';
import { formats } from '../support/one-format.ts';
import { agents, isMissing } from './agents.ts';
import { LAST_WORDS } from '../support/upstreams/scripted-upstream.ts';
import { useClients } from './use-clients.ts';

/** Coding command lines, headless: the model calls a tool, they run it and send its result, the model speaks. */

const gateway = useClients();
const PROMPT = 'List the files of this folder with a tool, then say that all is well.';

describe.each(Object.entries(agents))('%s', (name, run) => {
  test.skipIf(isMissing(name)).each(formats)(
    'runs its tool and hears the last words from an upstream that speaks %s',
    { timeout: 120_000 },
    async (model) => {
      const before = gateway.asked().length;
      const { code, output } = await run({ url: gateway.url(), key: gateway.key(), model, prompt: PROMPT });
      expect(output).toContain(LAST_WORDS);
      expect(code).toBe(0);
      const asked = gateway.asked().slice(before);
      expect(new Set(asked.map(({ format }) => format))).toEqual(new Set([model]));
      // The tool really ran: its result names the only existing file.
      expect(asked.some(({ text }) => text.includes('notes.txt'))).toBe(true);
    },
  );
});
