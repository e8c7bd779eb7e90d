/** Why an upstream's file cannot be read or compared. */
export const reconcileMessages = {
  reconcile_channels: {
    en: 'name channels by their ids, or a tag that channels have',
    zh: '请用编号指定渠道，或指定某个渠道标签',
  },
  reconcile_running: {
    en: 'another file is being compared; try again in a moment',
    zh: '正在对账另一份文件，请稍后再试',
  },
  reconcile_columns: {
    en: 'columns must be a JSON object with lists of titles',
    zh: '列的含义必须是 JSON 对象，值为列标题的列表',
  },
  reconcile_zone: {
    en: 'there is no such time zone',
    zh: '没有这个时区，请填写时区的标准名称',
  },
  reconcile_packed: {
    en: 'the file is packed, or a spreadsheet; unpack it, or save it as CSV',
    zh: '这是压缩文件或电子表格，请先解压或另存为 CSV',
  },
  reconcile_not_text: {
    en: 'the file is not text in UTF-8, UTF-16 or GB 18030',
    zh: '文件不是 UTF-8、UTF-16 或 GB 18030 编码的文本',
  },
  reconcile_json_list: {
    en: 'the file is one JSON list; save it as JSON lines, one object a line, or as CSV',
    zh: '文件是一个 JSON 数组，请另存为每行一个对象的 JSONL，或 CSV',
  },
  reconcile_no_header: {
    en: 'no row with the titles of the columns was found',
    zh: '没有找到列标题行',
  },
  reconcile_no_rows: {
    en: 'the file has no rows to compare',
    zh: '文件中没有可对账的行',
  },
  reconcile_long_line: {
    en: 'line {line} is too long for a bill',
    zh: '第 {line} 行过长，不像账单',
  },
  reconcile_wide_row: {
    en: 'line {line} has more than {most} columns',
    zh: '第 {line} 行超过 {most} 列',
  },
  reconcile_open_quote: {
    en: 'the quotes in the row at line {line} are not closed, or text follows them',
    zh: '第 {line} 行的引号没有闭合，或引号后还有文字',
  },
  reconcile_bad_json: {
    en: 'line {line} is not a JSON object',
    zh: '第 {line} 行不是 JSON 对象',
  },
  reconcile_no_time: {
    en: 'choose the column with the time or the day',
    zh: '请选择时间或日期所在的列',
  },
  reconcile_no_amounts: {
    en: 'choose a column with tokens, calls or the cost',
    zh: '请选择 Token、调用次数或费用所在的列',
  },
  reconcile_no_column: {
    en: 'the file has no column “{column}”',
    zh: '文件没有“{column}”列',
  },
  reconcile_bad_time: {
    en: 'line {line}: “{cell}” in column “{column}” is no time',
    zh: '第 {line} 行：“{column}”列的“{cell}”不是时间',
  },
  reconcile_bad_number: {
    en: 'line {line}: “{cell}” in column “{column}” is no number that can be read in one way only',
    zh: '第 {line} 行：“{column}”列的“{cell}”不是可以确定读法的数字',
  },
  reconcile_bad_kind: {
    en: 'line {line}: “{cell}” in column “{column}” is no known kind of amount',
    zh: '第 {line} 行：“{column}”列的“{cell}”不是已知的用量种类',
  },
  reconcile_date_order: {
    en: 'whether day or month comes first in the dates cannot be told; choose it',
    zh: '无法判断日期是日在前还是月在前，请选择',
  },
  reconcile_only_days: {
    en: 'the file has sums or days, no single calls; compare it by day',
    zh: '文件只有汇总或日期，没有逐次调用，请按天对账',
  },
  reconcile_span: {
    en: 'the times are more than {days} days apart; choose a shorter span',
    zh: '时间跨度超过 {days} 天，请缩短范围',
  },
  reconcile_many_rows: {
    en: 'the file has more than {most} rows; choose a shorter span or split it',
    zh: '文件超过 {most} 行，请缩短范围或拆分文件',
  },
  reconcile_many_calls: {
    en: 'there are more than {most} calls in this time; choose a shorter span, or compare by day',
    zh: '这段时间的调用超过 {most} 次，请缩短范围或按天对账',
  },
  reconcile_memory: {
    en: 'the comparison needs more memory than it may take; choose a shorter span, or compare by day',
    zh: '对账所需内存超出上限，请缩短范围或按天对账',
  },
  reconcile_large_sums: {
    en: 'line {line}: the amounts add up to more than can be counted exactly',
    zh: '第 {line} 行：累计数额超出可精确计算的范围',
  },
} as const;
