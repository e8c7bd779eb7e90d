import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { isOptionKey, type OptionKey, optionRow, optionTable } from '#contract/options.ts';
import { SECOND_PERSON } from '#contract/price-book.ts';
import { anotherText, wrongText } from '#contract/options/testing/option-texts.ts';
import words from '../../src/console/locales/en/settings.json' with { type: 'json' };
import { sharedBrowser } from '../support/chromium.ts';
import { type ConsoleVisit, visitConsole } from '../support/console-visit.ts';
import { type Operator, rootPassword, setUp } from '../support/operator.ts';
import { fillOptions, shownOptions } from '../support/option-form.ts';
import { shortLived, startTollgate, type Tollgate } from '../support/tollgate.ts';

/** Every field of the settings page, by the option registry. */

let tollgate: Tollgate;
let operator: Operator;
let visit: ConsoleVisit;
let page: Page;
interface Change {
  readonly key: string;
  readonly value: string;
  /** What it was changed from; missing for secrets. */
  readonly was?: string;
}
/** The saved options, whether saved alone or together with related ones. */
const sent: Change[] = [];

beforeAll(async () => {
  tollgate = await startTollgate({ nodeFlags: shortLived });
  operator = await setUp(tollgate);
  const second = { username: 'second', password: rootPassword, role: 10 };
  await operator.call('/api/user/', { method: 'POST', body: second });
  visit = await visitConsole(await sharedBrowser(), {
    url: tollgate.url,
    username: 'root',
    password: rootPassword,
  });
  page = visit.page;
  page.on('request', (request) => {
    if (request.method() !== 'PUT') return;
    const body = JSON.parse(request.postData() ?? '') as Change | { readonly options: readonly Change[] };
    sent.push(...('options' in body ? body.options : [body]));
  });
});
afterAll(async () => {
  await visit.close();
  await tollgate.stop();
});

/** A distinct text for every option. */
const labelOf = (key: OptionKey): unknown =>
  key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], words.label);

/** The server rewrites this option within a minute, because no channel of this site needs a lower weight. */
const isOfRule = (key: OptionKey): boolean => key === 'evidence_setting.lowered';

const tabs = ['operation', 'ratelimit', 'models', 'system', 'other'] as const;

interface ShownCard {
  readonly card: Locator;
  readonly keys: readonly OptionKey[];
}

/** Opens a tab within the page and reads its cards and the options of each. */
const openTab = async (tab: (typeof tabs)[number]): Promise<ShownCard[]> => {
  const link = page.locator('.setting-tab', { hasText: words.tab[tab] });
  await link.click();
  await link.and(page.locator('[aria-current=page]')).waitFor();
  await page.locator('.setting-card').first().waitFor();
  const ids = await page
    .locator('.setting-card')
    .evaluateAll((cards) =>
      cards.map((card) => [card.id, ...[...card.querySelectorAll('.setting-field')].map(({ id }) => id)]),
    );
  const cards = ids.map(([id = '', ...fields]) => ({
    card: page.locator(`[id="${id}"]`),
    keys: fields.map((field) => field.replace(/^option-/, '')).filter(isOptionKey),
  }));
  // Some cards have no options.
  return cards.filter(({ keys }) => keys.length > 0);
};

const keysOf = (cards: readonly ShownCard[]): OptionKey[] => cards.flatMap(({ keys }) => keys);

/** Saves every card and waits for this many equal toasts. */
const saveAll = async (cards: readonly ShownCard[], told: string): Promise<void> => {
  const buttons = cards.map(({ card }) => card.locator('button[type=submit]'));
  const all = buttons.slice(1).reduce((some, one) => some.or(one), buttons[0] ?? page.locator('none'));
  await all.evaluateAll((found) => {
    for (const button of found) (button as HTMLElement).click();
  });
  await isTold(cards.length > 1 ? `${told}\n×${cards.length}` : told);
};

/** Records the text of every toast, because toasts disappear by themselves. */
const listen = (): Promise<void> =>
  page.evaluate(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll<HTMLElement>('.toast')) told.push(toast.innerText);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });

/** Waits for a toast and clears the record. */
const isTold = async (text: string): Promise<void> => {
  await expect.poll(() => page.evaluate<string[]>('told.map((text) => text.trim())')).toContain(text);
  await page.locator('.toast-close').evaluateAll((all) => {
    for (const close of all) (close as HTMLElement).click();
  });
  await page.evaluate('told.length = 0');
};

