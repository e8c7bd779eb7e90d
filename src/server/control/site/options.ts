import { logType, role } from '#contract/codes.ts';
import { issuePath, issuePhrase } from '#contract/issue-phrase.ts';
import { isOptionKey, type OptionKey, optionRow, optionTable, optionText } from '#contract/options.ts';
import { boundOptions, secretsToForget, secretsToRepeat } from '#contract/options/bound-secrets.ts';
import { optionsWithGroups } from '#contract/options/groups-named.ts';
import { maySetOption, needsProofToSet } from '#contract/options/guards.ts';
import { NOT_JSON, withoutBlanks, wrongNewName } from '#contract/options/option.ts';
import { priceOptions, priceSettings, SECOND_PERSON } from '#contract/price-book.ts';
import { afterOthers } from '#core/time/after-others.ts';
import type { Clock } from '#core/clock.ts';
import { wrongName } from '#core/json/wrong-name.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { optionPlace } from '#core/secrets/sealed-places.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { requireFresh } from '../people/sign-in/fresh.ts';
import type { Actor } from '../people/identity.ts';
import { type GroupUseDeps, refuseGroupsInUse } from './groups-in-use.ts';
import { refuseUnknownGroups } from './known-groups.ts';
import { asRead } from '../as-read.ts';
import { refuse, sayError } from '../refuse.ts';

export interface OptionDeps extends GroupUseDeps {
  readonly options: OptionStore;
  readonly logs: Pick<LogStore, 'append'>;
  readonly vault: Pick<Vault, 'encrypt'>;
  readonly users: Pick<UserStore, 'groupUse' | 'ofRole'>;
  readonly askForPrices: AskForPrices;
  /** Applies the change to every later call, on this and other nodes. */
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
}

/** Who sets an option, and by which credentials. */
export type OptionEditor = Pick<Actor, 'user' | 'via' | 'freshUntilMs'>;

/** An option and its new text. */
export interface OptionChange {
  readonly key: string;
  readonly value: string;
  /** The text that the change was made from. */
  readonly was?: string | undefined;
  /** Groups that it may remove although they are in use. */
  readonly mayRemove?: readonly string[] | undefined;
}

/**
 * Lets options that decide prices wait for the approval of another admin: the id of the draft, 0 where nothing would
 * change, undefined where others have changed what was read.
 */
type AskForPrices = (
  editor: OptionEditor,
  what: { readonly changes: Texts; readonly stored: Stored; readonly mayRemove: readonly string[] },
) => Promise<number | undefined>;

/** What was saved; or the draft that waits, because prices need a second person. */
type Saved = readonly string[] | { readonly draft: number };

type Texts = ReadonlyMap<OptionKey, string>;
type Stored = ReadonlyMap<string, string>;

export type Options = ReturnType<typeof createOptions>;

const keys = Object.keys(optionTable).filter(isOptionKey);
const guardedKeys: ReadonlySet<string> = new Set([...priceOptions, ...priceSettings]);
/** Flags that need other options. */
const switches = keys.filter((key) => optionRow(key).needs !== undefined);
const isSecret = (key: OptionKey): boolean => optionRow(key).secret === true;

/**
 * The text to store. Throws `option_invalid` or `option_json` if it is invalid or too long.
 * @param stored the stored text: names and length that were wrong already may stay, or get fewer and shorter
 */
