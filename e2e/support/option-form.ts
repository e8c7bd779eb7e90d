import type { Page } from 'playwright-core';
import { type OptionKey, optionRow } from '#contract/options.ts';

/** Fills in and reads the fields of the settings page by the kinds of their options, many fields in one call. */

const fieldOf = (key: OptionKey) => {
  const { kind, choices = [], secret = false } = optionRow(key);
  return { key, id: `option-${key}`, kind, choices, isSecret: secret };
};

/** JSON tables are switched to text, so that all shapes can be typed in the same way. */
const showJsonAsText = async (page: Page, turn: string): Promise<void> => {
  await page.locator('.json-option-turn button').evaluateAll((buttons, name) => {
    for (const button of buttons as HTMLElement[]) if (button.innerText === name) button.click();
  }, turn);
  // The editor loads later.
  await page.waitForFunction(
    () => document.querySelector('.json-plain, .rows-table, [aria-busy=true]') === null,
  );
};

/** Types each option's text into its field and leaves it. `turn` is the name of the button that shows JSON as text. */
export const fillOptions = async (
  page: Page,
  texts: ReadonlyMap<OptionKey, string>,
  turn: string,
): Promise<void> => {
  await showJsonAsText(page, turn);
  const fields = [...texts].map(([key, text]) => ({ ...fieldOf(key), text }));
  await page.evaluate((all) => {
    for (const { id, kind, choices, text } of all) {
      const field = document.getElementById(id);
      const pick = <Type extends HTMLElement>(what: string) => field?.querySelector<Type>(what);
      if (kind === 'flag') pick<HTMLInputElement>('[role=switch]')?.click();
      else if (kind === 'choice')
        field?.querySelectorAll<HTMLInputElement>('[type=radio]')[choices.indexOf(text)]?.click();
      else if (kind === 'json') {
        pick('.cm-content')?.focus();
        document.execCommand('selectAll');
        document.execCommand('insertText', false, text);
      } else {
        const input = pick<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
        // Sets the value as a browser does, without React noticing, so that the event counts as a change.
        const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value') ?? {};
        set?.call(input, text);
        input?.dispatchEvent(new Event('input', { bubbles: true }));
      }
      field?.firstElementChild?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    }
  }, fields);
};

export interface ShownOption {
  readonly key: string;
  readonly label: string;
  /** The shown value as option text; for a secret, its placeholder. */
  readonly text: string;
}

/** The values of the fields on the page. */
export const shownOptions = async (
  page: Page,
  keys: readonly OptionKey[],
  turn: string,
): Promise<ShownOption[]> => {
  await showJsonAsText(page, turn);
  return page.evaluate(
    (all) =>
      all.map(({ key, id, kind, choices, isSecret }) => {
        const field = document.getElementById(id);
        const input = field?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
        const read = (): string => {
          if (kind === 'json') return field?.querySelector<HTMLElement>('.cm-content')?.innerText ?? '';
          if (kind === 'flag') return String((input as HTMLInputElement).checked);
          if (kind === 'choice') {
            const radios = [...(field?.querySelectorAll<HTMLInputElement>('[type=radio]') ?? [])];
            return choices[radios.findIndex((radio) => radio.checked)] ?? '';
          }
          return isSecret ? `${input?.value}${input?.placeholder}` : (input?.value ?? '');
        };
        const label = field?.querySelector<HTMLElement>('label, legend')?.innerText ?? '';
        return { key, label, text: read() };
      }),
    keys.map(fieldOf),
  );
};
