import { markdown, short } from './markdown.mjs';

const PEERS = ['official-2', 'official-1', 'ai-sdk'];
const OWN = ['rx-mcp', 'rx-mcp-fetch'];

/** How many samples a median is of, of how many that did not fail, and how far they lie from it. */
const basisOf = ({ counted, leftOut, spread }) => {
  if (counted === undefined) return '';
  const of = leftOut > 0 ? `${counted} of ${counted + leftOut}` : `${counted}`;
  return counted < 2 ? ` [${of}]` : ` [${of}, ±${Math.round(100 * spread)} %]`;
};

/** What a cell says: the median, how often the yardstick's it is, of how many samples, and what else is to be known. */
export const cellText = (summary, yardstick, key = 'value') => {
  if (summary === undefined) return '';
  if (summary.error !== undefined) return key === 'value' ? `failed: ${summary.error}` : '';
  if (summary[key] === undefined) return '';
  const against = yardstick?.[key];
  const ratio = against === undefined || against <= 0 ? '' : ` (${short(summary[key] / against)}x)`;
  if (key !== 'value') return `${short(summary[key])}${ratio}`;
  const remarks = [
    ...summary.notes,
    ...(summary.failed > 0 ? [`${summary.failed} samples failed`] : []),
    ...(summary.disturbed ? ['disturbed'] : []),
  ];
  return `${short(summary.value)}${ratio}${basisOf(summary)}${remarks.length > 0 ? `, ${remarks.join(', ')}` : ''}`;
};

/**
 * Everything that was measured, as one Markdown table: for each row a line of its values and, where there is any, one of
 * wall times. A value is a median; in brackets is how often the yardstick's it is,
 * and in square ones how many samples it is of and their median distance from it. `cell(row, client)` is a cell's summary.
 */
export const resultTable = (rows, cell, titleOf) => {
  const heading = ['work', 'unit', 'yardstick', 'rx-mcp', ...PEERS.map(titleOf), 'others'];
  const linesOf = (row) => {
    const own = OWN.find((client) => row.clients.includes(client)) ?? OWN[0];
    const yardstick = row.yardstick === undefined ? undefined : cell(row.name, row.yardstick);
    const line = (key, title, unit) => {
      const of = (client) => cellText(cell(row.name, client), yardstick, key);
      const named = (client, text) => (text === '' ? '' : `${titleOf(client)} ${text}`);
      const others = row.clients.filter(
        (client) => client !== row.yardstick && client !== own && !PEERS.includes(client),
      );
      const first =
        row.yardstick === undefined
          ? ''
          : named(row.yardstick, cellText(cell(row.name, row.yardstick), undefined, key));
      return [
        title,
        unit,
        first,
        of(own),
        ...PEERS.map(of),
        others
          .map((client) => named(client, of(client)))
          .filter((text) => text !== '')
          .join('; '),
      ];
    };
    const walled = row.clients.some((client) => cell(row.name, client)?.wall !== undefined);
    return [
      line('value', row.title, walled ? `${row.unit}, CPU` : row.unit),
      ...(walled ? [line('wall', '', `${row.unit}, wall`)] : []),
    ];
  };
  return markdown(heading, rows.flatMap(linesOf));
};

/** The figures to reach, and what was measured, as a Markdown table. */
export const figureTable = (judged) =>
  markdown(
    ['figure', 'must', 'aim', 'measured', 'verdict'],
    judged.map(({ title, must, aim, known, value, unit, verdict, disturbed }) => {
      const shown = (number) =>
        number === undefined ? '' : `${short(number)}${unit === undefined ? 'x' : ` ${unit}`}`;
      return [
        title,
        known === undefined ? shown(must) : `${shown(must)}, known ${shown(known)}`,
        shown(aim),
        shown(value),
        disturbed ? `${verdict}, disturbed` : verdict,
      ];
    }),
  );
