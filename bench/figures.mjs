// The figures to reach. `of` and `against` name cells of the table: what is measured is their ratio; with `minus` in place of
// `against` their difference; with neither the value itself. `clean`: the cell may have no note, such as of lost notices.
// `known`: the bound of a miss that docs/performance.md explains. It is missed all the same; a check with `--known` fails only where it
// has become worse.
const own = (row) => ({ row, client: 'rx-mcp' });
const both = (make) => ['legacy', 'modern'].map(make);

const ratio = (row, client, must, aim, { of, ...more } = {}) => ({
  title: `${row} against ${client}`,
  of: { ...own(row), ...of },
  against: { row, client },
  must,
  aim,
  ...more,
});

const growth = (row, from, must, aim, more = {}) => ({
  title: `${row} against ${from}, both our own`,
  of: own(row),
  against: own(from),
  must,
  aim,
  ...more,
});

export const figures = [
  ratio('stdio/1/legacy', 'floor', 1.35, 1.15),
  ratio('stdio/1/modern', 'floor', 1.5, 1.15),
  ...[64, 256].flatMap((inFlight) => both((era) => ratio(`stdio/${inFlight}/${era}`, 'full-floor', 2, 1.4))),
  ...both((era) => growth(`stdio/4096/${era}`, `stdio/64/${era}`, 1.3, 1.1, { known: 2.5 })),
  ...[1, 16, 64].flatMap((size) => both((era) => ratio(`line/${size}mb/${era}`, 'floor', 1.3, 1.1))),
  ...both((era) => growth(`line/64mb/${era}`, `line/1mb/${era}`, 1.3, 1.1)),
  ...both((era) => ratio(`notices/${era}`, 'floor', 2.5, 1.5, { clean: true })),
  ...both((era) => ratio(`memory/1/${era}`, 'full-floor', 1.9, 1.3)),
  ...both((era) => ratio(`list/${era}`, 'floor', 1.8, 1.3)),
  ...['json', 'sse'].flatMap((form) => both((era) => ratio(`http/undici/${form}/${era}`, 'undici-pool', 2.1, 1.4))),
  ...['json', 'sse'].flatMap((form) =>
    both((era) =>
      ratio(`http/fetch/${form}/${era}`, 'fetch-loop', 1.15, 1.05, { of: { client: 'rx-mcp-fetch' }, known: 1.35 }),
    ),
  ),
  {
    title: 'cold import beyond rxjs',
    of: own('import'),
    minus: { row: 'import', client: 'rxjs' },
    must: 40,
    aim: 20,
    unit: 'ms',
  },
  { title: 'bundle for a browser', of: own('bundle'), must: 32, aim: 20, known: 43, unit: 'KB' },
  ...both((era) => ({
    title: `heap/in-flight/${era}`,
    of: own(`heap/in-flight/${era}`),
    must: 1.4 * 1_024,
    aim: 1.1 * 1_024,
    unit: 'bytes',
  })),
  ...both((era) => ratio(`heap/idle/${era}`, 'official-2', 0.5, 0.3)),
  ...['fresh', 'shared', 'cancelled'].map((kind) => ({
    title: `heap/after/${kind}`,
    of: own(`heap/after/${kind}`),
    must: 300,
    aim: 300,
    unit: 'KB',
    clean: true,
  })),
];
