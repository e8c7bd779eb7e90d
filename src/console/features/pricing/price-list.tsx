import { IconLayoutGrid, IconSearch, IconTable } from '@tabler/icons-react';
import { Suspense, useDeferredValue } from 'react';
import { late } from '../../kit/late.tsx';
import { Button } from '../../kit/button.tsx';
import { SearchInput } from '../../kit/search-input.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useHasCards } from '../../lib/browser/media.ts';
import { useSession } from '../../lib/session/session.ts';
import { CLOSING, type UrlPatch, useUrlState } from '../../lib/browser/url-state.ts';
import { Growing } from './growing.tsx';
import { PriceCards } from './price-cards.tsx';
import { PriceFacets } from './price-facets.tsx';
import { found, type PricedModel, type PriceSearch, sortKeys } from './priced-model.ts';
import { PriceTable } from './price-table.tsx';
import type { Pricing } from './use-pricing.ts';

const ModelPanel = late(() => import('./model-panel.tsx'));

/** The shown group: from the address, else the user's own, else any open one. */
const useGroup = (groups: readonly string[]): { readonly group: string; readonly own: string } => {
  const user = useSession();
  const [url] = useUrlState();
  const own = user !== undefined && groups.includes(user.group) ? user.group : 'default';
  const wanted = url['group'] ?? own;
  const group = [wanted, own].find((name) => groups.includes(name)) ?? groups[0] ?? '';
  return { group, own };
};

/** The models of a group, found by word, maker and ability, as a table or as cards. */
export const PriceList = ({ pricing }: { readonly pricing: Pricing }) => {
  const { t } = useTranslation('pricing');
  const user = useSession();
  const hasCards = useHasCards();
  const [url, patch] = useUrlState();
  const groups = Object.keys(pricing.ratios);
  const { group, own } = useGroup(groups);
  const view = url['view'] === 'cards' || (hasCards && url['view'] !== 'table') ? 'cards' : 'table';
  const typed = url['q'] ?? '';
  // Deferred, so that drawing the rows does not delay typing.
  const words = useDeferredValue(typed);
  const { vendor = '', can: ability = '', sort = '' } = url;
  const opened = pricing.models.find((model) => model.model_name === url['model']);
  return (
    <>
      <div className="pricing-group">
        <span className="meta">{user === undefined ? t('visitor') : t('yourGroup', { group: own })}</span>
        <Segmented
          label={t('group')}
          value={group}
          options={groups.map((name) => ({ value: name, label: `${name} ×${pricing.ratios[name] ?? 1}` }))}
          onChange={(next) => patch({ group: next })}
        />
        {pricing.names[group] !== undefined && <span className="meta">{pricing.names[group]}</span>}
      </div>
      <div className="pricing-tools">
        <label className="pricing-search">
          <IconSearch size={15} aria-hidden />
          <SearchInput
            label={t('search')}
            value={typed}
            onChange={(text) => patch({ q: text }, { replace: true })}
          />
        </label>
        <span className="top-space" />
        {view === 'cards' && <SortSelect sort={sort} onSort={(next) => patch({ sort: next })} />}
        <div className="pricing-views" role="group" aria-label={t('view')}>
          {(['table', 'cards'] as const).map((name) => (
            <button
              key={name}
              type="button"
              className="icon-button"
              aria-label={t(`views.${name}`)}
              data-tip={t(`views.${name}`)}
              aria-pressed={view === name}
              onClick={() => patch({ view: name })}
            >
              {name === 'table' ? <IconTable size={17} /> : <IconLayoutGrid size={17} />}
            </button>
          ))}
        </div>
      </div>
      {pricing.models.length > 0 && (
        <PriceFacets
          models={pricing.models}
          group={group}
          vendor={vendor}
          ability={ability}
          onChange={patch}
        />
      )}
      <FoundModels
        all={pricing.models}
        group={group}
        view={view}
        words={words}
        vendor={vendor}
        ability={ability}
        sort={sort}
        onChange={patch}
      />
      <p className="meta pricing-note">{t('note')}</p>
      <Suspense>
        {opened !== undefined && (
          <ModelPanel
            model={opened}
            group={group}
            pricing={pricing}
            onClose={() => patch({ model: undefined }, CLOSING)}
          />
        )}
      </Suspense>
    </>
  );
};

interface FoundModelsProps extends PriceSearch {
  readonly all: readonly PricedModel[];
  readonly view: 'cards' | 'table';
  readonly onChange: (patch: UrlPatch) => void;
}

/** Apart from the field: a letter is drawn before the models are searched for it. */
const FoundModels = ({ all, view, onChange, ...search }: FoundModelsProps) => {
  const { t } = useTranslation('pricing');
  const { group, sort } = search;
  const models = found(all, search);
  const open = (model: string): void => onChange({ model });
  const clear = { q: undefined, vendor: undefined, can: undefined };
  if (models.length === 0)
    return (
      <EmptyState text={all.length === 0 ? t('empty') : t('notFound')}>
        {all.length > 0 && <Button onClick={() => onChange(clear)}>{t('showAll')}</Button>}
      </EmptyState>
    );
  return (
    <Growing of={JSON.stringify([view, search])} count={models.length}>
      {(count) =>
        view === 'cards' ? (
          <PriceCards models={models.slice(0, count)} group={group} onOpen={open} />
        ) : (
          <PriceTable
            models={models.slice(0, count)}
            group={group}
            onOpen={open}
            sort={sort}
            onSort={(next) => onChange({ sort: next })}
          />
        )
      }
    </Growing>
  );
};

interface SortSelectProps {
  readonly sort: string;
  readonly onSort: (sort: string | undefined) => void;
}

const SortSelect = ({ sort, onSort }: SortSelectProps) => {
  const { t } = useTranslation('pricing');
  return (
    <select
      className="pricing-sort"
      aria-label={t('sort')}
      value={sort}
      onChange={(event) => onSort(event.target.value || undefined)}
    >
      <option value="">{t('sorts.none')}</option>
      {sortKeys.flatMap((key) =>
        [key, `-${key}`].map((value) => (
          <option key={value} value={value}>
            {t(value === key ? 'sorts.rising' : 'sorts.falling', { name: t(`column.${key}`) })}
          </option>
        )),
      )}
    </select>
  );
};
