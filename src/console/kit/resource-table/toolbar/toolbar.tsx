import { IconFilter, IconSearch } from '@tabler/icons-react';
import { Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { late } from '../../late.tsx';
import { useTranslation, withTexts } from '../../../lib/text/i18n.ts';
import { useHasCards, useIsPhone } from '../../../lib/browser/media.ts';
import { IconButton } from '../../button.tsx';
import { classNames } from '../../class-names.ts';
import { Segmented } from '../../segmented.tsx';
import type { Column } from '../column.ts';
import { FilterControls } from './filter-controls.tsx';
import { type Filter, filterNames, type ViewControls } from '../filter.ts';
import type { ColumnChoice } from '../grid/use-columns.ts';
import type { DensityChoice } from '../use-density.ts';
import type { ColumnWidths } from '../grid/use-widths.ts';

const ViewMenus = late(withTexts('table-views', () => import('./view-menus.tsx')));

interface ToolbarProps<Row> {
  readonly name: string;
  readonly filters: readonly Filter[];
  readonly controls: ViewControls;
  readonly columns: readonly Column<Row>[];
  readonly choice: ColumnChoice<Row>;
  readonly density: DensityChoice;
  readonly widths: ColumnWidths;
  readonly searchLabel: string | undefined;
  readonly tools: ReactNode;
}

/** On phones too it is seen which time a list covers. */
const isOfTime = ({ kind }: Filter): boolean => kind === 'time' || kind === 'own';

/**
 * Search, filters and column choice. On phones all but search, segments and the time hide behind one button, which says how many
 * of them narrow the list.
 */
export const Toolbar = <Row,>({
  name,
  filters,
  controls,
  columns,
  choice,
  density,
  widths,
  searchLabel,
  tools,
}: ToolbarProps<Row>) => {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const hasCards = useHasCards();
  const [isUnfolded, setUnfolded] = useState(false);
  const others = filters.filter((filter) => filter.kind !== 'segments');
  const folded = isPhone ? others.filter((filter) => !isOfTime(filter)) : others;
  const narrowing = folded.filter((filter) =>
    filterNames(filter).some((id) => (controls.view.filters[id] ?? '') !== ''),
  ).length;
  // Cards that nothing narrows have nothing that a view could keep.
  if (hasCards && filters.length === 0 && searchLabel === undefined) return null;
  return (
    <div className={classNames('toolbar', searchLabel === undefined && 'toolbar-bare')}>
      {searchLabel !== undefined && <SearchBox label={searchLabel} controls={controls} />}
      {filters.map(
        (filter) =>
          filter.kind === 'segments' && (
            <Segmented
              key={filter.id}
              label={filter.label}
              value={controls.view.filters[filter.id] ?? ''}
              options={filter.choices}
              onChange={(value) => controls.narrow({ [filter.id]: value })}
            />
          ),
      )}
      {isPhone && folded.length > 0 && (
        <IconButton
          label={narrowing > 0 ? `${t('table.filters')} (${narrowing})` : t('table.filters')}
          pressed={isUnfolded}
          aria-expanded={isUnfolded}
          data-count={narrowing || undefined}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <IconFilter size={18} />
        </IconButton>
      )}
      {isPhone && <FilterControls filters={others.filter(isOfTime)} controls={controls} />}
      <span className="toolbar-space" />
      <span className="toolbar-end">
        {(!isPhone || isUnfolded) && <FilterControls filters={folded} controls={controls} />}
        <span className="toolbar-tools">
          {tools}
          <Suspense fallback={<span className="view-menus-waiting" />}>
            <ViewMenus
              name={name}
              filters={filters}
              controls={controls}
              columns={columns}
              choice={choice}
              density={density}
              widths={widths}
              hasCards={hasCards}
            />
          </Suspense>
        </span>
      </span>
    </div>
  );
};

const PAUSE_MS = 250;

const SearchBox = ({ label, controls }: { readonly label: string; readonly controls: ViewControls }) => {
  const asked = controls.view.search;
  const [text, setText] = useState(asked);
  const [followed, setFollowed] = useState(asked);
  const [sent, setSent] = useState<readonly string[]>([]);
  if (asked !== followed) {
    setFollowed(asked);
    // The address takes what was asked for here, and more may be typed by then.
    const at = sent.indexOf(asked);
    setSent(at === -1 ? [] : sent.slice(at + 1));
    // It may also change from elsewhere: Back, or "clear filters".
    if (at === -1) setText(asked);
  }
  const search = useEffectEvent(() => {
    if (text === asked) return;
    setSent([...sent, text]);
    controls.narrow({ q: text }, { replace: true });
  });
  useEffect(() => {
    const timer = setTimeout(() => search(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className="search">
      <IconSearch size={16} aria-hidden />
      <input
        type="search"
        className="input"
        aria-label={label}
        placeholder={label}
        data-table-search
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </label>
  );
};
