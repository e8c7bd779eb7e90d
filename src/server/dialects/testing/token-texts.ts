/** A fixed sequence of numbers below 1, the same in every run. */
const sequence = (): (() => number) => {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const letters = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));

/** A thousand of these, by chance. */
const oneOf = (kinds: readonly string[]): string => {
  const next = sequence();
  return Array.from({ length: 1000 }, () => kinds[Math.floor(next() * kinds.length)]).join('');
};

const small = letters(97, 122);
const capital = letters(65, 90);
const digits = letters(48, 57);

/** Texts that people write. */
export const writtenTexts = {
  english: [
    'The meeting was moved to Thursday because two of the engineers had to visit the plant near Rotterdam.',
    'Please read the report before we talk about the budget for next year, and write down what you would change.',
  ].join(' '),
  german: [
    'Die Besprechung wurde auf Donnerstag verschoben, weil zwei Ingenieure das Werk bei Rotterdam besuchen.',
    'Bitte lest den Bericht, bevor wir über den Haushalt des nächsten Jahres sprechen.',
  ].join(' '),
  french: [
    "La réunion a été déplacée à jeudi, parce que deux des ingénieurs devaient visiter l'usine près de Rotterdam.",
    "Merci de lire le rapport avant de parler du budget de l'année prochaine.",
  ].join(' '),
  russian:
    'Встреча перенесена на четверг, потому что двум инженерам пришлось посетить завод под Роттердамом.',
  chinese:
    '会议改到星期四，因为有两位工程师要去鹿特丹附近的工厂。请在讨论明年的预算之前先读一下这份报告，并写下您想修改的地方。',
  japanese: '二人の技術者がロッテルダムの近くの工場を訪れることになったため、会議は木曜日に変更されました。',
  arabic: 'تم نقل الاجتماع إلى يوم الخميس لأن اثنين من المهندسين اضطرا إلى زيارة المصنع القريب من روتردام.',
  hindi: 'बैठक गुरुवार तक टाल दी गई क्योंकि दो इंजीनियरों को रॉटरडैम के पास के कारखाने में जाना पड़ा।',
  code: [
    'export const settle = async (deps: SettleDeps, held: Held): Promise<void> => {',
    '  const { live, call } = held;',
    '  if (live.holdState !== "open") return;',
    '  for (const row of rows) total += row.quotaUnits * 2;',
    '};',
  ].join('\n'),
  json: '{"id": "order-17", "customer": {"name": "Ada", "city": "London"}, "lines": [{"item": "paper", "count": 12}]}',
} as const;

/** Texts that have many tokens for their bytes. */
export const denseTexts = {
  'random letters': oneOf(small),
  'random words': oneOf([...small, ' ', ' ', ' ', ' ', ' ']),
  'capital letters': oneOf(capital),
  'mixed letters': oneOf([...small, ...capital]),
  digits: oneOf(digits),
  'single digits': Array.from(oneOf(digits)).join(' '),
  hexadecimal: oneOf([...digits, ...letters(97, 102)]),
  base64: oneOf([...small, ...capital, ...digits, '+', '/']),
  signs: oneOf([...letters(33, 47), ...letters(58, 64), ...letters(91, 96)]),
  controls: oneOf(letters(1, 8)),
  accents: oneOf(letters(0xc0, 0xff)),
  combining: oneOf(letters(0x300, 0x36f)),
  armenian: oneOf(letters(0x531, 0x556)),
  ethiopic: oneOf(letters(0x1200, 0x1248)),
  cherokee: oneOf(letters(0x13a0, 0x13f4)),
  tibetan: oneOf(letters(0xf40, 0xf6c)),
  hangul: oneOf(letters(0xac00, 0xd7a3)),
  hanzi: oneOf(letters(0x4e00, 0x9fa5)),
  emoji: oneOf(letters(0x1f300, 0x1f5ff)),
  cuneiform: oneOf(letters(0x12000, 0x12399)),
  unassigned: oneOf(letters(0xe000, 0xe0ff)),
  samaritan: oneOf(letters(0x800, 0x82d)),
  odia: oneOf(letters(0xb05, 0xb39)),
  lao: oneOf(letters(0xe81, 0xeae)),
  'relations of mathematics': oneOf(letters(0x2280, 0x22ff)),
  braille: oneOf(letters(0x2800, 0x28ff)),
  'old greek': oneOf(letters(0x1f00, 0x1fff)),
} as const;