/** Fills invalid values into every field that can have one: each shows an error, and its card sends nothing. */
const tryWrong = async (cards: readonly ShownCard[]): Promise<void> => {
  const wrong = new Map(
    keysOf(cards).flatMap((key) => {
      const text = wrongText(key);
      return text === undefined ? [] : [[key, text] as const];
    }),
  );
  await fillOptions(page, wrong, words.asText);
  await saveAll(
    cards.filter(({ keys }) => keys.some((key) => wrong.has(key))),
    words.save.checkInput,
  );
  const alerts = page.locator('.setting-field', { has: page.getByRole('alert') });
  const complaining = async (): Promise<readonly string[]> =>
    (await alerts.evaluateAll((fields) => fields.map(({ id }) => id))).toSorted();
  await expect.poll(complaining).toEqual([...wrong.keys()].map((key) => `option-${key}`).toSorted());
  expect(sent).toEqual([]);
};

/** Services are switched on after the options they need, which are on other cards. */
const isSwitchboard = ({ keys }: ShownCard): boolean =>
  keys.some((key) => (optionRow(key).needs ?? []).some((needed) => !keys.includes(needed as OptionKey)));

/** Once prices need a second person, those that are prices are not saved but wait. */
const isSecondPerson = ({ keys }: ShownCard): boolean => keys.includes(SECOND_PERSON);

/** The callback address is set before payment: until then the payment card refuses to save. */
const batchesOf = async (cards: readonly ShownCard[]): Promise<(readonly ShownCard[])[]> => {
  const has =
    (key: OptionKey) =>
    ({ keys }: ShownCard): boolean =>
      keys.includes(key);
  const first = cards.filter(has('ServerAddress'));
  if (first.length === 0) return [cards];
  await saveAll(cards.filter(has('PayAddress')), words.save.addressFirst);
  return [first, cards.filter((card) => !first.includes(card))];
};

const byKey = (left: { key: string }, right: { key: string }): number => (left.key < right.key ? -1 : 1);

const fillAndSave = async (cards: readonly ShownCard[]): Promise<void> => {
  const right = new Map(keysOf(cards).map((key) => [key, anotherText(key)]));
  const before = await savedOptions();
  await fillOptions(page, right, words.asText);
  // This option asks for confirmation, because users without another way to sign in would be locked out.
  if (right.has('PasswordLoginEnabled'))
    await page.getByRole('dialog').locator('button[type=submit]').click();
  // The groups that other options name are saved first.
  const turn = (card: ShownCard): number =>
    keysOf([card]).includes('GroupRatio') ? -1 : Number(isSwitchboard(card));
  const order = cards.toSorted((left, right) => turn(left) - turn(right));
  for (const { card } of order) {
    await card.and(page.locator('[data-changed]')).locator('button[type=submit]').click();
    // Told last: until then no card takes a click.
    await isTold(words.save.done);
    expect(await card.getAttribute('data-changed')).toBe(null);
  }
  expect(sent.splice(0).toSorted(byKey)).toEqual(
    [...right]
      .map(([key, value]) => ({ key, value, ...(before.has(key) && { was: before.get(key) }) }))
      .toSorted(byKey),
  );
};

const savedOptions = async (): Promise<ReadonlyMap<string, string>> => {
  const rows = z.array(z.object({ key: z.string(), value: z.string() }));
  return new Map(rows.parse(await operator.call('/api/option/')).map(({ key, value }) => [key, value]));
};

const wantedText = (key: OptionKey): string =>
  optionRow(key).secret === true ? words.secretSet : anotherText(key);
const asStored = (key: OptionKey, shown: string): string =>
  optionRow(key).kind === 'json' ? JSON.stringify(JSON.parse(shown)) : shown;

// More than a hundred fields take a while on a busy machine.
test('every option has a field that refuses what is wrong, saves what is right, and shows it after a reload', async () => {
  const seen: OptionKey[] = [];
  await page.goto('/setting?tab=operation');
  await listen();
  for (const tab of tabs) {
    const cards = await openTab(tab);
    for (const batch of await batchesOf(cards.filter((card) => !isSecondPerson(card)))) {
      await saveAll(batch, words.save.nothing);
      await tryWrong(batch);
      await fillAndSave(batch);
    }
    seen.push(...keysOf(cards));
  }
  await fillAndSave((await openTab('operation')).filter(isSecondPerson));
  expect(seen.toSorted()).toEqual(Object.keys(optionTable).toSorted());
  const saved = await savedOptions();
  const open = seen.filter((key) => optionRow(key).secret !== true && !isOfRule(key));
  expect(open.map((key) => [key, saved.get(key)])).toEqual(open.map((key) => [key, anotherText(key)]));

  await page.reload();
  for (const tab of tabs) {
    const keys = keysOf(await openTab(tab));
    const shown = await shownOptions(page, keys, words.asText);
    const stored = keys.map((key, at) => [key, asStored(key, shown[at]?.text ?? '')] as const);
    expect(stored.filter(([key]) => !isOfRule(key))).toEqual(
      keys.filter((key) => !isOfRule(key)).map((key) => [key, wantedText(key)]),
    );
    expect(shown.map(({ key, label }) => [key, label])).toEqual(keys.map((key) => [key, labelOf(key)]));
  }
  expect(visit.problems).toEqual([]);
});
