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
  /** One call for each changed option, or for a secret with its address. True when all were saved. */
  readonly save: (keys: readonly OptionKey[]) => Promise<boolean>;
  /** The same for texts that were not typed into a field. */
  readonly saveTexts: (texts: Drafts) => Promise<boolean>;
}

const readOptions = async (signal: AbortSignal) => {
  const answer = await callWhole(listOptions, {}, signal);
  const secrets = answer['secrets_set'] as readonly string[];
  return { saved: readSaved(answer.data), secretsSet: new Set(secrets.filter(isOptionKey)) };
};

const without = <Value>(values: Readonly<Partial<Record<OptionKey, Value>>>, keys: readonly OptionKey[]) => {
  const rest = { ...values };
  for (const key of keys) delete rest[key];
  return rest;
};

/**
 * Saves options one by one, a secret together with its address. Flags come last, because a switch may need the others.
 */
const saveEach = async (
  keys: readonly OptionKey[],
  textOf: (key: OptionKey) => string,
): Promise<Problems> => {
  const problems: Partial<Record<OptionKey, string>> = {};
  const order = keys.toSorted(
    (left, right) => Number(optionRow(left).kind === 'flag') - Number(optionRow(right).kind === 'flag'),
  );
  for (const together of savedTogether(order)) {
    const options = together.map((key) => ({ key, value: textOf(key) }));
    try {
      const [only] = options;
      if (options.length === 1 && only !== undefined) await call(updateOption, { body: only });
      else await call(updateOptions, { body: { options } });
    } catch (error) {
      for (const key of together) problems[key] = messageOf(error);
    }
  }
  return problems;
};

/** The options, what was typed over them, and how they are saved. */
export const useSettings = () => {
  const { t } = useTranslation('settings');
  const user = useSession();
  const query = useQuery({ queryKey: [OPTIONS], queryFn: ({ signal }) => readOptions(signal) });
  const [drafts, setDrafts] = useState<Drafts>({});
  const [problems, setProblems] = useState<Problems>({});
  const [isSaving, setSaving] = useState(false);
  if (query.data === undefined) return { query, settings: undefined };
  const { saved, secretsSet } = query.data;
  const toRepeat = (texts: Drafts): ReadonlySet<OptionKey> => {
    const dirty = changedKeys(Object.keys(texts).filter(isOptionKey), saved, texts);
    const changes = new Map(dirty.map((key) => [key, texts[key] ?? '']));
    const repeats = secretsToRepeat(changes, saved, (secret) => secretsSet.has(secret));
    return new Set(repeats.map(({ secret }) => secret));
  };
  const text = (key: OptionKey): string => shownText(key, saved, drafts);
  const changed = (keys: readonly OptionKey[]): OptionKey[] => changedKeys(keys, saved, drafts);

  const saveTexts = async (texts: Drafts): Promise<boolean> => {
    const text = (key: OptionKey): string => texts[key] ?? '';
    const dirty = changedKeys(Object.keys(texts).filter(isOptionKey), saved, texts);
    if (dirty.length === 0) {
      toast('info', t('save.nothing'));
      return false;
    }
    if (toRepeat(texts).size > 0 || dirty.some((key) => problemOf(key, text(key)) !== undefined)) {
      toast('bad', t('save.checkInput'));
      return false;
    }
    setSaving(true);
    const refused = await saveEach(dirty, text);
    const failed = Object.keys(refused).length;
    setProblems((before) => ({ ...without(before, dirty), ...refused }));
    await queryClient.invalidateQueries({ queryKey: [OPTIONS] });
    setDrafts((before) =>
      without(
        before,
        dirty.filter((key) => refused[key] === undefined),
      ),
    );
    await refreshSiteStatus().catch(() => undefined);
    setSaving(false);
    if (failed === 0) toast('ok', t('save.done'));
    else toast('bad', failed < dirty.length ? t('save.partly') : t('save.failed'));
    return failed === 0;
  };
  const settings: Settings = {
    saved,
    secretsSet,
    drafts,
    problems,
    isSaving,
    isLocked: (key) => user === undefined || !maySetOption(user, optionRow(key).guard),
    toRepeat: toRepeat(drafts),
    text,
    changed,
    save: (keys) =>
      saveTexts(
        Object.fromEntries(keys.flatMap((key) => (drafts[key] === undefined ? [] : [[key, drafts[key]]]))),
      ),
    saveTexts,
    change: (key, value) => {
      setDrafts((before) => ({ ...before, [key]: value }));
      setProblems((before) => without(before, [key]));
    },
    discard: (keys) => setDrafts((before) => without(before, keys)),
  };
  return { query, settings };
};
