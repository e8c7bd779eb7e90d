import {
  IconArrowsExchange,
  IconCoins,
  IconHeartRateMonitor,
  IconReceipt2,
  IconRoute2,
  IconShieldLock,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { loadTexts, useTranslation } from '../../lib/text/i18n.ts';

const features = [
  ['formats', IconArrowsExchange],
  ['routing', IconRoute2],
  ['billing', IconReceipt2],
  ['limits', IconCoins],
  ['health', IconHeartRateMonitor],
  ['keys', IconShieldLock],
] as const;

/** The feature list below the fold, loaded after the page. */
const HomeFeatures = () => {
  const { t } = useTranslation('about');
  useEffect(() => void loadTexts('about'), []);
  // `t` returns the key until the texts are loaded.
  if (t('title') === 'title') return null;
  return (
    <ul className="home-features">
      {features.map(([key, Icon]) => (
        <li key={key}>
          <Icon size={20} stroke={1.6} aria-hidden />
          <h2>{t(`feature.${key}.title`)}</h2>
          <p>{t(`feature.${key}.text`)}</p>
        </li>
      ))}
    </ul>
  );
};

export default HomeFeatures;
