import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listOptions, updateOption, updateOptions } from '#contract/api/site/options.ts';
import { isOptionKey, type OptionKey, optionRow } from '#contract/options.ts';
import { savedTogether, secretsToRepeat } from '#contract/options/bound-secrets.ts';
import { maySetOption } from '#contract/options/guards.ts';
import { call, callWhole } from '../../lib/server/api.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { queryClient } from '../../lib/server/query.ts';
import { useSession } from '../../lib/session/session.ts';
import { refreshSiteStatus } from '../../lib/server/site-status.ts';
import { toast } from '../../lib/toasts.ts';
import { changedKeys, type Drafts, problemOf, readSaved, type Saved, shownText } from './option-drafts.ts';

export const OPTIONS = 'options';

type Problems = Readonly<Partial<Record<OptionKey, string>>>;

/** Everything the fields of the page need. */
export interface Settings {
  readonly saved: Saved;
  /** The texts as the server has them, which `saved` shows laid out. */
  readonly stored: Saved;
  readonly secretsSet: ReadonlySet<OptionKey>;
  readonly drafts: Drafts;
  /** The server's error about a value, until the value is changed. */
  readonly problems: Problems;
  readonly isSaving: boolean;
  /** Read-only for this user: only the super admin may change it. */
  readonly isLocked: (key: OptionKey) => boolean;
  /** Secrets that have to be typed again, because the address they go to was changed. */
  readonly toRepeat: ReadonlySet<OptionKey>;
  readonly text: (key: OptionKey) => string;
  readonly change: (key: OptionKey, text: string) => void;
  readonly changed: (keys: readonly OptionKey[]) => OptionKey[];
  readonly discard: (keys: readonly OptionKey[]) => void;
  /**
   * One call for each changed option, or for a secret with its address. True when all were saved. Groups in use are
   * only removed if `mayRemove` names them.
   */
  readonly save: (keys: readonly OptionKey[], mayRemove?: readonly string[]) => Promise<boolean>;
  /** The same for texts that were not typed into a field. `from` has the texts they were made from, by default the newest. */
  readonly saveTexts: (texts: Drafts, from?: Saved) => Promise<boolean>;
}

const readOptions = async (signal: AbortSignal) => {
  const answer = await callWhole(listOptions, {}, signal);
  const secrets = answer['secrets_set'] as readonly string[];
  const stored = new Map(answer.data.flatMap(({ key, value }) => (isOptionKey(key) ? [[key, value]] : [])));
  return { saved: readSaved(answer.data), stored, secretsSet: new Set(secrets.filter(isOptionKey)) };
};

const without = <Value>(values: Readonly<Partial<Record<OptionKey, Value>>>, keys: readonly OptionKey[]) => {
  const rest = { ...values };
  for (const key of keys) delete rest[key];
  return rest;
};

/**
 * Saves options one by one, a secret together with its address. Flags come last, because a switch may need the others.
 * `waiting` counts those that wait for the approval of another admin.
 */
const saveEach = async (
  keys: readonly OptionKey[],
  textOf: (key: OptionKey) => string,
  from: Saved,
  mayRemove: readonly string[],
): Promise<{ readonly problems: Problems; readonly waiting: number }> => {
  let waiting = 0;
  const problems: Partial<Record<OptionKey, string>> = {};
  const order = keys.toSorted(
    (left, right) => Number(optionRow(left).kind === 'flag') - Number(optionRow(right).kind === 'flag'),
  );
  for (const together of savedTogether(order)) {
    // A secret is never sent to the browser, so there is no old value.
    const options = together.map((key) => ({
      key,
      value: textOf(key),
      ...(from.has(key) && { was: from.get(key) }),
      ...(key === 'GroupRatio' && mayRemove.length > 0 && { remove_groups: [...mayRemove] }),
    }));
    try {
      const [only] = options;
      const draft =
        options.length === 1 && only !== undefined
          ? await call(updateOption, { body: only })
          : await call(updateOptions, { body: { options } });
      if (draft !== null) waiting += 1;
    } catch (error) {
      for (const key of together) problems[key] = messageOf(error);
    }
  }
  return { problems, waiting };
};

interface Typed {
  readonly drafts: Drafts;
  /** The stored texts when typing began: the list may have been reloaded since. */
  readonly begun: Drafts;
  readonly problems: Problems;
}

const NOTHING_TYPED: Typed = { drafts: {}, begun: {}, problems: {} };

