import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { readStored, store } from '../../../lib/browser/stored.ts';
import { toast } from '../../../lib/toasts.ts';
import { sampleExchange, settled } from './conversation.ts';
import { startTalk, type Talk } from './start-talk.ts';
import { type LoadedTalk, loadTalk, saveTalk, trimTalks } from './talk-store.ts';
import { newId } from '../../../lib/browser/new-id.ts';

const SAVE_AFTER_MS = 400;

const openedKey = (userId: number): string => `playground_talk:${userId}`;
/** Stored instead of an id: a new conversation without messages. */
const NEW = 'new';

export interface OpenedTalk {
  /** Undefined while it is read. */
  readonly talk: Talk | undefined;
  /** Opens another conversation; without an id a new one. */
  readonly open: (talkId?: string) => void;
}

/** The last open conversation, or the sample. Saved while it continues. */
export const useTalk = (userId: number): OpenedTalk => {
  const { t } = useTranslation('playground');
  const [wanted, setWanted] = useState(() => readStored(openedKey(userId)));
  const [talk, setTalk] = useState<Talk>();
  // `t` changes whenever texts are loaded, which must not restart the conversation.
  const begin = useEffectEvent((loaded: LoadedTalk): Talk => {
    if (loaded.kind === 'unreadable') toast('bad', t('error.unreadable'));
    if (loaded.kind !== 'found')
      return startTalk({
        id: newId(),
        lanes: [{ model: '', items: sampleExchange(t('sample.hello'), t('sample.answer')) }],
      });
    const lanes = loaded.talk.lanes.map(({ model, items }) => ({
      model,
      items: settled(items, t('error.interrupted')),
    }));
    return startTalk({ ...loaded.talk, lanes });
  });
  useEffect(() => {
    let isWanted = true;
    let started: Talk | undefined;
    const load = async (): Promise<LoadedTalk> => {
      if (wanted?.startsWith(NEW) === true) return { kind: 'none' };
      const found = await loadTalk(userId, wanted);
      return found.kind === 'none' && wanted !== undefined ? loadTalk(userId, undefined) : found;
    };
    void load().then((loaded) => {
      if (!isWanted) return;
      started = begin(loaded);
      setTalk(started);
      void trimTalks(userId);
    });
    return () => {
      isWanted = false;
      started?.stop();
      setTalk(undefined);
    };
  }, [userId, wanted]);
  const tellApart = useEffectEvent(() => toast('bad', t('talks.apart')));
  useEffect(
    () => (talk === undefined ? undefined : saveChanges(userId, talk, () => tellApart())),
    [userId, talk],
  );
  return {
    talk,
    open: (talkId) => {
      store(openedKey(userId), talkId ?? NEW);
      // Each request for a new one creates another.
      setWanted(talkId ?? `${NEW} ${newId()}`);
    },
  };
};

/**
 * Writes the conversation a moment after it changed, and when the page is left.
 * @param onApart another tab has continued it: from now on this is one of its own
 */
const saveChanges = (userId: number, talk: Talk, onApart: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSaved = true;
  let saving = Promise.resolve();
  const write = async (): Promise<void> => {
    const id = await saveTalk(userId, talk.stored());
    if (id === talk.id) return;
    talk.rename(id);
    store(openedKey(userId), id);
    onApart();
  };
  const save = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (isSaved) return;
    isSaved = true;
    store(openedKey(userId), talk.id);
    saving = saving.then(write);
  };
  const unwatch = talk.watch(() => {
    isSaved = false;
    timer ??= setTimeout(save, SAVE_AFTER_MS);
  });
  addEventListener('pagehide', save);
  return () => {
    unwatch();
    removeEventListener('pagehide', save);
    save();
  };
};
