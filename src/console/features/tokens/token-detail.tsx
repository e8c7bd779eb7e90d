import { NEVER_EXPIRES } from '#contract/codes.ts';
import { Fact } from '../../kit/fact.tsx';
import { Copy } from '../../kit/copy.tsx';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { linesOf, namesOf, type Token, wasUsed } from './token.ts';

/** Details below the row: the allowed models and addresses, and the times. */
const TokenDetail = ({ token }: { readonly token: Token }) => {
  const { t } = useTranslation('tokens');
  const models = token.model_limits_enabled ? namesOf(token.model_limits) : [];
  const ips = linesOf(token.allow_ips);
  return (
    <dl className="token-detail">
      <Fact title={t('detail.models')}>
        {models.length === 0 ? t('limit.any') : <Names names={models} />}
      </Fact>
      <Fact title={t('detail.ips')}>{ips.length === 0 ? t('limit.any') : <Names names={ips} />}</Fact>
      {token.tag !== '' && <Fact title={t('detail.tag')}>{token.tag}</Fact>}
      <Fact title={t('detail.used')}>
        <QuotaText units={token.used_quota} />
      </Fact>
      <Fact title={t('detail.remain')}>
        {token.unlimited_quota ? t('quota.unlimited') : <QuotaText units={token.remain_quota} />}
      </Fact>
      <Fact title={t('detail.expires')}>
        {token.expired_time === NEVER_EXPIRES ? (
          t('expires.never')
        ) : (
          <TimeText at={token.expired_time} exact />
        )}
      </Fact>
      <Fact title={t('detail.accessed')}>
        {wasUsed(token) ? <TimeText at={token.accessed_time} exact /> : t('detail.never')}
      </Fact>
      <Fact title={t('detail.created')}>
        <TimeText at={token.created_time} exact />
      </Fact>
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

export default TokenDetail;