/** The typed texts, the stored texts they replace, and the server's errors. Its functions stay the same with every letter. */
const useTyped = () => {
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const change = (key: OptionKey, text: string, stored: string | undefined): void =>
    setTyped(({ drafts, begun, problems }) => ({
      drafts: { ...drafts, [key]: text },
      begun: drafts[key] === undefined ? { ...begun, [key]: stored } : begun,
      problems: without(problems, [key]),
    }));
  const discard = (keys: readonly OptionKey[]): void =>
    setTyped(({ drafts, begun, problems }) => ({
      drafts: without(drafts, keys),
      begun: without(begun, keys),
      problems: without(problems, keys),
    }));
  /**
   * After saving. A user who was told that others have changed an option, and saves again, means to replace it. What was
   * typed while it was saved stays.
   */
  const end = (keys: readonly OptionKey[], atSave: Drafts, refused: Problems): void =>
    setTyped(({ drafts, begun, problems }) => ({
      drafts: without(
        drafts,
        keys.filter((key) => refused[key] === undefined && drafts[key] === atSave[key]),
      ),
      begun: without(begun, keys),
      problems: { ...without(problems, keys), ...refused },
    }));
  return { typed, change, discard, end };
};

/** The options, their unsaved texts, and saving. */
export const useSettings = () => {
  const { t } = useTranslation('settings');
  const user = useSession();
  const query = useQuery({ queryKey: [OPTIONS], queryFn: ({ signal }) => readOptions(signal) });
  const { typed, change, discard, end } = useTyped();
  const { drafts } = typed;
  const [isSaving, setSaving] = useState(false);
  if (query.data === undefined) return { query, settings: undefined };
  const { saved, stored, secretsSet } = query.data;
  const unsavedIn = (texts: Drafts): OptionKey[] =>
    changedKeys(Object.keys(texts).filter(isOptionKey), saved, texts);
  const toRepeat = (dirty: readonly OptionKey[], texts: Drafts): ReadonlySet<OptionKey> => {
    const changes = new Map(dirty.map((key) => [key, texts[key] ?? '']));
    const repeats = secretsToRepeat(changes, saved, (secret) => secretsSet.has(secret));
    return new Set(repeats.map(({ secret }) => secret));
  };
  const text = (key: OptionKey): string => shownText(key, saved, drafts);
  const unsaved = unsavedIn(drafts);
  const changed = (keys: readonly OptionKey[]): OptionKey[] => keys.filter((key) => unsaved.includes(key));

  const saveTexts = async (
    texts: Drafts,
    from: Saved = stored,
    mayRemove: readonly string[] = [],
  ): Promise<boolean> => {
    const text = (key: OptionKey): string => texts[key] ?? '';
    const dirty = unsavedIn(texts);
    if (dirty.length === 0) {
      toast('info', t('save.nothing'));
      return false;
    }
    if (toRepeat(dirty, texts).size > 0 || dirty.some((key) => problemOf(key, text(key)) !== undefined)) {
      toast('bad', t('save.checkInput'));
      return false;
    }
    setSaving(true);
    const { problems: refused, waiting } = await saveEach(dirty, text, from, mayRemove);
    const failed = Object.keys(refused).length;
    await queryClient.invalidateQueries({ queryKey: [OPTIONS] });
    end(dirty, drafts, refused);
    await refreshSiteStatus().catch(() => undefined);
    setSaving(false);
    if (failed === 0) toast('ok', t(waiting > 0 ? 'waitsForApproval' : 'save.done'));
    else toast('bad', failed < dirty.length ? t('save.partly') : t('save.failed'));
    return failed === 0;
  };
  const settings: Settings = {
    saved,
    stored,
    secretsSet,
    drafts,
    problems: typed.problems,
    isSaving,
    isLocked: (key) => user === undefined || !maySetOption(user, optionRow(key).guard),
    toRepeat: toRepeat(unsaved, drafts),
    text,
    changed,
    save: (keys, mayRemove) =>
      saveTexts(
        Object.fromEntries(keys.flatMap((key) => (drafts[key] === undefined ? [] : [[key, drafts[key]]]))),
        new Map(Array.from(stored, ([key, text]) => [key, typed.begun[key] ?? text])),
        mayRemove,
      ),
    saveTexts,
    change: (key, text) => change(key, text, stored.get(key)),
    discard,
  };
  return { query, settings };
};
