import './keys-sheet.css';
import { SwitchField } from '../../kit/fields/switch-field.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSession } from '../../lib/session/session.ts';
import { useSignal } from '../../lib/browser/signal.ts';
import { setSingleKeys, singleKeys } from '../../lib/browser/single-keys.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { menuFor } from '../../routes.ts';
import { goKeys, keysSheet } from './page-keys.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
const CONTROL = isApple ? '⌘' : 'Ctrl';

interface KeyRow {
  /** Each alternative is a list of keys pressed together. */
  readonly keys: readonly (readonly string[])[];
  readonly name: string;
}

/** All keyboard shortcuts of the console, and the switch for single-letter ones. */
const KeysSheet = () => {
  const { t } = useTranslation();
  const { t: tp } = useTranslation('palette');
  const isOn = useSignal(singleKeys);
  const menu = menuFor(useSession(), useSiteStatus());
  const everywhere: readonly KeyRow[] = [
    { keys: [[CONTROL, 'K']], name: tp('keys.palette') },
    { keys: [['?']], name: tp('keys.sheet') },
    { keys: [['Esc']], name: tp('keys.close') },
    { keys: [[CONTROL, 'S']], name: tp('keys.save') },
  ];
  const lists: readonly KeyRow[] = [
    { keys: [['J'], ['K']], name: tp('keys.move') },
    { keys: [['X'], ['Shift', 'X']], name: tp('keys.choose') },
    { keys: [['E']], name: tp('keys.edit') },
    { keys: [['Enter']], name: tp('keys.open') },
    { keys: [['/']], name: tp('keys.search') },
  ];
  const go = Object.entries(goKeys).flatMap(([letter, key]): KeyRow[] =>
    menu.some((page) => page.key === key)
      ? [{ keys: [['G', tp('keys.then'), letter.toUpperCase()]], name: t(`page.${key}`) }]
      : [],
  );
  return (
    <Dialog title={tp('keys.title')} width={720} onClose={() => keysSheet.set(false)}>
      <div className="keys-sheet">
        <KeyList title={tp('keys.everywhere')} rows={everywhere} />
        <KeyList title={tp('keys.lists')} rows={lists} />
        <KeyList title={tp('keys.go')} rows={go} />
        <SwitchField
          label={tp('keys.single')}
          hint={tp('keys.singleHint')}
          checked={isOn}
          onChange={setSingleKeys}
        />
      </div>
    </Dialog>
  );
};

const KeyList = ({ title, rows }: { readonly title: string; readonly rows: readonly KeyRow[] }) => (
  <section aria-label={title}>
    <h3>{title}</h3>
    <dl>
      {rows.map(({ keys, name }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {keys.map((pressed) => (
              <span key={pressed.join(' ')}>
                {pressed.map((key, at) =>
                  pressed.length === 3 && at === 1 ? (
                    <span key={key} className="meta">
                      {key}
                    </span>
                  ) : (
                    <kbd key={key}>{key}</kbd>
                  ),
                )}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

export default KeysSheet;