export const readText = (key: OptionKey, typed: string, stored: string): string => {
  const { schema, kind, needsName, taken, takenMaxLength = Infinity } = optionRow(key);
  if (typed.length > Math.max(takenMaxLength, stored.length)) {
    const issue = { key: 'issue_characters_most', values: { bound: String(takenMaxLength) } } as const;
    throw sayError('invalid_request', 'option_invalid', { key, issue });
  }
  const text = typed === stored ? typed : withoutBlanks(optionRow(key), typed);
  const read = schema.safeParse(text);
  if (read.success && needsName !== undefined && !Object.hasOwn(Object(read.data), needsName)) {
    const issue = { key: 'issue_needs_group', values: { name: needsName } } as const;
    throw sayError('invalid_request', 'option_invalid', { key, issue });
  }
  // Checks the text as typed, too: the normalized text no longer has the first of two equal names.
  const issue =
    read.success && kind === 'json' && text !== stored
      ? (wrongName(typed) ?? (text === typed ? undefined : wrongName(text)))
      : undefined;
  if (issue !== undefined) throw sayError('invalid_request', 'option_invalid', { key, issue });
  const wrong = (value: unknown) =>
    wrongNewName(optionRow(key), value, stored) ??
    (text === stored ? undefined : taken?.safeParse(value).error);
  const refused = read.success ? wrong(read.data) : read.error;
  if (refused === undefined) return kind === 'address' ? optionText(read.data) : text;
  const [first] = refused.issues;
  if (first === undefined || first.message === NOT_JSON)
    throw sayError('invalid_request', 'option_json', { key });
  const where = issuePath(first);
  const what = issuePhrase(first);
  throw sayError('invalid_request', 'option_invalid', {
    key,
    issue: where === '' ? what : { key: 'issue_at', values: { where, issue: what } },
  });
};

/**
 * Throws unless the options that a switch needs are filled in, before or in the same change, and stay so while it is
 * on.
 */
const refuseMissing = (changes: Stored, stored: Stored): void => {
  const textIn = (texts: Stored, key: string): string =>
    texts.get(key) ?? (isOptionKey(key) ? optionText(optionRow(key).initial) : '');
  const isEmpty = (texts: Stored) => (key: string) => textIn(texts, key).trim() === '';
  const after = new Map([...stored, ...changes]);
  for (const key of switches) {
    if (textIn(after, key) !== 'true') continue;
    const missing = (optionRow(key).needs ?? []).filter(isEmpty(after));
    if (changes.has(key) && missing.length > 0)
      throw sayError('invalid_request', 'option_needs', { key, missing: missing.join(', ') });
    const emptied = missing.find((need) => changes.has(need) && !isEmpty(stored)(need));
    if (emptied !== undefined) throw refuse('option_needed', { key: emptied, flag: key });
  }
};

const isSetIn =
  (stored: Stored) =>
  (secret: OptionKey): boolean =>
    (stored.get(secret) ?? '') !== '';

/** Refuses changes made from outdated texts, so that one editor does not overwrite what another saved in between. */
const refuseOutdated = (sent: readonly OptionChange[], stored: Stored): void => {
  for (const { key, was } of sent) {
    if (was === undefined || !isOptionKey(key)) continue;
    if (was !== (stored.get(key) ?? optionText(optionRow(key).initial)))
      throw refuse('option_changed', { key });
  }
};

/** The stored texts that decide whether the changes are accepted. */
const decisiveTexts = (changes: Texts, stored: Stored): Map<string, string | undefined> => {
  const needs = switches.flatMap((key) => {
    const all = [key, ...(optionRow(key).needs ?? [])];
    return all.some((one) => isOptionKey(one) && changes.has(one)) ? all : [];
  });
  const guards = [...changes.keys()].some((key) => guardedKeys.has(key)) ? [SECOND_PERSON] : [];
  const groups = optionsWithGroups.some((key) => changes.has(key)) ? optionsWithGroups : [];
  return new Map(
    [...changes.keys(), ...needs, ...guards, ...groups, ...boundOptions].map((key) => [key, stored.get(key)]),
  );
};

/** A stored secret is only ever sent to the address it was entered for. */
const refuseMoved = (changes: Texts, stored: Stored): void => {
  const [first] = secretsToRepeat(changes, stored, isSetIn(stored));
  if (first !== undefined) throw sayError('invalid_request', 'option_secret_again', { ...first });
};

/** Throws if the editor may not set the option, or must first prove their identity again. */
export const requireMaySet = (editor: OptionEditor, key: OptionKey, nowMs: number): void => {
  const { guard } = optionRow(key);
  if (!maySetOption(editor.user, guard)) throw sayError('forbidden', 'option_root_only', { key });
  if (needsProofToSet(editor.user, guard)) requireFresh(editor, nowMs);
};

