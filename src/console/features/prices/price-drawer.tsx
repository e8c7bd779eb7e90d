import { useQuery } from '@tanstack/react-query';
import { ReadingDrawer } from '../../kit/drawers/reading-drawer.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { readPrice } from './price-calls.ts';
import { PriceForm } from './price-form.tsx';
import { PRICES } from './price.ts';

interface PriceDrawerProps {
  readonly model: string;
  readonly onClose: () => void;
}

/** The prices of one model. Loaded first, so that the form starts with the current values. */
const PriceDrawer = ({ model, onClose }: PriceDrawerProps) => {
  const { t } = useTranslation('prices');
  const query = useQuery({
    queryKey: [PRICES, 'one', model],
    queryFn: async ({ signal }) => ({ row: await readPrice(model, signal) }),
    staleTime: 0,
    gcTime: 0,
    refetchOnReconnect: false,
  });
  if (query.data?.row !== undefined) return <PriceForm row={query.data.row} onClose={onClose} />;
  return (
    <ReadingDrawer title={model} onClose={onClose} width={520}>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isFetching && <Skeleton height={240} />}
      {query.data !== undefined && !query.isFetching && <EmptyState text={t('notOffered')} />}
    </ReadingDrawer>
  );
};

export default PriceDrawer;
