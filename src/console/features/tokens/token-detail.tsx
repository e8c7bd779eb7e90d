import type { ReactNode } from 'react';
import { NEVER_EXPIRES } from '#contract/codes.ts';
import { Copy } from '../../kit/copy.tsx';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { linesOf, namesOf, type Token } from './token.ts';

/** What the row has no room for: which models and addresses the token is limited to, and its times. */
const TokenDetail = ({ token }: { readonly token: Token }) => {
  const { t } = useTranslation('tokens');
  const models = token.model_limits_enabled ? namesOf(token.model_limits) : [];
  const ips = linesOf(token.allow_ips);
  return (
    <dl className="token-detail">
      <Line title={t('detail.models')}>
        {models.length === 0 ? t('limit.any') : <Names names={models} />}
      </Line>
      <Line title={t('detail.ips')}>{ips.length === 0 ? t('limit.any') : <Names names={ips} />}</Line>
      {token.tag !== '' && <Line title={t('detail.tag')}>{token.tag}</Line>}
      <Line title={t('detail.used')}>
        <QuotaText units={token.used_quota} />
      </Line>
      <Line title={t('detail.remain')}>
        {token.unlimited_quota ? t('quota.unlimited') : <QuotaText units={token.remain_quota} />}
      </Line>
      <Line title={t('detail.expires')}>
        {token.expired_time === NEVER_EXPIRES ? (
          t('expires.never')
        ) : (
          <TimeText at={token.expired_time} exact />
        )}
      </Line>
      <Line title={t('detail.accessed')}>
        {token.accessed_time > 0 ? <TimeText at={token.accessed_time} exact /> : t('detail.never')}
      </Line>
      <Line title={t('detail.created')}>
        <TimeText at={token.created_time} exact />
      </Line>
    </dl>
  );
};

const Names = ({ names }: { readonly names: readonly string[] }) => (
  <span className="token-names">
    {names.map((name) => (
      <span key={name} className="token-name">
        <Copy value={name} mono />
      </span>
    ))}
  </span>
);

const Line = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

export default TokenDetail;
