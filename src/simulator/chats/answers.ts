interface Answer {
  readonly about: RegExp;
  readonly text: string;
}

/** What the demonstration answers with: short pages in markdown that show what a console can render. */
const ENGLISH: readonly Answer[] = [
  {
    about: /code|function|program|python|typescript|javascript|sort|bug|sql/i,
    text: `Here is one way to do it, with the edge cases handled:

\`\`\`python
def moving_average(values: list[float], window: int) -> list[float]:
    """Average of the last \`window\` values at every position."""
    if window < 1:
        raise ValueError("window must be at least 1")
    sums, total = [], 0.0
    for index, value in enumerate(values):
        total += value
        if index >= window:
            total -= values[index - window]
        sums.append(total / min(index + 1, window))
    return sums
\`\`\`

It runs in **O(n)**: each value is added once and taken away once. Two things to watch:

1. Rounding errors add up over very long inputs; \`math.fsum\` over each window avoids that at a cost.
2. The first \`window - 1\` results average what is there so far, rather than being left out.

Would you like a version that works on a stream?`,
  },
  {
    about: /price|cost|quota|budget|bill|token/i,
    text: `A call is priced from what it used, in parts that do not overlap:

| Part | Tokens | Price for a million | Cost |
| --- | ---: | ---: | ---: |
| Prompt, new | 1,240 | $0.15 | $0.000186 |
| Prompt, from cache | 3,072 | $0.075 | $0.000230 |
| Answer | 410 | $0.60 | $0.000246 |
| **Together** | **4,722** | | **$0.000662** |

So a thousand such calls cost about **66 cents**. The part read from the cache is more than half of the prompt but only a third of the bill, which is why keeping the beginning of a prompt the same pays off.`,
  },
  {
    about: /plan|trip|travel|week|recipe|list/i,
    text: `## A weekend in three steps

- **Saturday morning**: the market by the river, before ten. Bring a bag.
- **Saturday afternoon**: the old observatory; the last tour leaves at four.
- **Sunday**: the coast path from the lighthouse to the village, about 9 km, with a café half way.

> If it rains, swap Sunday for the print museum: it is small, dry and better than it sounds.

Shall I put times and bus lines to each of them?`,
  },
];

const CHINESE: readonly Answer[] = [
  {
    about: /代码|函数|程序|编程|排序|脚本|接口|报错/,
    text: `可以这样写，边界情况也一并处理了：

\`\`\`typescript
/** 按键分组，保持原有顺序。 */
export const groupBy = <Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};
\`\`\`

说明：

1. 只遍历一次，时间复杂度为 **O(n)**。
2. 使用 \`Map\` 而不是普通对象，键可以是任意类型。
3. 空数组返回空的 \`Map\`，调用方无需特殊处理。

需要我再补充单元测试吗？`,
  },
  {
    about: /价格|费用|额度|计费|多少钱|倍率/,
    text: `一次调用按实际用量计费，各部分互不重叠：

| 部分 | 用量 | 每百万单价 | 费用 |
| --- | ---: | ---: | ---: |
| 输入（新） | 1,240 | $0.15 | $0.000186 |
| 输入（缓存） | 3,072 | $0.075 | $0.000230 |
| 输出 | 410 | $0.60 | $0.000246 |
| **合计** | **4,722** | | **$0.000662** |

也就是说，**一千次**这样的调用大约 66 美分。把提示词的开头保持不变，缓存命中率越高越省钱。`,
  },
];

const FALLBACK_ENGLISH = `Good question. In short:

- **What it is**: one address in front of many models, so that programs need to know only one key and one format.
- **Why it helps**: limits, prices and logs are kept in one place, and a provider that fails is replaced by the next one *before* anybody notices.
- **What to watch**: every call leaves a row in the log, with the tokens it used and why it went where it went.

Try asking for a piece of code, a price or a plan to see other kinds of answers.`;

const FALLBACK_CHINESE = `这是个好问题，简单来说：

- **它是什么**：众多模型前面的统一入口，程序只需要一个地址和一个密钥。
- **好处**：限额、价格和日志集中管理；某个渠道出错时，会在用户察觉之前切换到下一个。
- **注意**：每次调用都会留下一条日志，记录用量以及为什么选择这个渠道。

也可以让我写一段代码，或者问问价格，看看不同类型的回答。`;

/** A plausible answer to the last message, in its language. */
export const answerTo = (question: string): string => {
  const isChinese = /\p{Script=Han}/u.test(question);
  const answers = isChinese ? CHINESE : ENGLISH;
  const found = answers.find((answer) => answer.about.test(question));
  return found?.text ?? (isChinese ? FALLBACK_CHINESE : FALLBACK_ENGLISH);
};

export const reasoningAbout = (question: string): string =>
  /\p{Script=Han}/u.test(question)
    ? '用户想要一个清楚、简短的回答。先想清楚要点，再组织成几条。'
    : 'The user wants something clear and short. First the main points, then an order that reads well.';
