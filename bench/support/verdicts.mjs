/** The cells that a figure is about. */
export const cellsOf = ({ of, against, minus }) => [of, against, minus].filter((cell) => cell !== undefined);

/**
 * What was measured of each figure: `value`, and `verdict` `'aim'`, `'must'`, `'missed'` or, where a cell is wanting, `'-'`.
 * `slack` is what a figure may be missed by and still pass as `'must'`, as a share of it. `cell(row, client)` is the
 * summary of that cell, or `undefined`.
 */
export const verdicts = (figures, cell, slack = 0) =>
  figures.map((figure) => {
    const [of, other] = cellsOf(figure).map(({ row, client }) => cell(row, client));
    const compared = figure.against ?? figure.minus;
    if (of?.value === undefined || (compared !== undefined && other?.value === undefined)) {
      return { ...figure, verdict: of === undefined && other === undefined ? '-' : (of?.error ?? other?.error ?? '-') };
    }
    const value =
      figure.against !== undefined
        ? of.value / other.value
        : figure.minus !== undefined
          ? of.value - other.value
          : of.value;
    const unclean = figure.clean === true && of.notes.length > 0;
    const verdict = unclean || value > figure.must * (1 + slack) ? 'missed' : value > figure.aim ? 'must' : 'aim';
    return { ...figure, value, verdict };
  });

/** Whether a figure counts as missed: it is, or the cells it is about failed. */
export const isMissed = ({ verdict }) => !['aim', 'must', '-'].includes(verdict);
