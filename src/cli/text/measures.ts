/** A size for a person. */
export const sizeText = (bytes: number): string => {
  if (bytes < 1_024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const [value, unit] = bytes < 1_048_576 ? [bytes / 1_024, 'KiB'] : [bytes / 1_048_576, 'MiB'];
  return `${value.toFixed(1)} ${unit}`;
};

/** A duration for a person. */
export const durationText = (ms: number): string =>
  ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

/** How many bytes a text in base64 stands for. */
export const base64Bytes = (text: string): number => {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
};

/** A count with its noun, which takes an `s` where there is not exactly one. */
export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The time of day of a moment, in the zone of this machine. */
export const clockText = (at: number): string => {
  const time = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const ms = String(time.getMilliseconds()).padStart(3, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${ms}`;
};
