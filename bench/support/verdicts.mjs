/** The cells that a figure is about. */
export const cellsOf = ({ of, against, minus }) => [of, against, minus].filter((cell) => cell !== undefined);

const isOwn = ({ client }) => client.startsWith('rx-mcp');

/** Why there is nothing to judge: a cell failed, or some of the samples that this library took part in. */
const failureOf = (cells, summaries) => {
  const { error } = summaries.find((summary) => summary?.error !== undefined) ?? {};
  if (error !== undefined) return error;
  const failed = summaries.reduce((sum, summary, at) => sum + (isOwn(cells[at]) ? (summary?.failed ?? 0) : 0), 0);
  return failed === 0 ? undefined : `${failed} of our own samples failed`;
};

/** What is missed, but by no more than the slack. */
const WITHIN = 'within a fifth';
const KNOWN = 'missed, as known';
const PASSED = ['aim', 'must', WITHIN];

/** The verdict on a value: the first bound that it keeps. */
const judge = (value, { must, aim, known }, slack) => {
  if (!Number.isFinite(value)) return 'no number';
  if (value <= aim) return 'aim';
  if (value <= must) return 'must';
  if (value <= must * (1 + slack)) return WITHIN;
  return value <= known ? KNOWN : 'missed';
};

/**
 * What was measured of each figure: `value`, and `verdict` `'aim'`, `'must'`, `'within a fifth'` (missed, but by no
 * more than `slack`, a share of what must be), `'missed, as known'` (no more than is explained), `'missed'`, or what failed. `'-'` is one
 * that has a cell that was not measured. `disturbed` is true of one whose cells are. `cell(row, client)` is the summary of that cell,
 * or `undefined`.
 */
export const verdicts = (figures, cell, slack = 0) =>
  figures.map((figure) => {
    const cells = cellsOf(figure);
    const summaries = cells.map(({ row, client }) => cell(row, client));
    const failure = failureOf(cells, summaries);
    if (failure !== undefined) return { ...figure, verdict: failure };
    if (summaries.includes(undefined)) return { ...figure, verdict: '-' };
    const [of, other] = summaries;
    const value =
      figure.against !== undefined
        ? of.value / other.value
        : figure.minus !== undefined
          ? of.value - other.value
          : of.value;
    const unclean = figure.clean === true && of.notes.length > 0;
    const disturbed = summaries.some((summary) => summary.disturbed === true);
    return { ...figure, value, disturbed, verdict: unclean ? 'missed' : judge(value, figure, slack) };
  });

/** Whether a figure counts as missed: it is, or the cells it is about failed. */
export const isMissed = ({ verdict }) => verdict !== '-' && !PASSED.includes(verdict);

/**
 * What a check comes to: `text` to print, and `code` to end with: 1 where a figure is missed or none was measured, 2 where nobody can tell.
 * `allowsKnown`: what is missed as is known is no reason to fail.
 */
export const outcomeOf = (judged, allowsKnown = false) => {
  const measured = judged.filter(({ verdict }) => verdict !== '-');
  const known = measured.filter(({ verdict }) => verdict === KNOWN).length;
  const missed = measured.filter(isMissed).length - (allowsKnown ? known : 0);
  const disturbed = measured.filter((one) => one.disturbed === true).length;
  if (measured.length === 0) return { text: 'no figure was measured', code: 1 };
  if (missed > 0) {
    const told = known === 0 || allowsKnown ? '' : `, ${known} of them as known: docs/performance.md says why`;
    return { text: `${missed === 1 ? '1 figure is' : `${missed} figures are`} missed${told}`, code: 1 };
  }
  const none = known === 0 ? 'no figure is missed' : 'no figure is missed by more than is known';
  if (disturbed === 0) return { text: none, code: 0 };
  return {
    text: `${none}, but ${disturbed} ${disturbed === 1 ? 'was' : 'were'} disturbed: check them again on a quieter machine`,
    code: 2,
  };
};