/** The changes by option. Throws if one is unknown, named twice, or not this editor's to set. */
const changesOf = (
  editor: OptionEditor,
  sent: readonly OptionChange[],
  nowMs: number,
): Map<OptionKey, string> => {
  const changes = new Map<OptionKey, string>();
  for (const { key, value } of sent) {
    if (!isOptionKey(key)) throw sayError('invalid_request', 'option_unknown', { key });
    requireMaySet(editor, key, nowMs);
    if (changes.has(key)) throw sayError('invalid_request', 'option_twice', { key });
    changes.set(key, value);
  }
  return changes;
};

/** Whether these changes need a second person. Throws if others are among them, which would have to wait too. */
const needsSecond = (changes: Texts, stored: Stored): boolean => {
  const guarded = [...changes.keys()].filter((key) => guardedKeys.has(key));
  if (guarded.length === 0 || stored.get(SECOND_PERSON) !== 'true') return false;
  if (guarded.length < changes.size) throw refuse('price_apart', { keys: guarded.join(', ') });
  return true;
};

/** Options as editors read and change them. Secrets are stored encrypted and never read back. Refusals are thrown. */
export const createOptions = (deps: OptionDeps) => {
  const { options, logs, vault, refreshRouting, clock } = deps;
  /** @returns undefined if others changed what was read for it */
  const setOnce = async (
    editor: OptionEditor,
    sent: readonly OptionChange[],
    nowMs: number,
  ): Promise<Saved | undefined> => {
    const changes = changesOf(editor, sent, nowMs);
    const before = await options.all();
    refuseOutdated(sent, before);
    for (const [key, value] of changes) {
      // Reading a large table takes milliseconds: other calls run in between.
      await afterOthers();
      changes.set(key, readText(key, value, before.get(key) ?? ''));
    }
    refuseMissing(changes, before);
    refuseMoved(changes, before);
    refuseUnknownGroups(changes, before);
    const mayRemove = sent.flatMap(({ mayRemove: names = [] }) => names);
    await refuseGroupsInUse(deps, changes, before, mayRemove);
    if (needsSecond(changes, before)) {
      const draft = await deps.askForPrices(editor, { changes, stored: before, mayRemove });
      return draft === undefined ? undefined : { draft };
    }
    if (changes.get(SECOND_PERSON) === 'true' && (await deps.users.ofRole(role.admin)).length < 2)
      throw refuse('price_one_admin');
    const sealed = new Map<OptionKey, string>();
    for (const [key, text] of changes)
      sealed.set(key, isSecret(key) && text !== '' ? vault.encrypt(text, optionPlace(key)) : text);
    for (const secret of secretsToForget(changes, before, isSetIn(before))) sealed.set(secret, '');
    const { id, username: name } = editor.user;
    const isSet = await options.setAll(sealed, nowMs, { id, name }, decisiveTexts(changes, before));
    return isSet ? [...sealed.keys()] : undefined;
  };

  /** @returns the draft that waits for an approval instead, if one does */
  const set = async (editor: OptionEditor, sent: readonly OptionChange[]): Promise<number | undefined> => {
    const nowMs = clock.now();
    const saved = await asRead(() => setOnce(editor, sent, nowMs), 'options_busy');
    if ('draft' in saved) return saved.draft === 0 ? undefined : saved.draft;
    await refreshRouting();
    await logs.append({
      createdAtMs: nowMs,
      type: logType.manage,
      userId: editor.user.id,
      username: editor.user.username,
      content: storedPhrase('log_option', { key: saved.join(', ') }),
    });
    return undefined;
  };

  return {
    /** Every option that is no secret, as text; of secrets only which ones are set. */
    async list(): Promise<{
      readonly options: { readonly key: string; readonly value: string }[];
      readonly secretsSet: string[];
    }> {
      const stored = await options.all();
      return {
        options: keys
          .filter((key) => !isSecret(key))
          .map((key) => ({ key, value: stored.get(key) ?? optionText(optionRow(key).initial) })),
        secretsSet: keys.filter((key) => isSecret(key) && (stored.get(key) ?? '') !== ''),
      };
    },

    /** Stores valid texts, all or none: one refused option changes nothing. */
    set,

    /** Removes all configured model ratios, so that the catalogue's apply again. */
    resetModelRatio: (editor: OptionEditor): Promise<number | undefined> =>
      set(editor, [{ key: 'ModelRatio', value: '{}' }]),
  };
};
