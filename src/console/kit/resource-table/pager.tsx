import './table-late.css';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { PAGE_SIZES } from '#contract/limits.ts';
import { formatExact } from '../../lib/text/format.ts';
import { IconButton } from '../button.tsx';
import type { View } from './column.ts';
import type { ViewControls } from './filter.ts';

interface PagerProps {
  readonly total: number;
  readonly controls: Pick<ViewControls, 'goTo' | 'setPageSize'> & {
    readonly view: Pick<View, 'page' | 'pageSize'>;
  };
  /** Names the list, if a page has several. */
  readonly label?: string;
  /** The total is that of the view before. */
  readonly isOld?: boolean;
}

/** The shown part of the list, links to other pages, and the page size. */
const Pager = ({ total, controls, label, isOld = false }: PagerProps) => {
  const { t } = useTranslation();
  const { page, pageSize } = controls.view;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const from = (page - 1) * pageSize + 1;
  // Rows were deleted, or a link is old: the last page instead of an empty one.
  const isBeyond = !isOld && page > last;
  const showLast = useEffectEvent(() => controls.goTo(last, { replace: true }));
  useEffect(() => {
    if (isBeyond) showLast();
  }, [isBeyond]);
  return (
    <nav
      className="pager"
      aria-label={label === undefined ? t('pager.label') : `${t('pager.label')} · ${label}`}
    >
      <span className="pager-range number">
        {t('pager.range', {
          from: formatExact(from),
          to: formatExact(Math.min(page * pageSize, total)),
          total: formatExact(total),
        })}
      </span>
      <label className="pager-size">
        <span>{t('pager.size')}</span>
        <select
          className="select-plain"
          value={pageSize}
          onChange={(event) => controls.setPageSize(Number(event.target.value))}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
      {last > 1 && (
        <span className="pager-pages">
          <IconButton
            label={t('pager.previous')}
            disabled={page === 1}
            onClick={() => controls.goTo(page - 1)}
          >
            <IconChevronLeft size={17} />
          </IconButton>
          {pagesAround(page, last).map((one, index) =>
            one === undefined ? (
              <span key={`gap-${index}`} className="pager-gap">
                …
              </span>
            ) : (
              <PageButton key={one} page={one} isCurrent={one === page} onGo={controls.goTo} />
            ),
          )}
          <IconButton label={t('pager.next')} disabled={page >= last} onClick={() => controls.goTo(page + 1)}>
            <IconChevronRight size={17} />
          </IconButton>
        </span>
      )}
    </nav>
  );
};

const PageButton = ({
  page,
  isCurrent,
  onGo,
}: {
  readonly page: number;
  readonly isCurrent: boolean;
  readonly onGo: (page: number) => void;
}) => {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="pager-page number"
      aria-label={t('pager.page', { page })}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => onGo(page)}
    >
      {page}
    </button>
  );
};

/** The first page, the last, and those around the current one; undefined stands for a gap. */
export const pagesAround = (page: number, last: number): readonly (number | undefined)[] => {
  const near = [1, page - 1, page, page + 1, last].filter((one) => one >= 1 && one <= last);
  const pages = [...new Set(near)].toSorted((a, b) => a - b);
  return pages.flatMap((one, index) => {
    const gap = one - (pages[index - 1] ?? one - 1);
    if (gap === 1) return [one];
    // A gap of a single page is filled with that page.
    return gap === 2 ? [one - 1, one] : [undefined, one];
  });
};

export default Pager;
