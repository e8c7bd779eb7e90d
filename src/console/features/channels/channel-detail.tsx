import './channel-detail.css';

import { useTranslation } from '../../lib/text/i18n.ts';
import { channelType } from '#contract/channel-types.ts';
import { Fact } from '../../kit/fact.tsx';
import { Copy } from '../../kit/copy.tsx';
import { GroupChip } from '../../kit/group-chip.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { useGrowing } from '../../kit/resource-table/grid/use-growing.ts';
import { ChannelMargin } from './channel-margin.tsx';
import RemarkCell from './remark-cell.tsx';
import { SessionLine } from './explain/session-line.tsx';
import { listOf, readObject, stopReason, type Channel } from './channel.ts';

/** Details below the row: all models, model mapping, address, and why the channel was disabled. */
const ChannelDetail = ({ channel }: { readonly channel: Channel }) => {
  const { t } = useTranslation('channels');
  const { t: more } = useTranslation('channel-more');
  const models = listOf(channel.models);
  const drawn = useGrowing(models.map((_, at) => at));
  const stop = stopReason(channel);
  const mapping = Object.entries(readObject(channel.model_mapping));
  const defaultUrl = channelType(channel.type)?.baseUrl ?? '';
  return (
    <dl className="channel-detail">
      <Fact title={t('column.remark')}>
        <RemarkCell channel={channel} />
      </Fact>
      {stop !== undefined && (
        <Fact title={more('detail.stopped')}>
          <span className="tone-bad">{stop.reason || t('status.unknownReason')}</span>{' '}
          <TimeText at={stop.at} exact />
        </Fact>
      )}
      <Fact title={`${more('detail.models')} (${models.length})`}>
        <span className="channel-models">
          {models.slice(0, drawn).map((model) => (
            <span key={model} className="channel-model">
              <Copy value={model} mono label={more('detail.copyModel', { name: model })} />
            </span>
          ))}
          {models.length > 1 && (
            <Copy value={models.join(',')} shown={t('models.copyAll')} label={t('models.copyAll')} />
          )}
        </span>
      </Fact>
      {mapping.length > 0 && (
        <Fact title={more('detail.mapping')}>
          {mapping.map(([from, to]) => (
            <span key={from} className="mono channel-mapping">
              {from} → {String(to)}
            </span>
          ))}
        </Fact>
      )}
      <Fact title={more('margin.title')}>
        <ChannelMargin id={channel.id} />
      </Fact>
      <Fact title={more('detail.groups')}>
        <span className="channel-models">
          {listOf(channel.group).map((name) => (
            <GroupChip key={name} name={name} />
          ))}
        </span>
      </Fact>
      <Fact title={more('detail.address')}>
        {channel.base_url === '' ? (
          <>
            <span className="mono">{defaultUrl}</span>{' '}
            <span className="meta">{more('detail.defaultAddress')}</span>
          </>
        ) : (
          <Copy value={channel.base_url} mono />
        )}
      </Fact>
      {channel.test_model !== '' && (
        <Fact title={more('detail.testModel')}>
          <span className="mono">{channel.test_model}</span>
        </Fact>
      )}
      <Fact title={more('detail.sessions')}>
        <SessionLine channelId={channel.id} />
      </Fact>
      <Fact title={more('detail.tested')}>
        <TimeText at={channel.test_time} exact />
      </Fact>
      <Fact title={more('detail.created')}>
        <TimeText at={channel.created_time} exact />
      </Fact>
    </dl>
  );
};

export default ChannelDetail;
