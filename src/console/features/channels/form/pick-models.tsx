import '../channel-detail.css';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import type { ModelChanges } from './model-changes.ts';
import { SearchInput } from '../../../kit/search-input.tsx';

interface PickModelsProps {
  readonly changes: ModelChanges;
  readonly onPick: (added: readonly string[], removed: readonly string[]) => void;
  readonly onClose: () => void;
}

/**
 * Models the upstream offers that are not selected, and selected ones it no longer offers, each with a checkbox.
 */
const PickModels = ({ changes, onPick, onClose }: PickModelsProps) => {
  const { t } = useTranslation('channel-more');
  const { fresh, kept, gone } = changes;
  const [search, setSearch] = useState('');
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set(fresh));
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const wanted = search.trim().toLowerCase();
  const found = (names: readonly string[]) => names.filter((name) => name.toLowerCase().includes(wanted));
  const isEmpty = [fresh, kept, gone].every((names) => found(names).length === 0);

  const foot = (
    <>
      <span className="drawer-extra" />
      <Button onClick={onClose}>{t('form.pick.cancel')}</Button>
      <Button
        variant="primary"
        disabled={added.size + removed.size === 0}
        onClick={() => onPick([...added], [...removed])}
      >
        {t('form.pick.apply', { added: added.size, removed: removed.size })}
      </Button>
    </>
  );
  return (
    <Dialog title={t('form.pick.title')} width={720} onClose={onClose} foot={foot}>
      <SearchInput label={t('form.pick.search')} value={search} onChange={setSearch} />
      {isEmpty && <p className="meta">{t('form.pick.nothing')}</p>}
      <Names
        title={t('form.pick.fresh', { count: fresh.length })}
        names={found(fresh)}
        taken={added}
        onChange={setAdded}
      />
      <Names
        title={t('form.pick.gone', { count: gone.length })}
        names={found(gone)}
        taken={removed}
        onChange={setRemoved}
        isRemoval
      >
        <p className="meta">{t('form.pick.goneHint')}</p>
      </Names>
      <Kept title={t('form.pick.kept', { count: kept.length })} names={found(kept)} />
    </Dialog>
  );
};

interface NamesProps {
  readonly title: string;
  readonly names: readonly string[];
  readonly taken: ReadonlySet<string>;
  readonly onChange: (taken: ReadonlySet<string>) => void;
  readonly isRemoval?: boolean;
  readonly children?: ReactNode;
}

const Names = ({ title, names, taken, onChange, isRemoval = false, children }: NamesProps) => {
  const { t } = useTranslation('channel-more');
  if (names.length === 0) return null;
  const isAll = names.every((name) => taken.has(name));
  const turn = (name: string): void => {
    const next = new Set(taken);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  const turnAll = (): void => {
    const others = [...taken].filter((name) => !names.includes(name));
    onChange(new Set(isAll ? others : [...others, ...names]));
  };
  return (
    <fieldset className="pick-part">
      <legend className="pick-head">
        {title}
        <Button size="small" variant="plain" onClick={turnAll}>
          {isAll ? t('form.pick.none') : t(isRemoval ? 'form.pick.removeAll' : 'form.pick.all')}
        </Button>
      </legend>
      {children}
      <div className="pick-grid">
        {names.map((name) => (
          <label key={name} className={isRemoval ? 'pick-name pick-gone' : 'pick-name'}>
            <input
              type="checkbox"
              className="checkbox"
              checked={taken.has(name)}
              onChange={() => turn(name)}
            />
            <span className="mono truncate" data-tip={name}>
              {name}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};

const Kept = ({ title, names }: Pick<NamesProps, 'title' | 'names'>) =>
  names.length > 0 && (
    <details className="pick-part">
      <summary className="pick-head">{title}</summary>
      <div className="channel-models">
        {names.map((name) => (
          <span key={name} className="channel-model mono">
            {name}
          </span>
        ))}
      </div>
    </details>
  );

export default PickModels;
