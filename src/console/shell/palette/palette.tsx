import './palette.css';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { isAdmin } from '#contract/may.ts';
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useEscape } from '../../kit/overlays/use-escape.ts';
import { focusPage } from '../../kit/overlays/use-focus-back.ts';
import { isComposing } from '../../lib/browser/enter-key.ts';
import { textsOf, useTranslation } from '../../lib/text/i18n.ts';
import { useSession } from '../../lib/session/session.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { askedEntries, type Entry, knownEntries } from './entries.ts';
import { NO_WORDS, type OtherWords, readOtherWords } from './other-language.ts';

const WAIT_MS = 180;

/** The server's entries for the typed text; late answers for other text are dropped. */
const useAsked = (typed: string, other: OtherWords): readonly Entry[] => {
  const user = useSession();
  const [asked, setAsked] = useState<{ readonly typed: string; readonly entries: readonly Entry[] }>();
  useEffect(() => {
    if (typed.trim() === '' || user === undefined) return undefined;
    const gone = new AbortController();
    const timer = setTimeout(() => {
      void askedEntries(typed, user, { tp: textsOf('palette'), other }, gone.signal).then((entries) => {
        if (!gone.signal.aborted) setAsked({ typed, entries });
      });
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [typed, user, other]);
  return asked?.typed === typed ? asked.entries : [];
};

/** Loaded after the palette opened; until then only the console's language is searched. */
const useOtherWords = (): OtherWords => {
  const [other, setOther] = useState(NO_WORDS);
  useEffect(() => {
    // Without it, only the console's language is searched.
    void readOtherWords().then(setOther, () => undefined);
  }, []);
  return other;
};

interface PaletteProps {
  /** What was typed before it was there. */
  readonly startsWith: string;
  /** Closes it; the focus goes back to where it was. */
  readonly onClose: () => void;
}

/**
 * The command palette: finds pages, actions, settings, models, channels, tokens and users by name. No modal `<dialog>`: what is
 * behind one becomes inert, for which the browser restyles every element of the page, when it opens and when it closes.
 */
const Palette = ({ startsWith, onClose }: PaletteProps) => {
  const { t } = useTranslation();
  const { t: ts } = useTranslation('settings');
  const { t: tp } = useTranslation('palette');
  const layer = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const listId = useId();
  const navigate = useNavigate();
  const user = useSession();
  const status = useSiteStatus();
  const [typed, setTyped] = useState(startsWith);
  const [at, setAt] = useState(0);
  const placeholder = tp(user !== undefined && isAdmin(user) ? 'placeholder' : 'placeholderOwn');
  const other = useOtherWords();
  const entries = [...knownEntries(typed, { user, status, t, ts, tp, other }), ...useAsked(typed, other)];
  const current = Math.min(at, Math.max(0, entries.length - 1));

  useLayoutEffect(() => {
    layer.current?.showPopover();
    box.current?.focus();
    // What was typed before goes on.
    box.current?.setSelectionRange(box.current.value.length, box.current.value.length);
  }, []);
  useEscape(onClose);
  const go = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    if ('run' in entry) return entry.run(() => navigate({ to: '/login', ignoreBlocker: true }));
    // What is asked for is in another page, and so is what follows.
    if (entry.path !== location.pathname) focusPage();
    void navigate({ to: entry.path, search: entry.search });
  };
  const keys = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    // There is nothing else to go to, and what is behind is not to be reached.
    if (event.key === 'Tab') return event.preventDefault();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') go(entries[current]);
    else if (step === undefined) return;
    else setAt((current + step + entries.length) % Math.max(1, entries.length));
    event.preventDefault();
  };
  return (
    <div
      ref={layer}
      popover="manual"
      className="palette-layer"
      onClick={(event) => event.target === layer.current && onClose()}
    >
      <div role="dialog" aria-modal="true" className="palette" aria-label={t('palette.open')}>
        <label className="palette-search">
          <IconSearch size={17} aria-hidden />
          <input
            ref={box}
            type="text"
            role="combobox"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={entries.length === 0 ? undefined : `${listId}-${current}`}
            aria-label={placeholder}
            placeholder={placeholder}
            value={typed}
            onKeyDown={keys}
            onChange={(event) => {
              setTyped(event.target.value);
              setAt(0);
            }}
          />
        </label>
        <ul className="palette-list" id={listId} role="listbox" aria-label={t('palette.open')}>
          {entries.map((entry, index) => (
            <li
              key={`${entry.kind} ${entry.id}`}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === current}
              className="palette-entry"
              ref={index === current ? (node) => node?.scrollIntoView({ block: 'nearest' }) : undefined}
              onPointerMove={() => setAt(index)}
              onClick={() => go(entry)}
            >
              <span className="chip">{tp(`kind.${entry.kind}`)}</span>
              <span className="truncate">{entry.name}</span>
              <span className="meta truncate">{entry.more}</span>
            </li>
          ))}
        </ul>
        {entries.length === 0 && (
          <p className="palette-nothing" role="status">
            <b>{tp('nothing')}</b>
            {tp('nothingHint')}
          </p>
        )}
      </div>
    </div>
  );
};

export default Palette;
