/** The middle value; of an even number of them the mean of the two in the middle. `undefined` of none. */
export const median = (values) => {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

/** How far the values lie from their median, as a share of it: the median of the distances. 0 of fewer than two. */
export const spread = (values) => {
  const middle = median(values);
  if (values.length < 2 || middle === 0) return 0;
  return median(values.map((value) => Math.abs(value - middle))) / Math.abs(middle);
};

/**
 * What the samples of one cell say: the medians of `value` and of `wall`, the spread of `value`, and how many of them
 * counted. Samples that were taken while others were busy (`busy`) are left out, unless fewer than `least` are left: then all
 * count, and `disturbed` is true. A failed sample has an `error`; a cell of nothing else has the first one as its own.
 */
export const summarise = (samples, least = 1) => {
  const sound = samples.filter(({ error }) => error === undefined);
  if (sound.length === 0) return { error: samples[0]?.error ?? 'not sampled' };
  const quiet = sound.filter(({ busy }) => busy !== true);
  const disturbed = quiet.length < Math.min(least, sound.length);
  const counted = disturbed ? sound : quiet;
  const values = counted.map(({ value }) => value);
  const walls = counted.flatMap(({ wall }) => (wall === undefined ? [] : [wall]));
  // What was lost is lost, however busy others were.
  const notes = [...new Set(sound.flatMap(({ note }) => (note === undefined ? [] : [note])))];
  return {
    value: median(values),
    wall: median(walls),
    spread: spread(values),
    counted: counted.length,
    leftOut: sound.length - counted.length,
    failed: samples.length - sound.length,
    disturbed,
    notes,
  };
};
